/* CSV files for spreadsheets, as the console and the export of the audit write them. */

/**
 * A character that makes a cell a formula, at the beginning of the cell. In some locales a
 * spreadsheet splits fields at semicolons, so a cell can also begin after a separator inside a
 * field, with or without a double quote.
 */
const FORMULA = /(^|[;,|\t\r\n])([\s"]*)(?=[=+\-@＝＋－＠])/g;

/** A CSV field, empty for null. An apostrophe in front keeps text from becoming a formula. */
function field(value: string | number | null): string {
  if (typeof value === 'number') return String(value);
  const text = (value ?? '').replace(FORMULA, "$1$2'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line of a CSV file, with its line break. No text becomes a formula of a spreadsheet. */
export const csvLine = (values: readonly (string | number | null)[]): string =>
  `${values.map(field).join(',')}\r\n`;
