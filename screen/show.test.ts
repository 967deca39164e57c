import { describe, expect, test } from 'vitest';
import { defaultSlides, SLIDES } from '#contract/rules/screens.ts';
import type { ScreenAnswer } from '#contract/wire/screens.ts';
import { hoopNumber } from './hoop.ts';
import { type Page, pagesOf } from './pages.ts';
import {
  atTime,
  comparable,
  type Game,
  landed,
  opening,
  type Show,
  turnTo,
  withGames,
} from './show.ts';
import { clockText, closesText, timeText } from './time.ts';
import { type Body, viewOf } from './view.ts';

const NOW = Date.parse('2026-11-22T20:16:20Z');
const ann = { username: 'Ann', avatar_color: '#DC3737', jersey_number: '01' };
const nobody = { username: null, avatar_color: null, jersey_number: null };
let games = 0;
function game(more: Partial<Game> = {}): Game {
  games += 1;
  const played_at = new Date(NOW - 20_000).toISOString();
  return {
    id: `game ${games}`,
    machine: 'Hoop 1',
    score: 300,
    played_at,
    beat: null,
    ...ann,
    ...more,
  };
}
const team = (name: string, total: number) => ({ team: name, total, games: 29, games_max: 40 });
type Matchup = ScreenAnswer['leagues'][number]['matchups'][number];
const league = (...matchups: Matchup[]) => ({
  name: 'Dockside League',
  week: 5,
  weeks: 10,
  closes_at: new Date(NOW + 27.5 * 3_600_000).toISOString(),
  matchups,
  next: null,
});
const matchup = { home: team('Bankers', 6872), away: team('Reapers', 6912) };

const season = (teams: number, more: Partial<NonNullable<ScreenAnswer['season']>> = {}) => ({
  league: 'Dockside League',
  name: 'Autumn 2026',
  state: 'final' as const,
  by_cup: false,
  weeks: 10,
  rows: Array.from({ length: teams }, (_, at) => ({
    place: at + 1,
    team: `Team ${at + 1}`,
    won: 8,
    drawn: 0,
    lost: 2,
    total: 68214 - at,
  })),
  ...more,
});

function payload(more: Partial<ScreenAnswer> = {}): ScreenAnswer {
  return {
    now: new Date(NOW).toISOString(),
    signup_url: 'https://play.example.com/signup',
    name: 'Bar',
    still: false,
    venue: { id: '1', name: 'Dockside Arcade', utc_offset: 60, utc_change: null },
    slides: defaultSlides().map(({ slide, seconds }) => ({ slide, seconds })),
    notice: 'Hello',
    notice_until: null,
    notices: [{ text: 'Hello', from: null, until: null }],
    tonight: [game()],
    week: [{ place: 1, score: 300, ...ann }],
    all: [{ place: 1, score: 300, ...ann }],
    leagues: [league(matchup)],
    contests: [],
    cups: [],
    season: season(6),
    achievements: [
      { key: 'first-game', name: 'First game', icon: 'first-game', won_at: '', ...ann },
    ],
    ...more,
  };
}
const keys = (pages: readonly Page[]) => pages.map(({ key }) => key);

