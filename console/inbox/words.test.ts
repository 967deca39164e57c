import { expect, test } from 'vitest';
import type { InboxCase, InboxRequest } from '#contract/wire/inbox.ts';
import {
  consequenceOf,
  keyOf,
  meansOf,
  nextShown,
  reasonOf,
  settledBy,
  usual,
  voidOf,
  whereOf,
  yesMeans,
} from './words.ts';

const held: InboxCase = {
  kind: 'held',
  game: '0b9f6d3e-58a1-4c0e-9f57-6a1f6b0c2d11',
  score: 29_400,
  played_at: '2026-11-18T20:52:00.000Z',
  since: '2026-11-18T20:53:00.000Z',
  machine_id: '3',
  machine: 'Hoop 3',
  state: 'held',
  best: false,
  in_repair: false,
  venue: null,
  held_reason: 'over_max_score',
  report_reason: null,
  text: null,
  player: {
    id: '7',
    username: 'Windmill',
    avatar_color: '#376CDC',
    jersey_number: '21',
    team: 'Air Ballers',
  },
  recent: [],
  nearby: [],
  outside: null,
  week: {
    team: 'Air Ballers',
    week: '2026-11-16',
    number: 5,
    over: false,
    others: [],
    final: null,
    total: 4588,
    total_after: 33_702,
    opponent: 'Glass Cannons',
    opponent_total: 5000,
  },
};
const week = (change: object) => ({ ...held, week: { ...held.week, ...change } }) as InboxCase;

const reported = (change: object, more: object = {}): InboxCase => ({
  ...week(change),
  ...{ kind: 'report', state: 'counted', report_reason: 'not_mine', held_reason: null },
  ...more,
});

test('the heading says why the game waits', () => {
  expect(reasonOf(held)).toBe('29,400 is higher than a score can be');
  expect(reasonOf({ ...held, kind: 'report', report_reason: 'not_mine' })).toBe(
    '“This game is not mine”',
  );
});

test.each<[InboxCase, string]>([
  [
    held,
    'counts in week 5. Air Ballers from 4,588 up to 33,702, and they are ahead of Glass Cannons.',
  ],
  [
    week({ total_after: 4600 }),
    'counts in week 5. Air Ballers from 4,588 up to 4,600, and they are still behind Glass Cannons.',
  ],
  [
    week({ total_after: 5000 }),
    'counts in week 5. Air Ballers from 4,588 up to 5,000, and they are level with Glass Cannons.',
  ],
  [
    week({ over: true }),
    'counts in week 5, which is over. Air Ballers from 4,588 up to 33,702, and they win.',
  ],
  [
    week({ over: true, total_after: 4600 }),
    'counts in week 5, which is over. Air Ballers from 4,588 up to 4,600: the result stays lost.',
  ],
  [week({ opponent: null }), 'counts in week 5. Air Ballers from 4,588 up to 33,702.'],
  [week({ total_after: 4588 }), 'counts in week 5. Air Ballers stay at 4,588.'],
  [
    week({ opponent: null, others: [{ team: 'Rim Reapers', total: 213, total_after: 106 }] }),
    'counts in week 5. Air Ballers from 4,588 up to 33,702. A later game is then over the first 8: Rim Reapers from 213 down to 106.',
  ],
  [
    { ...held, week: null, outside: 'league_mode_off' },
    'counts for Windmill alone: league mode is off.',
  ],
  [
    { ...held, week: null, outside: 'no_team', player: null },
    'counts for the player alone: no team.',
  ],
])('STAFF-31: the case says what a release changes', (one, says) => {
  expect(consequenceOf(one)).toBe(says);
});

test('the heading of a game above the hourly limit gives the game’s number within the hour', () => {
  expect(reasonOf({ ...held, held_reason: 'too_many_games' })).toBe('121st game within an hour');
});

test('a case says on which machine and at what time its game was played', () => {
  const at = (day: number, hour: number, minute = 0) =>
    new Date(2026, 10, day, hour, minute).toISOString();
  const report = { ...held, kind: 'report' as const };
  const now = new Date(2026, 10, 22, 22, 4);
  expect(whereOf({ ...held, played_at: at(14, 18, 22) }, now)).toBe('Hoop 3, Sat 14 Nov 18:22');
  expect(whereOf({ ...report, played_at: at(22, 21, 12), since: at(22, 21, 15) }, now)).toBe(
    'Hoop 3, today 21:12, reported 21:15',
  );
  expect(whereOf({ ...report, played_at: at(20, 21, 12), since: at(22, 9) }, now)).toBe(
    'Hoop 3, Fri 20 Nov 21:12, reported today 09:00',
  );
});

