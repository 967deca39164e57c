import { describe, expect, it, vi } from 'vitest';
import { lastGame } from './signs.ts';
import type { Slip, SlipGame } from './slip.ts';
import {
  announcement,
  beatRow,
  codeLines,
  countedRow,
  headOf,
  leadSentence,
  leadWords,
  severalRows,
  timeOf,
  unlisted,
  unlistedWords,
  weekOf,
} from './words.ts';

const TEAM = 'Brick City Bankers';
const NOW = new Date('2026-11-20T19:34:30');

const game = (changes: Partial<SlipGame> = {}): SlipGame => ({
  id: '1',
  score: 402,
  played_at: '2026-11-20T19:34:00',
  landed_at: '2026-11-20T19:34:20.000Z',
  machine: 'Hoop 2',
  venue: null,
  counts: 'league',
  place: 3,
  team: TEAM,
  also: [],
  duels: [],
  late: false,
  released: false,
  beat: null,
  shots: null,
  seconds: null,
  report: null,
  report_reason: null,
  report_text: null,
  over: null,
  thisWeek: true,
  ...changes,
});

const slip = (changes: Partial<Slip> = {}): Slip => ({
  games: [game()],
  newest: '2026-11-20T19:34:20.000Z',
  team: TEAM,
  week: null,
  added: { points: 61, replaced: 341 },
  beat: { kind: 'score', score: 388, lead: null },
  left: 1,
  next: 388,
  swing: { own: 5412, other: 5373, lead: 39, before: -22, opponent: 'Rim Reapers' },
  won: [],
  isFirstGame: false,
  ...changes,
});

const led = (before: number, points: number, next: number | null = 388) => {
  const lead = before + points;
  const swing = { own: 1000 + lead, other: 1000, lead, before, opponent: 'Rim Reapers' };
  return leadSentence(slip({ swing, added: { points, replaced: null }, next }));
};

describe('HAND-15: how the lead changed', () => {
  it.each([
    [-22, 61, '**Took the lead,** from 22 behind.'],
    [0, 61, '**Took the lead,** from level.'],
    [10, 61, '**Still ahead.**'],
    [-61, 61, '**Level now.**'],
    [-83, 61, '**Still 22 behind.** Beat 388.'],
    [5, 0, '**Still ahead.**'],
    [0, 0, '**Still level.**'],
    [-22, 0, '**Still 22 behind.** Beat 388.'],
    [30, -40, null],
  ])('a lead of %i plus %i reads “%s”', (before, points, words) => {
    expect(led(before, points)).toBe(words);
  });
  it('the sentence names no score to beat if there is none', () => {
    expect(led(-22, 0, null)).toBe('**Still 22 behind.**');
  });
  it('there is no sentence without an opponent', () => {
    const swing = { own: 500, other: null, lead: 500, before: 100, opponent: null };
    expect(leadSentence(slip({ swing }))).toBeNull();
    expect(leadWords(slip({ swing }))).toBeNull();
  });
});

describe('HAND-12: the slip says what a game counted for', () => {
  const row = (changes: Partial<SlipGame>, more: Partial<Slip> = {}) => {
    const { sign, title, under } = countedRow(slip(more), game(changes));
    return [sign, title, under].join(' | ');
  };
  it.each([
    [{}, 'ball | Counted for your team | +61 this week, replaces your 341'],
    [{ team: 'Rim Reapers' }, 'ball | Counted for Rim Reapers | '],
    [{ thisWeek: false }, 'ball | Counted for your team | In the week it was played'],
    [{ counts: 'bench', place: 5 }, 'ring | Bench | 5th best. The top 4 count.'],
    [{ counts: 'over_8' }, 'dash | Over 8 games | For you, not for your team'],
    [{ counts: 'league_mode_off' }, 'dash | League mode was off | For you, not for your team'],
    [{ counts: 'no_team' }, 'ball | Counted for you | You had no team'],
    [{ counts: 'held' }, "clock | Held for review | Staff check it first. You'll hear either way."],
  ] satisfies [Partial<SlipGame>, string][])('%j', (changes, words) => {
    expect(row(changes)).toBe(words);
  });
  it('the row leaves out the points if the week could not be read', () => {
    expect(row({ thisWeek: null }, { added: null })).toBe('ball | Counted for your team | ');
  });
});