describe('the slides of a rotation', () => {
  test('PROD-110: all slides are shown in order, matchups for 20 s and the others for 12 s', () => {
    const pages = pagesOf(payload());
    // Contests and cups have tests of their own.
    expect(pages.map(({ slide }) => slide)).toEqual(
      SLIDES.filter((slide) => slide !== 'contest' && slide !== 'cup'),
    );
    expect(pages.map(({ seconds }) => seconds)).toEqual([12, 12, 12, 20, 12, 12, 12, 12]);
  });

  test('CUP-32: a cup shows its tree, eight pairings of a long round at a time, and its winner', () => {
    const slides = [{ slide: 'cup' as const, seconds: 12 }];
    const at = (time: string) => `2026-11-27T${time}:00.000Z`;
    const nobody = { username: null, avatar_color: null, jersey_number: null };
    const side = { seed: 1, team: 'Hoops', ...nobody, from: null };
    const pairing = {
      a: side,
      b: side,
      winner: null,
      decided: false,
      sums: null,
      games: null,
      third: false,
    };
    const round = (pairings: number, order = 0) => ({
      name: 'Round',
      starts_at: at(`${19 + order}:00`),
      ends_at: at(`${19 + order}:45`),
      pairings: Array.from({ length: pairings }, () => pairing),
    });
    const cup = (sizes: number[], more: object = {}) => ({
      ...{ id: '7', name: 'Cup', best: 4, of: 8, champion: null },
      ...{ shown_until: null, final_at: null, rounds: sizes.map(round), ...more },
    });
    const shown = (one: ReturnType<typeof cup>, now: string) =>
      pagesOf(payload({ slides, cups: [one] }), 0, Date.parse(at(now))).map(({ key, seconds }) => [
        key,
        seconds,
      ]);
    expect(shown(cup([4, 2, 1]), '19:30')).toEqual([['cup 7 tree 0 0', 12]]);
    expect(shown(cup([16, 8, 4, 2, 1]), '19:30')).toEqual([
      ['cup 7 round 0 0', 8],
      ['cup 7 round 0 8', 8],
    ]);
    // A game is held in the first round. The second round is shown once it begins.
    const over = { ...pairing, winner: 1, decided: true };
    const first = { ...round(8), pairings: [pairing, ...Array(7).fill(over)] };
    const late = cup([], { rounds: [first, ...[4, 2, 1].map((size, at) => round(size, 1 + at))] });
    expect(shown(late, '19:59')).toEqual([['cup 7 round 0 0', 8]]);
    expect(shown(late, '20:00')).toEqual([['cup 7 tree 1 0', 12]]);
    // The open pairing of the first round has a later end of its own.
    const longer = { ...pairing, ends_at: at('20:30') };
    const apart = cup([], { rounds: [{ ...first, pairings: [longer] }, ...late.rounds.slice(1)] });
    expect(shown(apart, '20:29')).toEqual([['cup 7 tree 0 0', 12]]);
    expect(shown(apart, '20:30')).toEqual([['cup 7 tree 1 0', 12]]);
    // Of 17 sides, 15 have a bye.
    const none = { ...side, seed: null, team: null };
    const bye = { ...pairing, b: none, winner: 1, decided: true };
    const byes = { ...round(1), pairings: [...Array(15).fill(bye), pairing] };
    const many = cup([16, 8, 4, 2, 1], {
      rounds: [byes, ...[8, 4, 2, 1].map((size, order) => round(size, 1 + order))],
    });
    expect(shown(many, '19:30')).toEqual([['cup 7 round 0 0', 8]]);
    const known = payload({ slides, cups: [many] });
    const now = Date.parse(at('19:30'));
    const pages = pagesOf(known, 0, now);
    const turn0 = turnTo(opening, pages, 0, 0);
    const view = viewOf({ payload: known, now, silentSince: null }, pages, turn0);
    expect(view.body).toMatchObject({ kind: 'round', pairs: [{ state: 'now' }] });
    const won = cup([1], { final_at: at('22:05'), shown_until: at('23:00'), champion: side });
    expect(shown(won, '22:30')).toEqual([['cup 7 won 0 0', 12]]);
    // The winner is alone for three minutes, then in turn.
    const both = [...slides, { slide: 'join' as const, seconds: 12 }];
    const turn = (now: string) =>
      pagesOf(payload({ slides: both, cups: [won] }), 0, Date.parse(at(now))).map(
        ({ slide }) => slide,
      );
    expect(turn('22:07')).toEqual(['cup']);
    expect(turn('22:08')).toEqual(['cup', 'join']);
    expect(shown(won, '23:00')).toEqual([['join', 12]]);
  });

  test('CUP-32: the slide lists a cup’s winner, the other finalist and the third, with points only if they played', () => {
    const side = (seed: number, team: string | null) => ({ seed, team, ...nobody, from: null });
    const wonBy = (team: (seed: number) => string | null) => {
      const pairings = [
        { a: side(1, team(1)), b: side(2, team(2)), winner: 2, sums: null, games: null },
        { a: side(3, team(3)), b: side(4, team(4)), winner: 3, sums: [812, 0], games: [2, 0] },
      ].map((one, at) => ({ ...one, decided: true, third: at === 1 }));
      const time = '2026-11-27T22:00:00.000Z';
      const cup = {
        ...{ id: '7', name: 'Cup', best: 4, of: 8, champion: side(2, team(2)) },
        ...{ final_at: time, shown_until: '2026-11-27T23:00:00.000Z' },
        rounds: [{ name: 'Final', starts_at: time, ends_at: time, pairings }],
      };
      const known = payload({ slides: [{ slide: 'cup', seconds: 12 }], cups: [cup] });
      const now = Date.parse(time);
      const pages = pagesOf(known, 0, now);
      const turn0 = turnTo(opening, pages, 0, 0);
      return viewOf({ payload: known, now, silentSince: null }, pages, turn0).body;
    };
    expect(wonBy((seed) => `Team ${seed}`)).toMatchObject({
      first: { place: '1', team: 'Team 2', total: null },
      rows: [
        { place: '2', team: 'Team 1', total: null },
        { place: '3', team: 'Team 3', total: 812 },
      ],
    });
    expect(wonBy(() => null)).toMatchObject({
      kind: 'winner',
      places: [{ score: null }, { score: null }, { place: 3, score: 812 }],
    });
  });

  test('CUP-32: a pairing is live while its own window runs, and only a side that played has a sum', () => {
    const at = (time: string) => `2026-11-27T${time}:00.000Z`;
    const side = (seed: number) => ({ seed, team: `Team ${seed}`, ...nobody, from: null });
    const open = { winner: null, decided: false, sums: [27_276, 0], games: [8, 3], third: false };
    const pairing = (a: number, b: number, more: object = {}) => ({
      ...{ ...open, a: side(a), b: side(b), ...more },
    });
    const decided = { decided: true, winner: 2, sums: [0, 10] };
    const pairings = [
      pairing(1, 4, { starts_at: at('19:20'), ends_at: at('20:15') }),
      pairing(2, 3, { ...decided, games: [2, 1] }),
      pairing(5, 6, { ...decided, games: [0, 1] }),
      pairing(7, 8, { sums: null, games: null, starts_at: at('19:30') }),
    ];
    const round = { name: 'Semi-finals', starts_at: at('19:00'), ends_at: at('20:15'), pairings };
    const cup = {
      ...{ id: '7', name: 'Cup', best: 4, of: 8, champion: null, shown_until: null },
      ...{ final_at: null, rounds: [round] },
    };
    const slides = [{ slide: 'cup' as const, seconds: 12 }];
    const view = (time: string) => {
      const known = payload({ slides, cups: [cup] });
      const now = Date.parse(time);
      const pages = pagesOf(known, 0, now);
      return viewOf(
        { payload: known, now, silentSince: null },
        pages,
        turnTo(opening, pages, 0, 0),
      );
    };
    const isLive = (time: string) => view(time).frame.live;
    expect(isLive('2026-11-27T19:19:59.900Z')).toBe(false);
    expect(isLive('2026-11-27T19:20:00.000Z')).toBe(true);
    expect(isLive('2026-11-27T20:14:59.900Z')).toBe(true);
    // The pairing is over, and its last games are coming in.
    expect(isLive('2026-11-27T20:15:00.000Z')).toBe(false);
    const pairsAt = (time: string) => {
      const { body } = view(at(time));
      const pairs = body.kind === 'tree' ? (body.columns[0]?.pairs ?? []) : [];
      return pairs.map(({ state, a, b }) => [state, a.sum, b.sum]);
    };
    expect(pairsAt('19:29')[3]).toEqual(['to-come', '', '']);
    // The pairing begins between two reads.
    expect(pairsAt('19:30')[3]).toEqual(['now', '0', '0']);
    expect(pairsAt('20:20').slice(0, 3)).toEqual([
      ['now', '27,276', '0'],
      ['over', '0', '10'],
      ['over', '–', '10'],
    ]);
  });

  test('PROD-110, SEASON-14: a season’s first page has the champions and five teams, later pages six', () => {
    const slides = [{ slide: 'season' as const, seconds: 12 }];
    const pages = pagesOf(payload({ slides, season: season(13) }));
    expect(pages.map(({ key, seconds }) => [key, seconds])).toEqual([
      ['season 0', 12],
      ['season 6', 8],
      ['season 12', 8],
    ]);
  });

  const night = (more: Partial<ScreenAnswer['contests'][number]> = {}) => ({
    code: 'R4T9WX',
    name: 'Friday Night Hoops',
    scoring: 'best3' as const,
    n: 5,
    starts_at: '2026-11-27T19:00:00.000Z',
    ends_at: '2026-11-27T22:00:00.000Z',
    final_at: null,
    shown_until: null,
    only: false,
    prize: null,
    url: 'https://play.example.com/contest/R4T9WX',
    places: [{ place: 1, score: 1_611, ...ann }],
    ...more,
  });
  const shown = (of: Partial<ScreenAnswer>, at: string) =>
    pagesOf(payload(of), 0, Date.parse(`2026-11-27T${at}:00.000Z`)).map(({ slide }) => slide);

  test('CONTEST-09: a running contest gets every second slide, or the screen to itself', () => {
    const others = shown({}, '18:59');
    expect(shown({ contests: [night()] }, '18:59')).toEqual(others);
    expect(shown({ contests: [night()] }, '19:00')).toEqual(
      others.reduce<string[]>((all, slide) => all.concat('contest', slide), []),
    );
    // After the contest's end, its last games come in.
    expect(shown({ contests: [night()] }, '22:05')).toContain('contest');
    expect(shown({ contests: [night({ only: true })] }, '19:00')).toEqual(['contest']);
    expect(shown({ contests: [night({ only: true })] }, '22:14')).toEqual(['contest']);
    expect(shown({ contests: [night({ only: true })] }, '22:15')).toContain('tonight');
    const two = pagesOf(
      payload({ contests: [night(), night({ code: 'ABCDEF' })] }),
      0,
      Date.parse('2026-11-27T20:00:00.000Z'),
    );
    expect(keys(two).slice(0, 4)).toEqual([
      'contest R4T9WX 0',
      'tonight',
      'contest ABCDEF 1',
      'week',
    ]);
  });

  test('CONTEST-09: the winner is shown alone for three minutes, then in turn until closing', () => {
    const final = { final_at: '2026-11-27T22:04:00.000Z', shown_until: '2026-11-28T01:00:00.000Z' };
    const contests = [night(final)];
    expect(shown({ contests }, '22:06')).toEqual(['contest']);
    const turn = shown({ contests }, '22:08');
    expect(turn.filter((slide) => slide === 'contest')).toHaveLength(1);
    expect(turn.length).toBe(shown({}, '22:08').length + 1);
    expect(shown({ contests: [night({ ...final, places: [] })] }, '22:06')).not.toContain(
      'contest',
    );
    const after = pagesOf(payload({ contests }), 0, Date.parse('2026-11-28T01:00:00.000Z'));
    expect(after.map(({ slide }) => slide)).not.toContain('contest');
  });

  test('CONTEST-09: if the contest slide is off, no contest is shown', () => {
    const slides = [{ slide: 'week' as const, seconds: 7 }];
    expect(shown({ slides, contests: [night({ only: true })] }, '20:00')).toEqual(['week']);
    expect(
      shown({ slides, contests: [night({ final_at: '2026-11-27T22:04:00.000Z' })] }, '22:05'),
    ).toEqual(['week']);
  });

  test('CONTEST-09: the slide says what counts and the time left, and after the end that games come in', () => {
    const view = (at: string) => {
      const known = payload({ contests: [night()] });
      const now = Date.parse(`2026-11-27T${at}:00.000Z`);
      const pages = pagesOf(known, 0, now);
      return viewOf(
        { payload: known, now, silentSince: null },
        pages,
        turnTo(opening, pages, 0, 0),
      );
    };
    expect(view('21:39').frame).toMatchObject({
      title: 'Friday Night Hoops',
      sub: 'Best three games, together · 21 min left',
      live: true,
    });
    expect(view('22:01').frame).toMatchObject({ sub: 'Last games are coming in', live: false });
  });

  test('PROD-110: the slides are the ones that staff chose, in the chosen order', () => {
    const slides = [
      { slide: 'join' as const, seconds: 30 },
      { slide: 'week' as const, seconds: 7 },
    ];
    expect(pagesOf(payload({ slides }))).toEqual([
      { key: 'join', slide: 'join', seconds: 30 },
      { key: 'week', slide: 'week', seconds: 7 },
    ]);
  });

  test('PROD-111: empty slides are left out, except tonight’s, and the wall is never empty', () => {
    const empty = {
      tonight: [],
      week: [],
      all: [],
      leagues: [],
      season: null,
      achievements: [],
      notices: [],
    };
    expect(keys(pagesOf(payload(empty)))).toEqual(['tonight', 'join']);
    const week = [{ slide: 'week' as const, seconds: 12 }];
    expect(keys(pagesOf(payload({ ...empty, slides: week })))).toEqual(['join']);
    const later = [{ slide: 'jackpot' as 'join', seconds: 12 }];
    expect(keys(pagesOf(payload({ slides: later })))).toEqual(['join']);
  });

  test('SCREEN-08: the notice disappears at its end, even without a connection', () => {
    const until = new Date(NOW + 60_000).toISOString();
    const has = (more: object, now: number, silentFor = 0) =>
      keys(pagesOf(payload(more), silentFor, now)).includes('notice');
    const notices = [{ text: 'Hello', from: null, until }];
    expect(has({ notices }, NOW + 59_999)).toBe(true);
    expect(has({ notices }, NOW + 60_000)).toBe(false);
    expect(has({ notices }, NOW + 3_600_000, 3_600_000)).toBe(false);
    expect(has({}, NOW + 3_600_000)).toBe(true);
    // An earlier version sends no `notices`.
    const earlier = { notices: undefined, notice_until: until };
    expect(has(earlier, NOW + 59_999)).toBe(true);
    expect(has(earlier, NOW + 60_000)).toBe(false);
    expect(has({ notices: undefined, notice: null }, NOW)).toBe(false);
  });

  test('HAND-C14: without a connection, the clock decides which notice is due, the screen’s own first', () => {
    const at = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString();
    const notices = [
      { text: 'Happy hour here', from: at(10), until: at(20) },
      { text: 'Happy hour here', from: at(30), until: at(40) },
      { text: 'League night', from: at(5), until: at(35) },
    ];
    const texts = (of: object, minutes: number) => {
      const now = NOW + minutes * 60_000;
      const known = payload({ ...of, slides: [{ slide: 'notice', seconds: 12 }] });
      const pages = pagesOf(known, minutes * 60_000, now);
      const show = turnTo(opening, pages, 0, 0);
      const { body } = viewOf({ payload: known, now, silentSince: NOW }, pages, show);
      return body.kind === 'notice' ? body.text : body.kind;
    };
    const shown = [0, 5, 10, 19.99, 20, 30, 35, 40].map((minutes) => texts({ notices }, minutes));
    const [none, own, house] = ['join', 'Happy hour here', 'League night'];
    expect(shown).toEqual([none, house, own, own, house, own, own, none]);
    expect(texts({ notices: undefined }, 0)).toBe('Hello');
  });

  test('PROD-111: a league’s matchups after the first four are on a second slide', () => {
    const leagues = [league(...Array.from({ length: 6 }, () => matchup)), league(matchup)];
    const parts = pagesOf(payload({ leagues })).filter(({ slide }) => slide === 'matchups');
    expect(parts).toMatchObject([
      { league: 0, from: 0, to: 4 },
      { league: 0, from: 4, to: 6 },
      { league: 1, from: 0, to: 1 },
    ]);
  });

  test('PROD-114: after more than 12 h without contact, only the top tens are shown', () => {
    expect(pagesOf(payload(), 12 * 3_600_000)).toHaveLength(8);
    expect(keys(pagesOf(payload(), 12 * 3_600_000 + 1))).toEqual(['week', 'all']);
  });
});

