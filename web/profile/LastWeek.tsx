import { useEffect, useState } from 'react';
import type { ClosedWeek } from '#contract/wire/leagues.ts';
import { isWeekOpened } from '../session/seen.ts';
import { serverDate } from '../ui/server-clock.ts';
import { useStrips } from './load-strips.ts';
import { useLastWeek } from './queries.ts';

/**
 * Links to the last closed week's picture, until it is opened or the next week closes. The strip
 * decides once, after the first read, whether to appear, and never appears after scrolling
 * (PROD-39, LOOK-52).
 */
export function LastWeek() {
  const { data, isPending } = useLastWeek();
  const strips = useStrips();
  const [offered, setOffered] = useState<ClosedWeek | null>();
  useEffect(() => {
    if (offered !== undefined || isPending) return;
    const last = data?.last ?? null;
    // Wait for the script only with a week to show. A failed read decides at once: no strip.
    if (last !== null && strips === null) return;
    setOffered(last && window.scrollY === 0 && !isWeekOpened(last.from) ? last : null);
  }, [data, isPending, offered, strips]);

  if (!strips || !data || !offered || new Date(data.week_closes_at) <= serverDate()) return null;
  return <strips.WeekStrip week={offered} />;
}
