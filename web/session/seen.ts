import { tryToKeep } from '../ui/storage.ts';
import type { VisitKey } from './session.ts';
import { countVisit, thisVisit } from './visit.ts';

const SEEN_KEY: VisitKey = 'seen_achievements';
/** The two weeks' pictures or nudges opened last: a picture's Monday, the close of a nudge's week. */
const OPENED_WEEK_KEY: VisitKey = 'opened_week';
/** How many visits have asked who may see the name. */
const QUESTION_VISITS_KEY: VisitKey = 'visibility_question_visits';
/** When the player joined the team whose strip was opened last, as an ISO instant. */
const TEAM_KEY: VisitKey = 'team';

/** The id of the decided duel that was opened, with `done` once its panel was put away. */
const DUEL_KEY: VisitKey = 'duel';

type Store = Pick<Storage, 'getItem' | 'setItem'>;

/** The shown achievements; null if none were stored since the sign-in. */
function seen(storage: Store): string[] | null {
  try {
    const value: unknown = JSON.parse(storage.getItem(SEEN_KEY) ?? 'null');
    return Array.isArray(value) ? value.map(String) : null;
  } catch {
    return null;
  }
}

/** The keys of `won` that this browser has not shown; none on the first call after a sign-in. */
export function newAchievements(won: readonly string[], storage: Store = localStorage): string[] {
  const known = seen(storage);
  if (known === null) seeAchievements(won, storage);
  return known === null ? [] : won.filter((key) => !known.includes(key));
}

export function seeAchievements(won: readonly string[], storage: Store = localStorage): void {
  tryToKeep(storage, SEEN_KEY, JSON.stringify(won));
}

/** Marks one achievement as shown. */
export function seeAchievement(key: string, storage: Store = localStorage): void {
  const known = seen(storage);
  if (known !== null) seeAchievements([...known, key], storage);
}

const opened = (storage: Store) => storage.getItem(OPENED_WEEK_KEY)?.split(' ') ?? [];

/** Whether this browser has opened a week's picture (by its Monday) or nudge (by its close). */
export function isWeekOpened(what: string, storage: Store = localStorage): boolean {
  return opened(storage).includes(what);
}

export function openWeek(what: string, storage: Store = localStorage): void {
  const others = opened(storage).filter((one) => one !== what);
  tryToKeep(storage, OPENED_WEEK_KEY, [what, ...others].slice(0, 2).join(' '));
}

/** Whether the player has opened the strip about the team joined at `since` (HAND-47). */
export function isTeamSeen(since: string, storage: Store = localStorage): boolean {
  return storage.getItem(TEAM_KEY) === since;
}

export function seeTeam(since: string, storage: Store = localStorage): void {
  tryToKeep(storage, TEAM_KEY, since);
}

/** Whether the player has opened the decided duel `id`. */
export function isDuelSeen(id: string, storage: Store = localStorage): boolean {
  const kept = storage.getItem(DUEL_KEY);
  return kept === id || kept === `${id} done`;
}

export function seeDuel(id: string, storage: Store = localStorage): void {
  if (!isDuelSeen(id, storage)) tryToKeep(storage, DUEL_KEY, id);
}

/** Whether the player has put the panel of the decided duel `id` away. */
export function isDuelDone(id: string, storage: Store = localStorage): boolean {
  return storage.getItem(DUEL_KEY) === `${id} done`;
}

export function putAwayDuel(id: string, storage: Store = localStorage): void {
  tryToKeep(storage, DUEL_KEY, `${id} done`);
}

/** The question of who may see the name is asked on at most this many visits (PROD-81). */
const QUESTION_VISITS = 4;

const visits = (storage: Store) => Number(storage.getItem(QUESTION_VISITS_KEY)) || 0;

/** Whether earlier visits have shown the question often enough (PROD-81). */
export function isQuestionOver(storage: Store = localStorage): boolean {
  return !thisVisit().counted.has('age') && visits(storage) >= QUESTION_VISITS;
}

/** Counts a visit that has shown the question, once. */
export function countQuestionVisit(storage: Store = localStorage): void {
  if (countVisit('age')) tryToKeep(storage, QUESTION_VISITS_KEY, String(visits(storage) + 1));
}