describe('PROD-112: a game that lands', () => {
  const pages = pagesOf(payload());
  const at = (key: string, now = 0): Show => turnTo(opening, pages, keys(pages).indexOf(key), now);

  test('is newer than the newest known game; no game lands in the first payload', () => {
    const [old, late, fresh] = [
      game(),
      game({ played_at: new Date(NOW - 90_000).toISOString() }),
      game({ played_at: new Date(NOW).toISOString() }),
    ];
    expect(landed(null, [fresh])).toEqual([]);
    expect(landed([old], [fresh, old])).toEqual([fresh]);
    // An offline machine's old game joins the list without animation.
    expect(landed([old], [old, late])).toEqual([]);
    // The newest game was voided.
    expect(landed([fresh, old], [old, late])).toEqual([]);
    expect(landed([fresh], [late])).toEqual([]);
    expect(landed([], [fresh])).toEqual([fresh]);
    const [here, there] = [payload(), payload({ venue: { ...payload().venue, id: '2' } })];
    expect(comparable(here, payload())).toBe(here);
    expect(comparable(here, there)).toBeNull();
    expect(comparable(null, here)).toBeNull();
  });

  test('shows tonight for 10 s, and then the interrupted slide comes back', () => {
    let show = withGames(at('all'), pages, [game()], 5_000);
    expect(show.key).toBe('tonight');
    expect(atTime(show, pages, 14_999).key).toBe('tonight');
    show = atTime(show, pages, 15_000);
    expect(show.key).toBe('all');
    // The interrupted slide had seven seconds left.
    expect(atTime(show, pages, 21_999).key).toBe('all');
    expect(atTime(show, pages, 22_000).key).toBe('matchups 0 0');
  });

  test('lets the interrupted slide come back for at least 4 s, even after several games', () => {
    let show = withGames(at('week'), pages, [game()], 11_900);
    show = withGames(show, pages, [game()], 15_000);
    expect(atTime(show, pages, 24_999).key).toBe('tonight');
    show = atTime(show, pages, 25_000);
    expect([show.key, show.until]).toEqual(['week', 29_000]);
  });

  test('keeps no other slide away for more than 20 s, even if a game lands every 3 s', () => {
    let show = at('week', 0);
    const seen = new Set<string>();
    for (let now = 1_000; now < 2_000_000; now += 1_000) {
      show = atTime(show, pages, now);
      seen.add(show.key);
      if (now % 3_000 === 0) show = withGames(show, pages, [game()], now);
      if (show.key === 'tonight') expect(now - show.since).toBeLessThanOrEqual(20_000);
    }
    expect(seen).toEqual(new Set(keys(pages)));
  });

  test('takes the wall for 8 s with a personal best, at most once a minute', () => {
    const best = game({ beat: 262 });
    let show = withGames(at('week'), pages, [best], 1_000);
    expect(show).toMatchObject({ best: { game: best }, until: 9_000 });
    show = withGames(show, pages, [game({ beat: 1 })], 5_000);
    expect(show).toMatchObject({ best: { game: best }, until: 9_000 });
    show = atTime(show, pages, 9_000);
    expect(show).toMatchObject({ key: 'tonight', best: null, until: 19_000 });
    expect(withGames(show, pages, [game({ beat: 1 })], 60_999).best).toBeNull();
    expect(withGames(show, pages, [game({ beat: 1 })], 61_000).best).not.toBeNull();
  });

  test('does not fill the wall when a player without a name beats their own best', () => {
    expect(withGames(at('week'), pages, [game({ beat: 1, ...nobody })], 0)).toMatchObject({
      key: 'tonight',
      best: null,
    });
  });

  describe('HAND-T2: the three headings for a record', () => {
    const row = (score: number, username: string | null) => ({
      ...nobody,
      username,
      place: 1,
      score,
    });
    const boards = { all: [row(592, 'bob'), row(400, 'ann')], week: [row(450, 'ann')] };
    const show = (...games: Parameters<typeof game>[0][]) =>
      withGames(at('week'), pages, games.map(game), 0, boards).best;

    test('a game above the house record is a house record, shown with the previous one', () => {
      expect(show({ score: 593, beat: 500 })).toMatchObject({
        head: 'House record',
        more: 1,
        before: { score: 592, username: 'bob' },
      });
      expect(show({ score: 592 })?.head).toBe('Best of the week');
    });

    test('a game below the house record can be the best of the week', () => {
      expect(show({ score: 451, beat: null })).toMatchObject({
        head: 'Best of the week',
        more: 1,
        before: null,
      });
      expect(show({ score: 450, beat: 400 })).toMatchObject({ head: 'Personal best', more: 50 });
    });

    test('a game of a player without a name has each heading except Personal best', () => {
      expect(show({ score: 593, ...nobody })?.head).toBe('House record');
      expect(show({ score: 451, ...nobody })?.head).toBe('Best of the week');
      expect(show({ score: 440, beat: 1, ...nobody })).toBeNull();
    });

    test('the best of several new games is shown, but no record if the boards are unknown', () => {
      expect(show({ score: 451 }, { score: 600 }, { score: 449, beat: 1 })?.game.score).toBe(600);
      expect(withGames(at('week'), pages, [game({ score: 900 })], 0).best).toBeNull();
    });

    test('a better game that came while the line was lost keeps the record', () => {
      const after = { all: [row(700, 'eve')], week: [row(600, 'eve')] };
      const best = (...scores: number[]) => {
        const games = scores.map((score) => game({ score }));
        return withGames(at('week'), pages, games, 0, boards, after).best;
      };
      expect(best(620)?.head).toBe('Best of the week');
      expect(best(599)).toBeNull();
      // Of two records in one answer, the higher one, although the other is newer.
      expect(best(620, 700)).toMatchObject({ head: 'House record', game: { score: 700 } });
    });

    test('a game without a name is shown with its hoop and the previous record', () => {
      const data = payload();
      const view = (before: string | null) => {
        const all = [row(592, before)];
        const one = game({ score: 600, ...nobody });
        const next = withGames(atTime(opening, pages, 0), pages, [one], 0, { all, week: [] });
        return viewOf({ payload: data, now: NOW, silentSince: null }, pages, next).body;
      };
      expect(view('bob')).toMatchObject({
        head: 'House record',
        before: 'before: 592, BOB',
        player: { machine: game().machine },
      });
      expect(view(null)).toMatchObject({ before: 'before: 592' });
    });
  });

  test('a record changes nothing on a screen whose tonight slide is off', () => {
    const others = pages.filter(({ slide }) => slide !== 'tonight');
    const show = turnTo(opening, others, 0, 0);
    expect(withGames(show, others, [game({ beat: 1 })], 0)).toBe(show);
  });
});

