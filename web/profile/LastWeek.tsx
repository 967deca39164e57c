import { lazy, useEffect, useState } from 'react';
import type { ClosedWeek } from '#contract/wire/leagues.ts';
import { isWeekOpened } from '../session/seen.ts';
import { Later } from '../shell/Later.tsx';
import { serverDate } from '../ui/server-clock.ts';
import { useLastWeek } from './queries.ts';

const WeekStrip = lazy(() => import('./strips.ts').then((m) => ({ default: m.WeekStrip })));

/**
 * Links to the last closed week's picture, until it is opened or the next week closes. The strip
 * decides once, after the first read, whether to appear, and never appears after scrolling
 * (PROD-39, LOOK-52).
 */
export function LastWeek() {
  const { data, isPending } = useLastWeek();
  const [offered, setOffered] = useState<ClosedWeek | null>();
  useEffect(() => {
    if (offered !== undefined || isPending) return;
    const last = data?.last ?? null;
    setOffered(last && window.scrollY === 0 && !isWeekOpened(last.from) ? last : null);
  }, [data, isPending, offered]);

  if (!data || !offered || new Date(data.week_closes_at) <= serverDate()) return null;
  return (
    <Later>
      <WeekStrip week={offered} />
    </Later>
  );
}
