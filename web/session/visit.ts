type QuestionName = 'age' | 'wall' | 'team' | 'push' | 'install';

/** What the app remembers of a visit. It lasts until the next page load, or the next player. */
type Visit = {
  email: string | null;
  /** The question that this visit asks, or `over` once it has its answer (HAND-51). */
  question: QuestionName | 'over' | null;
  /** The questions for which the visit was counted. */
  counted: Set<QuestionName>;
  /** How many games the player had when the visit began; null before that is read. */
  games: number | null;
  /** Whether a slip lay on the pass. */
  hadSlip: boolean;
};

const begin = (email: string | null): Visit => ({
  email,
  question: null,
  counted: new Set(),
  games: null,
  hadSlip: false,
});

let visit = begin(null);

/** Begins another visit if the player is another one. */
export function visitBy(email: string): void {
  if (visit.email !== email) visit = begin(email);
}

export const thisVisit = (): Visit => visit;

/**
 * Whether the pass may ask the question `name`: only the first question of a visit that calls this
 * may be asked (HAND-51).
 */
export function isFirstQuestion(name: QuestionName): boolean {
  visit.question ??= name;
  return visit.question === name;
}

/** Ends this visit's question, which has its answer. The next one waits for the next visit. */
export function endQuestion(): void {
  visit.question = 'over';
}

/** Counts this visit for the question `name`. Returns false if it was counted before. */
export function countVisit(name: QuestionName): boolean {
  if (visit.counted.has(name)) return false;
  visit.counted.add(name);
  return true;
}
