/* CSV files for spreadsheets. */

/**
 * What makes a cell a formula. In some locales a spreadsheet splits at semicolons, so a cell can
 * also begin after a separator inside a field.
 */
const FORMULA = /(^|[;,|\t\r\n])([\s"]*)(?=[=+\-@＝＋－＠])/g;

/** A CSV field, empty for null. An apostrophe keeps text from becoming a formula. */
function field(value: string | number | null): string {
  if (typeof value === 'number') return String(value);
  const text = (value ?? '').replace(FORMULA, "$1$2'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line with its line break. */
export const csvLine = (values: readonly (string | number | null)[]): string =>
  `${values.map(field).join(',')}\r\n`;
