import { useState } from 'react';
import type { CupForStaff } from '#contract/wire/cups.ts';
import { useMinutes } from '../shell/until.ts';
import { Goes } from '../ui/ask.tsx';
import { inputLater, inputTime } from '../ui/times.ts';
import { WindowField } from './WindowField.tsx';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The pairings that open again when the winner changes (CUP-23). */
export function Reopened({ labels }: { labels: readonly string[] }) {
  if (labels.length === 0) return null;
  return <Goes stops={labels.map((label) => `${label} is open again`)} stays={[]} />;
}

/** The end of the nth consecutive window from `from` on, as the value of a datetime-local input. */
function usualEnd({ windows, timezone }: CupForStaff['cup'], from: number, nth: number): string {
  if (windows === 'hours') return inputTime(new Date(from + nth * HOUR_MS), timezone);
  const day = inputTime(new Date(from), timezone).slice(0, 10);
  return inputLater(`${day}T00:00`, 7 * nth * DAY_MS);
}

/**
 * Asks for new ends of pairings. By default each round lasts an hour, or seven days in a cup of
 * weeks. The first begins now, and each other one when the round before it ends. `of` returns what
 * the calls take.
 */
export function useNewEnds({ cup, rounds }: Pick<CupForStaff, 'cup' | 'rounds'>) {
  const from = useMinutes().getTime();
  const [typed, setTyped] = useState<Record<string, string>>({});
  const roundOf = (label: string) =>
    rounds.findIndex(({ pairings }) => pairings.some((pairing) => pairing.label === label));
  const endsOf = (labels: readonly string[]) => {
    const first = Math.min(...labels.map(roundOf));
    return labels.map((pairing) => {
      const nth = roundOf(pairing) - first + 1;
      return { pairing, ends: typed[pairing] ?? usualEnd(cup, from, nth) };
    });
  };
  return {
    of: endsOf,
    fields: (labels: readonly string[], error: string | undefined) =>
      endsOf(labels).map(({ pairing, ends }, at) => (
        <WindowField
          key={pairing}
          windows={cup.windows}
          kind="end"
          label={cup.windows === 'weeks' ? `New last day of ${pairing}` : `New end of ${pairing}`}
          value={ends}
          error={at === 0 ? error : undefined}
          onChange={(value) => setTyped({ ...typed, [pairing]: value })}
        />
      )),
  };
}
