type Value = string | number | boolean | null | readonly string[];

/**
 * The fields of `now` that differ from `opened`, the values when the form opened. A form sends only
 * these, so that it leaves alone what a colleague has changed meanwhile.
 */
export function changedFields<T extends Record<string, Value>>(
  opened: Readonly<Record<keyof T, Value>>,
  now: T,
): Partial<T> {
  return Object.fromEntries(
    Object.entries(now).filter(([field, value]) => value !== opened[field]),
  ) as Partial<T>;
}