test('GAME-12 STAFF-32: my settled case disappears, a colleague’s stays with their name', () => {
  const [mine, theirs, kept, fresh] = ['a', 'b', 'c', 'd'].map((game) => ({ ...held, game }));
  if (!mine || !theirs || !kept || !fresh) throw new Error('four cases');
  const before = nextShown([], [mine, theirs, kept], new Set(), new Set());
  const own = new Set([keyOf(mine)]);
  const shown = nextShown(before, [kept, fresh], own, new Set());
  expect(shown.map(({ of, gone }) => [keyOf(of), gone])).toEqual([
    ['held b', true],
    ['held c', false],
    ['held d', false],
  ]);
  expect(nextShown(shown, [kept, fresh], new Set(), new Set())).toEqual(shown);
  // A case decided here stays while it shows Undo. A read that began before the decision does not
  // bring the case back.
  expect(nextShown(before, [kept], own, own)[0]).toEqual({ of: mine, gone: false });
  expect(nextShown([], [mine, kept], own, new Set())).toHaveLength(1);
  expect(keyOf({ ...held, game: '4' })).not.toBe(keyOf(held));
  const at = new Date(2026, 10, 22, 22, 5).toISOString();
  const decided = { decision: 'release', by: 'Ines', at } as const;
  const since = (day: number, kind: InboxCase['kind'] = 'report') => ({
    kind,
    since: new Date(2026, 10, day).toISOString(),
  });
  const settled = (now: Date) => settledBy(decided, since(22), now);
  expect(settled(new Date(2026, 10, 23, 0, 30))).toBe('Ines released it at 22:05');
  expect(settled(new Date(2026, 10, 23, 12))).toBe('Ines released it, Sun 22 Nov 22:05');
  const takenBack = 'No longer to decide: the report was taken back';
  expect(settledBy(null, since(22))).toBe(takenBack);
  // The game was released before the player reported it.
  expect(settledBy(decided, since(23))).toBe(takenBack);
  // The answer was undone, then the player took the report back.
  expect(settledBy({ ...decided, decision: 'reopen' }, since(22))).toBe(takenBack);
  // GAME-14: discarding all held games stores no decision.
  expect(settledBy(null, since(22, 'held'))).toBe('No longer to decide');
  expect(settledBy({ ...decided, decision: 'return' }, since(22, 'held'))).toBe(
    'No longer to decide',
  );
});

test('HAND-C6: a player’s requests to two teams are two cards; a card says if its team is full', () => {
  const request: InboxRequest = {
    kind: 'request',
    account: '7',
    username: 'Windmill',
    avatar_color: '#376CDC',
    jersey_number: '21',
    games_played: 0,
    avg_score: 0,
    team_id: '3',
    team: 'Air Ballers',
    league: 'City League',
    places_left: 1,
    asked_at: '2026-11-18T20:52:00.000Z',
  };
  expect(keyOf(request)).not.toBe(keyOf({ ...request, team_id: '4' }));
  const before = nextShown([], [held, request], new Set(), new Set());
  expect(nextShown(before, [held], new Set(), new Set())).toEqual([
    { of: held, gone: false },
    { of: request, gone: true },
  ]);
  expect(yesMeans(request)).toBe('the next games count for the team. A mail says so.');
  expect(yesMeans({ ...request, places_left: 0 })).toBe(
    'Air Ballers is full. Take somebody off first.',
  );
});

test.each<[InboxCase, string]>([
  [
    reported({ total: 4588, total_after: 4176, opponent_total: 4200 }, { best: true }),
    'out of every figure. Week 5: Air Ballers from 4,588 down to 4,176, and they are behind Glass Cannons. It is the high score of Windmill: the next best takes its place. You can restore it.',
  ],
  [
    reported({ total: 4588, total_after: 4100, opponent_total: 4200, over: true }),
    'out of every figure. Week 5, which is over: Air Ballers from 4,588 down to 4,100, and they lose. You can restore it.',
  ],
  [
    reported({ total: 4588, total_after: 4588 }),
    'out of every figure. Week 5: Air Ballers stay at 4,588, because it is not among the best four. You can restore it.',
  ],
  [
    reported({ total_after: 4588, others: [{ team: 'Reapers', total: 0, total_after: 90 }] }),
    'out of every figure. Week 5: Air Ballers stay at 4,588, because it is not among the best four. A later game is then among the first 8: Reapers from 0 up to 90. You can restore it.',
  ],
  [
    { ...reported({}), week: null, outside: 'no_team' },
    'out of the figures of Windmill. It counts for no team. You can restore it.',
  ],
  [{ ...reported({}), state: 'held' }, 'it is held and counts nowhere yet. It then never counts.'],
])('GAME-12 STAFF-30: a report says what a void changes', (of, words) => {
  expect(voidOf(of)).toBe(words);
});

test('OPS-17: a line says what a decision did', () => {
  expect(meansOf(held, 'release')).toBe(`it ${consequenceOf(held)}`);
  expect(meansOf(held, 'discard')).toBe('it counts nowhere.');
  expect(meansOf(reported({}), 'void')).toBe(`it is ${voidOf(reported({}))}`);
  expect(meansOf(reported({}, { state: 'held' }), 'void')).toBe(
    'the report is closed, and the game never counts.',
  );
});

test('the usual scores are the middle 90 %', () => {
  expect(usual([])).toBeNull();
  expect(usual(Array.from({ length: 21 }, (_, at) => at * 10))).toEqual({
    low: 10,
    high: 190,
    middle: 100,
  });
});
