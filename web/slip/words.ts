import { LATE_MS, ordinal } from '#contract/rules/games.ts';
import { recentTime, weekdayAndDay } from '../ui/dates.ts';
import { plain } from '../ui/Marked.tsx';
import { clockTime } from '../ui/times.ts';
import { SIGNS, type Sign } from './signs.ts';
import { bestOfSlip, type Slip, type SlipGame } from './slip.ts';

/**
 * Each sentence is one string, because it will be translated. A part between `**` is bold
 * (ui/Marked.tsx).
 */

/** The head of the slip (HAND-10, HAND-13, HAND-17). */
export function headOf({ games }: Slip): string {
  const [game] = games;
  if (game === undefined) return '';
  const machines = new Set(games.map(({ machine }) => machine));
  if (games.length > 1)
    return machines.size === 1
      ? `${games.length} games on ${game.machine}`
      : `${games.length} games`;
  if (game.released) return 'Your held game';
  return game.late ? `Late game, ${game.machine}` : `Your game on ${game.machine}`;
}

/** When the games were played. `fresh`: the slip is live and less than a minute old. */
export function timeOf({ games }: Slip, now: Date, fresh: boolean): string {
  const [game] = games;
  if (game === undefined) return '';
  const at = new Date(game.played_at);
  if (games.length > 1) {
    const first = games.map(({ played_at }) => played_at).sort()[0] ?? game.played_at;
    return `${recentTime(new Date(first), now)} to ${recentTime(at, now)}`;
  }
  if (game.late || game.released) return `${weekdayAndDay(at, now)}, ${clockTime(at)}`;
  // A restored game lands again, long after it was played.
  const isOld = now.getTime() - at.getTime() > LATE_MS;
  return fresh && !isOld ? 'just now' : recentTime(at, now);
}

const DAY_MS = 24 * 3_600_000;

function dayOf(ms: number): string {
  const at = new Date(ms);
  const pad = (n: number) => String(n).padStart(2, '0');
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;
}

/**
 * The first and last day (`YYYY-MM-DD`) of the league week in which a game was played, counted back
 * from the running week, which began at `opensAt`.
 */
export function weekOf(playedAt: string, opensAt: string): [string, string] {
  const opens = new Date(opensAt);
  const played = Date.parse(playedAt);
  // By the date, because a week with a clock change does not have 168 hours.
  while (opens.getTime() > played) opens.setDate(opens.getDate() - 7);
  // Noon, so that a clock change does not move the date.
  const monday = opens.getTime() + DAY_MS / 2;
  return [dayOf(monday), dayOf(monday + 6 * DAY_MS)];
}

type Row = { sign: Sign; title: string; under: string | null };

function addedWords({ added }: Slip): string | null {
  if (added === null || added.points === 0) return null;
  if (added.points < 0) return `−${-added.points} this week`;
  return added.replaced === null
    ? `+${added.points} this week`
    : `+${added.points} this week, replaces your ${added.replaced}`;
}

const isForTeam = (game: SlipGame, team: string | null) => game.team === null || game.team === team;

/** What one game counted for, in the words of the court (HAND-12). */
export function countedRow(slip: Slip, game: SlipGame): Row {
  const sign = SIGNS[game.counts];
  switch (game.counts) {
    case 'league': {
      const title = isForTeam(game, slip.team)
        ? 'Counted for your team'
        : `Counted for ${game.team}`;
      const under = game.thisWeek === false ? 'In the week it was played' : addedWords(slip);
      return { sign, title, under: isForTeam(game, slip.team) ? under : null };
    }
    case 'bench':
      return {
        sign,
        title: 'Bench',
        under: game.place === null ? null : `${ordinal(game.place)} best. The top 4 count.`,
      };
    case 'over_8':
      return { sign, title: 'Over 8 games', under: 'For you, not for your team' };
    case 'league_mode_off':
      return { sign, title: 'League mode was off', under: 'For you, not for your team' };
    case 'no_team':
      return { sign, title: 'Counted for you', under: 'You had no team' };
    case 'off_season':
      return { sign, title: 'No season was running', under: 'For you' };
    case 'paused':
      return { sign, title: 'The week was postponed', under: 'For you' };
    case 'held':
      return {
        sign,
        title: 'Held for review',
        under: "Staff check it first. You'll hear either way.",
      };
    case 'void':
      return { sign, title: 'Taken out', under: null };
  }
}

function oneOfSeveral({ score, counts, team }: SlipGame, own: string | null): string {
  switch (counts) {
    case 'league':
      return team === null || team === own
        ? `${score} counted for your team`
        : `${score} counted for ${team}`;
    case 'bench':
      return `${score} is on the bench`;
    case 'over_8':
      return `${score} was over 8 games`;
    case 'league_mode_off':
      return `${score}, league mode was off`;
    case 'no_team':
      return `${score} counted for you`;
    case 'off_season':
      return `${score}, no season was running`;
    case 'paused':
      return `${score}, the week was postponed`;
    case 'held':
      return `${score} is held for review`;
    case 'void':
      return `${score} was taken out`;
  }
}

/** The most games that have a row (HAND-13). */
const ROWS_MOST = 3;

/**
 * The game whose row says what all of them added: the newest league game of the week, otherwise the
 * newest game.
 */