test('PROD-110: slides repeat in a cycle, even when a slide disappears', () => {
  const pages = pagesOf(payload());
  let show = atTime(opening, pages, 0);
  const seen = [show.key];
  for (let now = 0; seen.length < 10; now += 250) {
    show = atTime(show, pages, now);
    if (show.key !== seen[seen.length - 1]) seen.push(show.key);
  }
  expect(seen).toEqual([...keys(pages), 'tonight', 'week']);
  const fewer = pages.filter(({ key }) => key !== 'week');
  expect(atTime(show, fewer, 200_000).key).toBe('tonight');
});

describe('what a slide says', () => {
  function body(data: ScreenAnswer, key: string, silentSince: number | null = null): Body {
    const pages = pagesOf(data);
    const show = turnTo(opening, pages, keys(pages).indexOf(key), 0);
    return viewOf({ payload: data, now: NOW, silentSince }, pages, show).body;
  }

  test('PROD-112: a game is “just now” for a minute, then has the venue’s time', () => {
    const played = (secondsAgo: number, silent: number | null = null) =>
      body(
        payload({
          tonight: [game({ played_at: new Date(NOW - secondsAgo * 1000).toISOString() })],
        }),
        'tonight',
        silent,
      );
    expect(played(59)).toMatchObject({ newest: { time: 'just now' } });
    expect(played(60)).toMatchObject({ newest: { time: '21:15' } });
    expect(played(20, NOW - 30_000)).toMatchObject({ newest: { time: '21:16' } });
    expect(body(payload({ tonight: [] }), 'tonight')).toEqual({ kind: 'quiet' });
  });

  test('HAND-53, HAND-54: every game without a name is shown under its hoop in the same way', () => {
    const played_at = new Date(NOW - 120_000).toISOString();
    const nameless = { ...nobody, played_at, beat: 1 };
    const shown = body(
      payload({ tonight: [game(nameless), game(nameless), game(nameless)] }),
      'tonight',
    );
    const row = {
      ...nobody,
      name: 'Hoop 1',
      machine: 'Hoop 1',
      sub: '21:14',
      score: 300,
      best: true,
    };
    expect(shown).toEqual({
      kind: 'tonight',
      newest: { ...row, time: '21:14' },
      rows: [row, row],
    });
    expect(['Hoop 12', 'Court 1234', 'Bar'].map(hoopNumber)).toEqual(['12', '234', 'B']);
  });

  test('HAND-T3: consecutive games of a player share a row, with the best score and the newest time', () => {
    const at = (minutes: number, more: Partial<Game>) =>
      game({ played_at: new Date(NOW - minutes * 60_000).toISOString(), ...more });
    const bob = { username: 'Bob' };
    const shown = body(
      payload({
        tonight: [
          at(1, bob),
          at(2, { ...bob, score: 310 }),
          at(3, { ...bob, score: 402, beat: 390 }),
          at(4, {}),
          at(5, bob),
        ],
      }),
      'tonight',
    );
    expect(shown).toMatchObject({
      newest: { name: 'BOB' },
      rows: [
        { name: 'BOB × 2', score: 402, sub: 'Hoop 1 · 21:14', best: true },
        { name: 'ANN', score: 300, best: false },
        { name: 'BOB', score: 300 },
      ],
    });
  });

  test('PROD-114: a screen is live while connected, then shows the time of the last contact', () => {
    const data = payload();
    const pages = pagesOf(data);
    const frame = (silentSince: number | null) =>
      viewOf({ payload: data, now: NOW, silentSince }, pages, turnTo(opening, pages, 0, 0)).frame;
    expect(frame(null)).toMatchObject({ live: true, asOf: '', clock: '21:16', quarters: 8 });
    expect(frame(NOW - 15 * 60_000)).toMatchObject({ live: false, asOf: '21:01', clock: '21:16' });
  });

  test('PROD-111: matchups say who is ahead, level, or without an opponent', () => {
    const leagues = [
      league(
        matchup,
        { home: team('A', 500), away: team('B', 500) },
        { home: team('C', 0), away: team('D', 0) },
        { home: team('E', 100), away: null },
      ),
    ];
    expect(body(payload({ leagues }), 'matchups 0 0')).toEqual({
      kind: 'matchups',
      ties: [
        {
          home: { team: 'Bankers', total: 6872, games: '29 of 40 games', label: null },
          away: { team: 'Reapers', total: 6912, games: '29 of 40', label: 'Ahead by 40' },
        },
        {
          home: { team: 'A', total: 500, games: '29 of 40', label: 'Level' },
          away: { team: 'B', total: 500, games: '29 of 40', label: 'Level' },
        },
        {
          home: { team: 'C', total: 0, games: '29 of 40 games', label: null },
          away: { team: 'D', total: 0, games: '29 of 40 games', label: null },
        },
        { home: { team: 'E', total: 100, games: '29 of 40 games', label: null }, away: null },
      ],
    });
    const pages = pagesOf(payload());
    const view = viewOf(
      { payload: payload(), now: NOW, silentSince: null },
      pages,
      turnTo(opening, pages, 3, 0),
    );
    expect(view.frame).toMatchObject({
      title: 'Dockside League',
      sub: 'Week 5 of 10 · closes Tuesday',
    });
  });

  test('HAND-T1: next week’s matchups follow this week’s matchups, or replace them', () => {
    const next = {
      week: 6,
      matchups: [
        { home: 'Bankers', away: 'Slam' },
        { home: 'Reapers', away: null },
      ],
    };
    const both = payload({ leagues: [{ ...league(matchup), next }] });
    const parts = (one: ScreenAnswer) =>
      pagesOf(one)
        .filter(({ slide }) => slide === 'matchups')
        .map(({ key, seconds }) => `${key}: ${seconds} s`);
    expect(parts(both)).toEqual(['matchups 0 0: 20 s', 'next 0 0: 12 s']);
    expect(parts(payload({ leagues: [{ ...league(), next }] }))).toEqual(['next 0 0: 12 s']);
    expect(body(both, 'next 0 0')).toEqual({ kind: 'next', ties: next.matchups });
    const pages = pagesOf(both);
    const at = pages.findIndex(({ key }) => key === 'next 0 0');
    const view = viewOf(
      { payload: both, now: NOW, silentSince: null },
      pages,
      turnTo(opening, pages, at, 0),
    );
    expect(view.frame).toMatchObject({
      title: 'Dockside League',
      sub: 'Next week · Week 6 of 10',
      live: false,
    });
    // Stored by an earlier version.
    const { next: _, ...older } = league(matchup);
    expect(parts(payload({ leagues: [older as ReturnType<typeof league>] }))).toEqual([
      'matchups 0 0: 20 s',
    ]);
  });

  test('HAND-T6: the slide says when the week closes', () => {
    const monday = Date.parse('2026-11-23T00:00:00Z');
    const at = (ms: number) => closesText(monday, monday - ms, { utc_offset: 0 });
    expect(at(30 * 3_600_000)).toBe('closes Sunday');
    expect(at(23 * 3_600_000)).toBe('closes tonight');
    expect(at(3_600_000)).toBe('closes tonight');
    expect(at(40 * 60_000)).toBe('closes in 40 min');
    expect(at(1)).toBe('closes in 1 min');
    expect(at(0)).toBe('closed');
    const ahead = { utc_offset: 60 };
    expect(closesText(monday - 3_600_000, monday - 26 * 3_600_000, ahead)).toBe('closes Sunday');
  });

  test('PROD-114: times after the next change of the clock are right before it comes', () => {
    const change = { at: '2026-10-25T01:00:00.000Z', utc_offset: 60 };
    const amsterdam = { utc_offset: 120, utc_change: change };
    const [tuesday, saturday, midnight] = [
      '2026-10-20T12:00:00Z',
      '2026-10-24T18:00:00Z',
      '2026-10-25T23:00:00Z',
    ].map((time) => Date.parse(time)) as [number, number, number];
    expect(closesText(midnight, tuesday, amsterdam)).toBe('closes Sunday');
    expect(timeText(saturday, tuesday, amsterdam)).toBe('Sat 24 Oct, 20:00');
    expect(timeText(saturday + 86_400_000, tuesday, amsterdam)).toBe('Sun 25 Oct, 19:00');
    expect(clockText(Date.parse(change.at) - 1, amsterdam)).toBe('02:59');
    expect(clockText(Date.parse(change.at), amsterdam)).toBe('02:00');
  });

  test('PROD-112: a personal best says by how much it beats the previous best', () => {
    const data = payload();
    const pages = pagesOf(data);
    const show = withGames(atTime(opening, pages, 0), pages, [game({ score: 402, beat: 364 })], 0);
    expect(viewOf({ payload: data, now: NOW, silentSince: null }, pages, show)).toMatchObject({
      body: { kind: 'best', head: 'Personal best', before: null, score: 402, more: 38 },
    });
  });
});
