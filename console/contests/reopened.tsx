import { useState } from 'react';
import type { CupForStaff } from '#contract/wire/cups.ts';
import { Goes } from '../ui/ask.tsx';
import { Field } from '../ui/Field.tsx';
import { inputTime } from '../ui/times.ts';

const HOUR_MS = 3_600_000;

/** The pairings that another winner opens again (CUP-23). */
export function Reopened({ labels }: { labels: readonly string[] }) {
  if (labels.length === 0) return null;
  return <Goes stops={labels.map((label) => `${label} is open again`)} stays={[]} />;
}

/**
 * Asks for new ends of pairings, by default an hour for each round. A later round begins when the
 * one before it ends. `of` is what the calls take.
 */
export function useNewEnds({ cup, rounds, now }: Pick<CupForStaff, 'cup' | 'rounds' | 'now'>) {
  const [from] = useState(() => Date.parse(now));
  const [typed, setTyped] = useState<Record<string, string>>({});
  const roundOf = (label: string) =>
    rounds.findIndex(({ pairings }) => pairings.some((pairing) => pairing.label === label));
  const endsOf = (labels: readonly string[]) => {
    const first = Math.min(...labels.map(roundOf));
    return labels.map((pairing) => {
      const hours = roundOf(pairing) - first + 1;
      const usual = inputTime(new Date(from + hours * HOUR_MS), cup.timezone);
      return { pairing, ends: typed[pairing] ?? usual };
    });
  };
  return {
    of: endsOf,
    fields: (labels: readonly string[], error: string | undefined) =>
      endsOf(labels).map(({ pairing, ends }, at) => (
        <Field
          key={pairing}
          label={`New end of ${pairing}`}
          type="datetime-local"
          value={ends}
          error={at === 0 ? error : undefined}
          onChange={(event) => setTyped({ ...typed, [pairing]: event.target.value })}
        />
      )),
  };
}
