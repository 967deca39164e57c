/** At most one announcement in this time, because many machines can fail at once. */
const QUIET_MS = 20_000;

type Listener = (sentence: string) => void;
let listener: Listener = () => undefined;
let spokenAt = Number.NEGATIVE_INFINITY;
let waiting: { sentence: string; many: (count: number) => string }[] = [];
let scheduled = false;

/** Sets the listener that gets each announced sentence: the shell's live region. */
export function onAnnounce(to: Listener): void {
  listener = to;
}

/** Announces at once what the person has just done. Other sentences wait. */
export function announceNow(sentence: string): void {
  spokenAt = Date.now();
  listener(sentence);
}

function speak(): void {
  const quiet = spokenAt + QUIET_MS - Date.now();
  if (quiet > 0) {
    setTimeout(speak, quiet);
    return;
  }
  scheduled = false;
  const [first] = waiting;
  if (first === undefined) return;
  spokenAt = Date.now();
  listener(waiting.length === 1 ? first.sentence : first.many(waiting.length));
  waiting = [];
}

/**
 * Announces `sentence`, such as "Hoop 2 is silent", to screen readers. If several wait, announces
 * `many(count)`: "3 machines have changed".
 */
export function announce(sentence: string, many: (count: number) => string = () => sentence): void {
  waiting.push({ sentence, many });
  if (scheduled) return;
  scheduled = true;
  setTimeout(speak);
}
