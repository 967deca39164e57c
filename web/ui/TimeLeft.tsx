import { useServerTime } from './server-time.ts';
import { timeLeft } from './times.ts';

const MINUTE_MS = 60_000;

export function TimeLeft({ until }: { until: Date }) {
  const now = useServerTime(MINUTE_MS);
  const { words, iso } = timeLeft(until.getTime() - now);
  return <time dateTime={iso}>{words}</time>;
}
