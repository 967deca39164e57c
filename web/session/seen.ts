import { tryToKeep } from '../ui/storage.ts';
import type { VisitKey } from './session.ts';

const SEEN_KEY: VisitKey = 'seen_achievements';
/** The closed week whose picture was opened here. */
const OPENED_WEEK_KEY: VisitKey = 'opened_week';
/** How many visits have asked who may see the name. */
const QUESTION_VISITS_KEY: VisitKey = 'visibility_question_visits';
/** Since when the player is on the team that the profile has told of, an ISO instant. */
const TEAM_KEY: VisitKey = 'team';

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

/** Whether this browser has opened the picture of the week of `monday`. */
export function isWeekOpened(monday: string, storage: Store = localStorage): boolean {
  return storage.getItem(OPENED_WEEK_KEY) === monday;
}

export function openWeek(monday: string, storage: Store = localStorage): void {
  tryToKeep(storage, OPENED_WEEK_KEY, monday);
}

/** Whether the player has followed the strip about the team joined at `since` (HAND-47). */
export function isTeamSeen(since: string, storage: Store = localStorage): boolean {
  return storage.getItem(TEAM_KEY) === since;
}

export function seeTeam(since: string, storage: Store = localStorage): void {
  tryToKeep(storage, TEAM_KEY, since);
}

type QuestionName = 'age' | 'wall' | 'team' | 'install';
let question: QuestionName | null = null;

/**
 * Whether the pass may ask this question: the first one that calls is the only one of this visit
 * (HAND-51).
 */
export function isFirstQuestion(name: QuestionName): boolean {
  question ??= name;
  return question === name;
}

/** Without an answer, the profile asks who may see the name on this many visits (PROD-81). */
const QUESTION_VISITS = 4;
/** Whether this visit was counted. A visit lasts until the next page load. */
let counted = false;

const visits = (storage: Store) => Number(storage.getItem(QUESTION_VISITS_KEY)) || 0;

/** Whether earlier visits have shown the question often enough (PROD-81). */
export function isQuestionOver(storage: Store = localStorage): boolean {
  return !counted && visits(storage) >= QUESTION_VISITS;
}

/** Counts a visit that has shown the question, once. */
export function countQuestionVisit(storage: Store = localStorage): void {
  if (counted) return;
  counted = true;
  tryToKeep(storage, QUESTION_VISITS_KEY, String(visits(storage) + 1));
}
