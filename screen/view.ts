import { whatCounts } from '#contract/rules/contests.ts';
import { inFull } from '#contract/rules/games.ts';
import type { Ruling } from '#contract/wire/leagues.ts';
import type { ScreenAnswer } from '#contract/wire/screens.ts';
import { nameOf, type Person } from './jersey.ts';
import { noticeText, PAIRINGS_OF_A_SLIDE, type Page, shownPairings } from './pages.ts';
import type { Game, Show, Star } from './show.ts';
import { clockText, closesText, timeLeft, timeText } from './time.ts';

/** How long a game is "just now" (PROD-112). */
const JUST_NOW_MS = 60_000;

export type Frame = {
  title: string;
  sub: string;
  live: boolean;
  clock: string;
  venue: string;
  quarters: number;
  at: number;
  /** The last contact while the connection is lost, otherwise empty. */
  asOf: string;
  /** An address for people to type, without `https://`. */
  address: string;
};

/** `name`: the player's, or the machine's where the player has none (HAND-53). */
type Row = Person & { name: string; machine: string; sub: string; score: number; best: boolean };
type Place = Person & { place: number; score: number };
/**
 * A matchup's team. `games`: `29 of 40 games`. `label`: by how much it leads, that it is level, or
 * how the matchup was decided.
 */
export type Side = { team: string; total: number; games: string; label: string | null };

/** A row of a season's table. `record`: won, drawn, lost as `8–0–2`. `total` null: not shown. */
export type Team = { place: string; team: string; record: string; total: number | null };

/** A side of a cup's pairing. `won` is null until the pairing is decided. */
type CupLine = { name: string; sum: string; won: boolean | null; leads: boolean };
/** `state`: decided, begun or to come. `live`: its window is open, and it is not decided. */
export type CupPair = {
  state: 'over' | 'now' | 'to-come';
  live: boolean;
  third: boolean;
  a: CupLine;
  b: CupLine;
};

export type Body =
  | { kind: 'tree'; columns: { title: string; pairs: CupPair[] }[] }
  | { kind: 'round'; pairs: CupPair[] }
  | { kind: 'tonight'; newest: Row & { time: string }; rows: Row[] }
  | { kind: 'quiet' }
  | {
      kind: 'best';
      head: string;
      before: string | null;
      player: Person & { machine: string };
      score: number;
      more: number;
    }
  | { kind: 'ten'; places: Place[] }
  | { kind: 'matchups'; ties: { home: Side; away: Side | null }[] }
  | { kind: 'next'; ties: { home: string; away: string | null; ruling?: Ruling | undefined }[] }
  | { kind: 'season'; word: string; plate: boolean; first: Team | null; rows: Team[] }
  /** `over`: nobody can play any more, and the last games are coming in. */
  | { kind: 'contest'; places: Place[]; url: string; prize: string | null; over: boolean }
  /** `score` null: not shown. */
  | { kind: 'winner'; places: (Person & { place: number; score: number | null })[] }
  | { kind: 'won'; tiles: (Person & { name: string; icon: string })[] }
  | { kind: 'join'; url: string }
  | { kind: 'notice'; text: string }
  | { kind: 'pair'; code: string; minutes: number; url: string };

export type View = { key: string; frame: Frame; body: Body };

/** The venue's latest data. Times are ms since 1970, by the server's clock. */
export type Known = {
  payload: ScreenAnswer;
  now: number;
  /** When the server last sent a message; null while connected. */
  silentSince: number | null;
};

