import type { CupWindows } from '#contract/rules/cups.ts';
import { Field } from '../ui/Field.tsx';
import { inputLater } from '../ui/times.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * Converts a window's begin or end (the value of a datetime-local input) to the window's first or
 * last day (the value of a date input).
 */
export function dayShown(time: string, kind: 'begin' | 'end'): string {
  if (time === '') return '';
  return (kind === 'begin' ? time : inputLater(time, -MINUTE_MS)).slice(0, 10);
}

/** The inverse of `dayShown`: the begin of a window's first day, or the end of its last day. */
export function timeOfDay(day: string, kind: 'begin' | 'end'): string {
  if (day === '') return '';
  return kind === 'begin' ? `${day}T00:00` : inputLater(`${day}T00:00`, DAY_MS);
}

/**
 * An input for the begin or end of a cup's window (CUP-07). `value` is always the value of a
 * datetime-local input, on the cup's clock; a window of weeks shows its first or last day.
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
  /** The round's name, which screen readers get, in a form with several rounds. */
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
