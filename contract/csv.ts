/* CSV files for spreadsheets, as the console and the export of the audit write them. */

/**
 * A sign that begins a formula, at the beginning of a cell. Depending on its country, a spreadsheet
 * also splits at semicolons, and a quote may then open a cell.
 */
const FORMULA = /(^|[;,|\t\r\n])([\s"]*)(?=[=+\-@＝＋－＠])/g;

/** A CSV field; null is an empty one. A quote stands before each sign that begins a formula. */
function field(value: string | number | null): string {
  if (typeof value === 'number') return String(value);
  const text = (value ?? '').replace(FORMULA, "$1$2'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line of a CSV file, with its line break. No text becomes a formula of a spreadsheet. */
export const csvLine = (values: readonly (string | number | null)[]): string =>
  `${values.map(field).join(',')}\r\n`;