const bare = (url: string) => url.replace(/^https?:\/\//, '').replace(/\/$/, '');

const LIVE = ['tonight', 'best', 'contest'];
const COMING_IN = 'Last games are coming in';

/** Whether a pairing that is shown is being played. */
function isPlayed(body: Body): boolean {
  const isLive = ({ live }: CupPair) => live;
  if (body.kind === 'tree') return body.columns.some(({ pairs }) => pairs.some(isLive));
  return body.kind === 'round' && body.pairs.some(isLive);
}

/** The current slide as data. Equal views are not redrawn. */
export function viewOf(known: Known, pages: readonly Page[], show: Show): View {
  const { payload, now, silentSince } = known;
  const zone = payload.venue;
  const at = Math.max(
    0,
    pages.findIndex(({ key }) => key === show.key),
  );
  const page = pages[at] as Page;
  const online = silentSince === null;
  const [title, sub, body] = contentOf(known, page, show.best);
  return {
    key: show.best === null ? page.key : `best ${show.best.game.id}`,
    frame: {
      title,
      sub,
      live:
        online &&
        ((page.slide === 'matchups' && !page.next) ||
          LIVE.indexOf(body.kind) !== -1 ||
          isPlayed(body)) &&
        sub !== COMING_IN,
      clock: clockText(now, zone),
      venue: payload.venue.name,
      quarters: pages.length,
      at,
      asOf: online ? '' : clockText(silentSince, zone),
      address: bare(payload.signup_url.replace(/\/signup$/, '')),
    },
    body,
  };
}

function contentOf(
  known: Known,
  page: Page,
  best: Star | null,
): [title: string, sub: string, body: Body] {
  const { payload, now } = known;
  if (best !== null)
    return [
      'Tonight',
      '',
      {
        kind: 'best',
        head: best.head,
        before: beforeText(best),
        player: best.game,
        score: best.game.score,
        more: best.more,
      },
    ];
  switch (page.slide) {
    case 'tonight':
      return ['Tonight', '', tonightBody(known)];
    case 'week':
      return ['This week', 'Best game of each player, here', ten(payload.week)];
    case 'all':
      return ['All time', 'Best game of each player, here', ten(payload.all)];
    case 'matchups': {
      const league = payload.leagues[page.league];
      if (league === undefined) return ['Matchups', '', { kind: 'matchups', ties: [] }];
      if (page.next) {
        const { week = 0, matchups = [] } = league.next ?? {};
        return [
          league.name,
          `Next week · Week ${week} of ${league.weeks}`,
          { kind: 'next', ties: matchups.slice(page.from, page.to) },
        ];
      }
      const closes = closesText(Date.parse(league.closes_at), now, payload.venue);
      return [
        league.name,
        `Week ${league.week} of ${league.weeks} · ${closes}`,
        { kind: 'matchups', ties: league.matchups.slice(page.from, page.to).map(tie) },
      ];
    }
    case 'season':
      return seasonContent(payload.season, page.from, page.to);
    case 'contest':
      return contestOf(known, page);
    case 'cup':
      return cupOf(known, page);
    case 'achievements':
      return [
        'Won tonight',
        '',
        {
          kind: 'won',
          tiles: payload.achievements.map(({ name, icon, ...won }) => ({
            ...person(won),
            name,
            icon,
          })),
        },
      ];
    case 'join':
      return ['Play here', '', { kind: 'join', url: payload.signup_url }];
    case 'notice':
      return ['From the house', '', { kind: 'notice', text: noticeText(payload, now) ?? '' }];
  }
}

function beforeText({ before }: Star): string | null {
  if (before === null) return null;
  return before.username === null
    ? `before: ${inFull(before.score)}`
    : `before: ${inFull(before.score)}, ${before.username.toUpperCase()}`;
}

function seasonContent(
  season: ScreenAnswer['season'],
  from: number,
  to: number,
): [title: string, sub: string, body: Body] {
  if (season === null)
    return ['Season', '', { kind: 'season', word: '', plate: false, first: null, rows: [] }];
  const { league, name, state, weeks, rows, by_cup } = season;
  const all = rows.slice(from, to).map(({ place, team, won, drawn, lost, total }) => ({
    place: place === null ? '–' : String(place),
    team,
    record: `${won}–${drawn}–${lost}`,
    total,
  }));
  const first = from === 0 ? (all[0] ?? null) : null;
  const words = {
    running: `table after week ${weeks}`,
    grace: 'not final yet',
    final: 'final table',
  };
  const firstWords = {
    running: '1st',
    grace: 'Not final yet',
    final: by_cup ? 'Won the table' : 'Champions',
  };
  return [
    league,
    `${name} · ${words[state]}`,
    {
      kind: 'season',
      word: firstWords[state],
      plate: state === 'running',
      first,
      rows: first === null ? all : all.slice(1),
    },
  ];
}

function contestOf(
  { payload, now }: Known,
  page: Extract<Page, { slide: 'contest' }>,
): [title: string, sub: string, body: Body] {
  const contest = payload.contests.find(({ code }) => code === page.code);
  if (contest === undefined) return ['Contest', '', { kind: 'winner', places: [] }];
  const { name, scoring, n, ends_at, url, prize } = contest;
  const { places } = ten(contest.places);
  if (page.winner) return [name, '', { kind: 'winner', places }];
  const left = Date.parse(ends_at) - now;
  const what = whatCounts(scoring, n);
  const rule = what.charAt(0).toUpperCase() + what.slice(1);
  const sub = left > 0 ? `${rule} · ${timeLeft(left)} left` : COMING_IN;
  return [name, sub, { kind: 'contest', places, url, prize, over: left <= 0 }];
}

type Cup = ScreenAnswer['cups'][number];
type CupPairing = Cup['rounds'][number]['pairings'][number];

/** Without a name, only the seed follows “A player”, because longer text would be cut. */
const cupSideName = ({ seed, team, username, from }: CupPairing['a']): string =>
  team ?? username ?? from ?? (seed === null ? '–' : `A player (${seed})`);

function cupPair(pairing: CupPairing, round: Cup['rounds'][number], now: number): CupPair {
  const { a, b, winner, decided, games, third } = pairing;
  const begun = Date.parse(pairing.starts_at ?? round.starts_at) <= now;
  const over = Date.parse(pairing.ends_at ?? round.ends_at) <= now;
  const live = begun && !over && !decided;
  // The window may have begun after the last read.
  const sums = pairing.sums ?? (live && a.seed !== null && b.seed !== null ? [0, 0] : null);
  const ahead = sums === null ? 0 : (sums[0] as number) - (sums[1] as number);
  // An earlier version sent no games.
  const nobodyCame = (at: 0 | 1) => (games ? games[at] === 0 : false);
  const line = (side: CupPairing['a'], at: 0 | 1): CupLine => ({
    name: cupSideName(side),
    sum: sums === null ? '' : decided && nobodyCame(at) ? '–' : inFull(sums[at] as number),
    won: decided ? winner !== null && winner === side.seed : null,
    leads: at === 0 ? ahead > 0 : ahead < 0,
  });
  const state = decided ? 'over' : begun ? 'now' : 'to-come';
  return { state, live, third, a: line(a, 0), b: line(b, 1) };
}

/** Undecided and close pairings first (CUP-32). */
function byCloseness(one: CupPairing, other: CupPairing): number {
  if (one.decided !== other.decided) return one.decided ? 1 : -1;
  const gap = ({ sums }: CupPairing) =>
    sums === null ? 1e9 : Math.abs((sums[0] as number) - (sums[1] as number));
  return gap(one) - gap(other);
}

function cupOf(
  { payload, now }: Known,
  page: Extract<Page, { slide: 'cup' }>,
): [title: string, sub: string, body: Body] {
  const cup = (payload.cups || []).find(({ id }) => id === page.id);
  const round = cup?.rounds[page.round];
  if (cup === undefined || round === undefined) return ['Cup', '', { kind: 'round', pairs: [] }];
  if (page.show === 'won') return cupWon(cup);
  const zone = payload.venue;
  const begins = Date.parse(round.starts_at);
  const left = Date.parse(round.ends_at) - now;
  const time =
    begins > now
      ? `begins ${timeText(begins, now, zone)}`
      : left > 0
        ? `${timeLeft(left)} left`
        : COMING_IN;
  if (page.show === 'round') {
    const pairings = shownPairings(round);
    const pages = Math.ceil(pairings.length / PAIRINGS_OF_A_SLIDE);
    const pairs = pairings.sort(byCloseness).slice(page.from, page.from + PAIRINGS_OF_A_SLIDE);
    return [
      round.name,
      `${cup.name} · page ${page.from / PAIRINGS_OF_A_SLIDE + 1} of ${pages} · ${time}`,
      { kind: 'round', pairs: pairs.map((one) => cupPair(one, round, now)) },
    ];
  }
  // Show the quarter-finals and what follows, in at most three columns.
  const shown = cup.rounds.slice(Math.max(0, cup.rounds.length - 3));
  return [
    cup.name,
    `${round.name} · ${time} · best ${cup.best} of ${cup.of} games`,
    {
      kind: 'tree',
      columns: shown.map((one) => {
        const start = Date.parse(one.starts_at);
        return {
          title: start > now ? `${one.name}, ${timeText(start, now, zone)}` : one.name,
          pairs: one.pairings.map((pairing) => cupPair(pairing, one, now)),
        };
      }),
    },
  ];
}

/** The champion, the other side of the final and the third, with the points of their last pairing. */
function podium({ rounds }: Cup): { side: CupPairing['a']; sum: number | null }[] {
  const last = rounds[rounds.length - 1];
  const decided = (last ? last.pairings : []).filter(({ winner }) => winner !== null);
  const placed = (third: boolean, isWinner: boolean) =>
    decided
      .filter((pairing) => pairing.third === third)
      .map(({ a, b, winner, sums, games }) => {
        const at = (a.seed === winner) === isWinner ? 0 : 1;
        const played = sums !== null && games !== null && (games[at] as number) > 0;
        return { side: at === 0 ? a : b, sum: played ? (sums[at] as number) : null };
      });
  return [...placed(false, true), ...placed(false, false), ...placed(true, true)].filter(
    ({ side }) => side.seed !== null,
  );
}

/**
 * The first three of a cup: players as on a contest's winner slide, teams as on a season's slide.
 */
function cupWon(cup: Cup): [title: string, sub: string, body: Body] {
  const { name, champion } = cup;
  if (champion === null) return [name, '', { kind: 'winner', places: [] }];
  const all = podium(cup);
  if (champion.team === null) {
    const places = all.map(({ side, sum }, at) => ({
      ...person(side),
      place: at + 1,
      score: sum,
    }));
    return [name, '', { kind: 'winner', places }];
  }
  const [first = null, ...rows] = all.map(({ side, sum }, at) => {
    return { place: String(at + 1), team: side.team || '', record: '', total: sum };
  });
  return [name, 'Won the cup', { kind: 'season', word: 'Champions', plate: false, first, rows }];
}

const person = ({ username, avatar_color, jersey_number }: Person): Person => ({
  username,
  avatar_color,
  jersey_number,
});

const ten = (rows: ScreenAnswer['all']) => ({
  kind: 'ten' as const,
  places: rows.map((row) => ({ ...person(row), place: row.place, score: row.score })),
});

/** Consecutive games of a player, newest first. */
type Run = [Game, ...Game[]];

/** Joins consecutive games of a player; games without a name stay apart (HAND-T3). */
function runsOf(games: readonly Game[]): Run[] {
  const runs: Run[] = [];
  for (const game of games) {
    const run = runs[runs.length - 1];
    if (run !== undefined && game.username !== null && run[0].username === game.username)
      run.push(game);
    else runs.push([game]);
  }
  return runs;
}

function tonightBody({ payload, now, silentSince }: Known): Body {
  const zone = payload.venue;
  const timeOf = ({ played_at }: Game) => clockText(Date.parse(played_at), zone);
  const rowOf = ([game, ...earlier]: Run): Row => ({
    ...person(game),
    name:
      game.username === null
        ? game.machine
        : earlier.length === 0
          ? nameOf(game)
          : `${nameOf(game)} × ${earlier.length + 1}`,
    machine: game.machine,
    sub: game.username === null ? timeOf(game) : `${game.machine} · ${timeOf(game)}`,
    score: Math.max(game.score, ...earlier.map(({ score }) => score)),
    best: [game, ...earlier].some(({ beat }) => beat !== null),
  });
  const [newest, ...others] = payload.tonight;
  if (newest === undefined) return { kind: 'quiet' };
  const recent = silentSince === null && now - Date.parse(newest.played_at) < JUST_NOW_MS;
  return {
    kind: 'tonight',
    newest: {
      ...rowOf([newest]),
      time: recent ? 'just now' : timeOf(newest),
    },
    rows: runsOf(others).slice(0, 5).map(rowOf),
  };
}

type Matchup = ScreenAnswer['leagues'][number]['matchups'][number];

/** The label of one side of a matchup with a ruling (SEASON-30); null for the side that loses. */
export function ruledLabel(ruling: Ruling, side: 'home' | 'away'): string | null {
  if (ruling === 'annulled') return 'Annulled';
  if (ruling === 'both_lose') return 'Both lose';
  return ruling === side ? 'Wins by forfeit' : null;
}

function labelOf(own: Matchup['home'], other: Matchup['away']): string | null {
  const ahead = other === null ? 0 : own.total - other.total;
  // At 0 to 0 nobody has played, so the teams are not level.
  const level = other !== null && ahead === 0 && own.total > 0;
  return ahead > 0 ? `Ahead by ${inFull(ahead)}` : level ? 'Level' : null;
}

function sideOf(own: Matchup['home'], label: string | null): Side {
  const played = `${own.games} of ${own.games_max}`;
  return {
    team: own.team,
    total: own.total,
    // Beside a label there is no room for the word.
    games: label === null ? `${played} games` : played,
    label,
  };
}

function tie({ home, away, ruling }: Matchup): { home: Side; away: Side | null } {
  const label = (side: 'home' | 'away', own: Matchup['home'], other: Matchup['away']) =>
    ruling === undefined ? labelOf(own, other) : ruledLabel(ruling, side);
  return {
    home: sideOf(home, label('home', home, away)),
    away: away === null ? null : sideOf(away, label('away', away, home)),
  };
}

/**
 * An unpaired television's slide. `code` is empty until the server has sent one. `keeps`: whether
 * the television keeps its pairing through a power cut (PROD-167).
 */
export function pairingView(code: string, msLeft: number, url: string, keeps: boolean): View {
  const minutes = Math.max(1, Math.ceil(msLeft / 60_000));
  return {
    key: `pair ${code}`,
    frame: {
      title: 'Pair this screen',
      sub: keeps ? '' : 'Its browser blocks stored data: allow it, or pair again after each start',
      live: false,
      clock: '',
      venue: '',
      quarters: 0,
      at: 0,
      asOf: '',
      address: bare(url).replace(/\/screens\?pair$/, ''),
    },
    body: { kind: 'pair', code, minutes, url },
  };
}
