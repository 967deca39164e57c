import { useLayoutEffect, useState } from 'react';
import { clockTime, isSameDay } from '../ui/dates.ts';
import { NoSignalIcon } from '../ui/Icon.tsx';
import styles from './OfflineStrip.module.css';

const DAY_MS = 24 * 60 * 60 * 1000;

/** A moment as the strip says it: the time for today, with the weekday when it is older. */
export function momentText(at: Date, now: Date): string {
  const time = clockTime(at);
  if (isSameDay(at, now)) return time;
  const recent = now.getTime() - at.getTime() < 6 * DAY_MS;
  const day = recent
    ? at.toLocaleDateString('en-GB', { weekday: 'long' })
    : at.toLocaleDateString('en-GB', { day: 'numeric', month: 'long' });
  return `${day} ${time}`;
}

type OfflineStripProps = {
  offline: boolean;
  /** When the figures were last read, in milliseconds; 0 when not in this visit. */
  since: number;
};

/**
 * Says that what is shown is the last that is known. It stays mounted, so that it is read aloud
 * when it opens, and keeps its words while it closes.
 */
export function OfflineStrip({ offline, since }: OfflineStripProps) {
  const [told, setTold] = useState<number | null>(null);
  useLayoutEffect(() => {
    if (offline) setTold(since);
  }, [offline, since]);
  return (
    <div className={styles.place} data-open={offline} role="status">
      <div className={styles.clip}>
        {told !== null && (
          <p className={styles.strip}>
            <NoSignalIcon />
            <span>
              <b>
                {told === 0 ? 'Offline' : `Offline since ${momentText(new Date(told), new Date())}`}
              </b>
              Your code works. Figures are from {told === 0 ? 'your last visit' : 'then'}.
            </span>
          </p>
        )}
      </div>
    </div>
  );
}
