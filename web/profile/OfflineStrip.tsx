import { useLayoutEffect, useState } from 'react';
import { NoSignalIcon } from '../ui/Icon.tsx';
import { serverDate } from '../ui/server-clock.ts';
import { clockTime, isSameDay } from '../ui/times.ts';
import styles from './OfflineStrip.module.css';

const DAY_MS = 24 * 60 * 60 * 1000;

/** "19:21" today, "Thursday 19:21" in the last six days, otherwise "19 November 19:21". */
export function timeText(at: Date, now: Date): string {
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
  /** When the figures were last read (ms since 1970); 0 if unknown. */
  since: number;
};

/**
 * Says that the page shows the last known figures (PROD-40). Keep the strip mounted, because screen
 * readers announce only changes in an existing live region. The strip keeps its words while it
 * closes.
 */
export function OfflineStrip({ offline, since }: OfflineStripProps) {
  const [shown, setShown] = useState<number | null>(null);
  useLayoutEffect(() => {
    if (offline) setShown(since);
  }, [offline, since]);
  return (
    <div className={styles.place} data-open={offline} role="status">
      <div className={styles.clip}>
        {shown !== null && (
          <p className={styles.strip}>
            <NoSignalIcon />
            <span>
              <b>
                {shown === 0
                  ? 'Offline'
                  : `Offline since ${timeText(new Date(shown), serverDate())}`}
              </b>
              Your code works. Figures are from {shown === 0 ? 'your last visit' : 'then'}.
            </span>
          </p>
        )}
      </div>
    </div>
  );
}
