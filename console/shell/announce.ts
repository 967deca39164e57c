/** At most one sentence in this time, so that a bad evening does not talk without end. */
const QUIET_MS = 20_000;

type Listener = (sentence: string) => void;
let listener: Listener = () => undefined;
let spokenAt = Number.NEGATIVE_INFINITY;
let waiting: { sentence: string; many: (count: number) => string }[] = [];
let scheduled = false;

/** Where the sentences go: the one status region of the shell. */
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
 * Says a sentence to screen readers, politely: "Hoop 2 is silent". At most one in 20 s; sentences
 * that come sooner become one, made by `many`: "3 machines need a hand".
 */
export function announce(sentence: string, many: (count: number) => string = () => sentence): void {
  waiting.push({ sentence, many });
  if (scheduled) return;
  scheduled = true;
  setTimeout(speak, Math.max(0, spokenAt + QUIET_MS - Date.now()));
}
