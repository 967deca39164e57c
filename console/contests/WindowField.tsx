import type { CupWindows } from '#contract/rules/cups.ts';
import { Field } from '../ui/Field.tsx';
import { inputLater } from '../ui/times.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A begin or an end, as a value of a datetime-local input, as the day that a date input shows. */
export function dayShown(time: string, kind: 'begin' | 'end'): string {
  if (time === '') return '';
  return (kind === 'begin' ? time : inputLater(time, -MINUTE_MS)).slice(0, 10);
}

/** The begin of a window with this first day, or its end with this last day. */
export function timeOfDay(day: string, kind: 'begin' | 'end'): string {
  if (day === '') return '';
  return kind === 'begin' ? `${day}T00:00` : inputLater(`${day}T00:00`, DAY_MS);
}

/**
 * A time of a window of a cup (CUP-07). `value` is of a datetime-local input, on the cup's clock. A
 * window of weeks is shown by its first and its last day.
 */
export function WindowField({
  windows,
  kind,
  label = { begin: 'Begins', end: windows === 'weeks' ? 'Last day' : 'Ends' }[kind],
  of,
  value,
  error,
  onChange,
}: {
  windows: CupWindows;
  kind: 'begin' | 'end';
  label?: string;
  /** The round, where several stand below each other. */
  of?: string;
  value: string;
  error?: string | undefined;
  onChange: (value: string) => void;
}) {
  const weeks = windows === 'weeks';
  return (
    <Field
      label={label}
      aria-label={of === undefined ? undefined : `${of} ${label.toLowerCase()}`}
      type={weeks ? 'date' : 'datetime-local'}
      value={weeks ? dayShown(value, kind) : value}
      error={error}
      onChange={({ target }) => onChange(weeks ? timeOfDay(target.value, kind) : target.value)}
    />
  );
}