describe('HAND-13: several games', () => {
  const games = [
    game({ id: '4' }),
    game({ id: '3', score: 640, over: 29, played_at: '2026-11-20T19:30:00' }),
    game({ id: '2', score: 298, counts: 'bench', place: 7, played_at: '2026-11-20T19:20:00' }),
    game({ id: '1', machine: 'Hoop 3', played_at: '2026-11-20T19:05:00' }),
  ];
  it('the slip has rows for three games, and says how many more there are', () => {
    expect(headOf(slip({ games }))).toBe('4 games');
    expect(headOf(slip({ games: games.slice(0, 3) }))).toBe('3 games on Hoop 2');
    expect(timeOf(slip({ games }), NOW, true)).toBe('19:05 to 19:34');
    expect(severalRows(slip({ games })).map(({ title, under }) => [title, under])).toEqual([
      ['402 counted for your team', '+61 this week, replaces your 341'],
      ['640 counted for your team', 'Personal best, +29'],
      ['298 is on the bench', '7th best'],
    ]);
    expect(unlisted(slip({ games }))).toBe(1);
    const underOf = (order: readonly SlipGame[]) =>
      severalRows(slip({ games: [...order], added: { points: 159, replaced: null } })).map(
        ({ under }) => under,
      );
    const extra = () => game({ counts: 'over_8', place: null });
    const best = game({ id: '6', score: 640, over: 40 });
    expect(underOf([extra(), best]), 'of one game').toEqual([
      null,
      'Personal best, +40 · +159 this week',
    ]);
    const rest = [extra(), extra(), extra(), best];
    expect(underOf(rest), 'of a game without a row').toEqual([null, null, null]);
    const added = { points: 159, replaced: null };
    expect(unlistedWords(slip({ games: rest, added }))).toBe('+159 this week');
    expect(unlistedWords(slip({ games, added }))).toBeNull();
  });
});

describe('the other words', () => {
  it('HAND-10, HAND-17: the heading names the game, and the time says when it was played', () => {
    expect(headOf(slip())).toBe('Your game on Hoop 2');
    expect(headOf(slip({ games: [game({ late: true })] }))).toBe('Late game, Hoop 2');
    expect(headOf(slip({ games: [game({ released: true })] }))).toBe('Your held game');
    expect(timeOf(slip(), NOW, true)).toBe('just now');
    expect(timeOf(slip(), NOW, false)).toBe('19:34');
    expect(timeOf(slip({ games: [game({ late: true })] }), NOW, true)).toBe('Fri 20 Nov, 19:34');
    const restored = slip({ games: [game({ played_at: '2026-11-18T21:05:00' })] });
    expect(timeOf(restored, NOW, true), 'restored two days later').toBe('Wednesday 21:05');
  });
  it('HAND-17: a late game has the week in which it was played', () => {
    const opens = '2026-11-16T00:00:00';
    expect(weekOf('2026-11-15T23:59:00', opens)).toEqual(['2026-11-09', '2026-11-15']);
    expect(weekOf('2026-11-02T00:00:00', opens)).toEqual(['2026-11-02', '2026-11-08']);
  });
  it('HAND-17: a clock change does not move the week of a late game', () => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    try {
      const spring = weekOf('2026-03-22T23:30:00', '2026-03-30T00:00:00');
      expect(spring).toEqual(['2026-03-16', '2026-03-22']);
      const autumn = weekOf('2026-10-19T00:30:00', '2026-10-26T00:00:00');
      expect(autumn).toEqual(['2026-10-19', '2026-10-25']);
    } finally {
      vi.unstubAllEnvs();
    }
  });
  it('HAND-14: the row says what to beat', () => {
    expect(beatRow(slip())).toEqual({
      title: 'Now beat 388',
      under: 'Your new 4th best, 1 league game left',
    });
    expect(beatRow(slip({ beat: { kind: 'any', taken: 2 }, left: 6 }))).toEqual({
      title: '2 of 4 places taken',
      under: '6 league games left',
    });
    expect(beatRow(slip({ beat: { kind: 'done', total: 1853 }, left: 0 }))).toEqual({
      title: 'All 8 played',
      under: null,
    });
  });
  it('HAND-09: the code page has words beside the square and under the code', () => {
    expect(codeLines(slip())).toEqual(['Counted for your team', '+61 this week', 'Now beat 388']);
    const best = slip({ games: [game({ over: 29 })] });
    expect(codeLines(best)).toEqual(['Personal best', 'Counted for your team', '+61 this week']);
    const former = slip({ games: [game(), game({ id: '2', score: 640, over: 29 })] });
    expect(codeLines(former)).toEqual([
      'Personal best, 640',
      '2 games on Hoop 2',
      '402 counted for your team',
    ]);
    expect(leadWords(slip())).toBe(`${TEAM} lead by 39. 1 league game left this week.`);
  });
  it('HAND-18: the line says what the last game counted for', () => {
    expect(lastGame(game({ counts: 'over_8' }))).toBe('**Last game 402,** extra game');
  });
  it('HAND-21: the announcement says what the game added and won', () => {
    const won = [
      { key: 'x', name: 'Hat-trick', description: '', icon: '', rank: 2 as const, progress: null },
    ];
    expect(announcement(slip({ won }))).toBe(
      `402. Counted for your team. 61 added this week. ${TEAM} took the lead, by 39. Won: Hat-trick.`,
    );
  });
});
