import { timeLeft } from './dates.ts';
import { useServerTime } from './server-clock.ts';

const MINUTE_MS = 60_000;

type TimeLeftProps = {
  until: Date;
  /** Writes "3d 4h" without the inner space, for text in capitals. */
  tight?: boolean;
};

export function TimeLeft({ until, tight = false }: TimeLeftProps) {
  const now = useServerTime(MINUTE_MS);
  const { short, words, iso } = timeLeft(until.getTime() - now);
  return (
    <time dateTime={iso}>
      <span aria-hidden="true">{tight ? short.replace(/ (?=[a-z])/g, '') : short}</span>
      <span className="sr">{words}</span>
    </time>
  );
}
