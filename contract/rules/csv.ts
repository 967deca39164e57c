/* CSV files for spreadsheets. */

/**
 * Blanks, quotes and separators before a sign that makes a cell a formula. Scans each run only once
 * (P37a).
 */
const BEFORE_SIGN = /(?<![\s";,|])[\s";,|]*(?=[=+\-@＝＋－＠])/g;
/** In some locales a spreadsheet splits at these, so a cell can also begin inside a field. */
const SEPARATOR = /[;,|\t\r\n]/;

/** A CSV field, empty for null. An apostrophe keeps text from becoming a formula. */
function field(value: string | number | null): string {
  if (typeof value === 'number') return String(value);
  const text = (value ?? '').replace(BEFORE_SIGN, (run, at) =>
    at === 0 || SEPARATOR.test(run) ? `${run}'` : run,
  );
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line with its line break. */
export const csvLine = (values: readonly (string | number | null)[]): string =>
  `${values.map(field).join(',')}\r\n`;
