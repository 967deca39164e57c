/** Screen readers get at most one sentence in this time: many machines may fail at once. */
const QUIET_MS = 20_000;

type Listener = (sentence: string) => void;
let listener: Listener = () => undefined;
let spokenAt = Number.NEGATIVE_INFINITY;
let waiting: { sentence: string; many: (count: number) => string }[] = [];
let scheduled = false;

/** Sets the function that gets the sentences. Only the shell's live region calls this. */
export function onAnnounce(to: Listener): void {
  listener = to;
}

function speak(): void {
  scheduled = false;
  const [first] = waiting;
  if (first === undefined) return;
  spokenAt = Date.now();
  listener(waiting.length === 1 ? first.sentence : first.many(waiting.length));
  waiting = [];
}

/**
 * Makes a screen reader say `sentence`, such as "Hoop 2 is silent". It speaks at most every 20 s;
 * if several sentences wait, it says `many(count)` instead: "3 machines need a hand".
 */
export function announce(sentence: string, many: (count: number) => string = () => sentence): void {
  waiting.push({ sentence, many });
  if (scheduled) return;
  scheduled = true;
  setTimeout(speak, Math.max(0, spokenAt + QUIET_MS - Date.now()));
}