const bearerOf = ({ games, team }: Slip): SlipGame | undefined =>
  games.find((game) => game.counts === 'league' && game.thisWeek && isForTeam(game, team)) ??
  games[0];

/** A row for each game, newest first, at most `ROWS_MOST` (HAND-13). */
export function severalRows(slip: Slip): Row[] {
  const best = bestOfSlip(slip);
  const bearer = bearerOf(slip);
  const listed = slip.games.slice(0, ROWS_MOST);
  return listed.map((game) => {
    const under = [
      game === best && game !== listed[0] && `Personal best, +${game.over}`,
      game === bearer && addedWords(slip),
      game.counts === 'bench' && game.place !== null && `${ordinal(game.place)} best`,
    ].filter(Boolean);
    return {
      sign: SIGNS[game.counts],
      title: oneOfSeveral(game, slip.team),
      under: under.length === 0 ? null : under.join(' · '),
    };
  });
}

/** How many games have no row. */
export const unlisted = ({ games }: Slip) => Math.max(0, games.length - ROWS_MOST);

/** What the games added, if the row that would say so is left out. */
export function unlistedWords(slip: Slip): string | null {
  const bearer = bearerOf(slip);
  return slip.games.slice(ROWS_MOST).some((game) => game === bearer) ? addedWords(slip) : null;
}

/** What the next league game has to beat (HAND-14). */
export function beatRow({ beat, left }: Slip): { title: string; under: string | null } | null {
  if (beat === null) return null;
  if (beat.kind === 'done') return { title: 'All 8 played', under: null };
  if (beat.kind === 'any')
    return {
      title: `${beat.taken} of 4 places taken`,
      under: left === 1 ? '1 league game left' : `${left} league games left`,
    };
  return {
    title: `Now beat ${beat.score}`,
    under:
      left === 1
        ? 'Your new 4th best, 1 league game left'
        : `Your new 4th best, ${left} league games left`,
  };
}

/**
 * How the lead changed (HAND-15); null without an opponent, without a fresh game for the team, or
 * if the total fell.
 */
export function leadSentence({ swing, added, next }: Slip): string | null {
  if (swing === null || swing.other === null || added === null || added.points < 0) return null;
  const { lead, before } = swing;
  if (lead < 0)
    return next === null
      ? `**Still ${-lead} behind.**`
      : `**Still ${-lead} behind.** Beat ${next}.`;
  if (added.points === 0) return lead > 0 ? '**Still ahead.**' : '**Still level.**';
  if (lead === 0) return '**Level now.**';
  if (before > 0) return '**Still ahead.**';
  return before === 0
    ? '**Took the lead,** from level.'
    : `**Took the lead,** from ${-before} behind.`;
}

/** Under the code: the lead, and the league games left (HAND-09). Null without an opponent. */
export function leadWords({ swing, team, left }: Slip): string | null {
  if (swing === null || swing.other === null) return null;
  const lead =
    swing.lead === 0
      ? `Level with ${swing.opponent}.`
      : `${swing.lead > 0 ? team : swing.opponent} lead by ${Math.abs(swing.lead)}.`;
  if (left === null) return lead;
  const games =
    left === 1 ? '1 league game left this week.' : `${left} league games left this week.`;
  return `${lead} ${games}`;
}

/** What stands beside the square on the code page, at most three lines (HAND-09). */
export function codeLines(slip: Slip): string[] {
  const [game] = slip.games;
  if (game === undefined) return [];
  const best = bestOfSlip(slip);
  const [won] = slip.won;
  const added = addedWords({ ...slip, added: slip.added && { ...slip.added, replaced: null } });
  const counted =
    slip.games.length === 1
      ? [countedRow(slip, game).title]
      : [headOf(slip), ...severalRows(slip).map(({ title }) => title)];
  return [
    best !== null && (best === game ? 'Personal best' : `Personal best, ${best.score}`),
    ...counted,
    won !== undefined && `Won: ${won.name}`,
    added,
    beatRow(slip)?.title,
  ]
    .filter((line) => typeof line === 'string')
    .slice(0, ROWS_MOST);
}

function leadSaid(slip: Slip): string | null {
  const { swing, team } = slip;
  const took = swing !== null && swing.other !== null && swing.before <= 0 && swing.lead > 0;
  if (took && slip.added !== null && slip.added.points > 0)
    return `${team} took the lead, by ${swing.lead}.`;
  const sentence = leadSentence(slip);
  return sentence && plain(sentence);
}

/** What a screen reader says, once (HAND-21). */
export function announcement(slip: Slip): string {
  const [game] = slip.games;
  if (game === undefined) return '';
  const best = bestOfSlip(slip);
  const points = slip.added?.points ?? 0;
  return [
    ...(slip.games.length === 1
      ? [`${game.score}.`, `${countedRow(slip, game).title}.`]
      : [`${headOf(slip)}.`, ...severalRows(slip).map(({ title }) => `${title}.`)]),
    best !== null && `Personal best, ${best.over} over your best.`,
    points > 0 && `${points} added this week.`,
    leadSaid(slip),
    slip.won.length > 0 && `Won: ${slip.won.map(({ name }) => name).join(', ')}.`,
  ]
    .filter(Boolean)
    .join(' ');
}
