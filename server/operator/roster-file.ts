import { parse } from 'csv-parse/sync';
import { ROSTER_BYTES, ROSTER_ROWS, TEAM_NAME_MAX } from '#contract/rules/leagues.ts';
import { teamName } from '#contract/wire/teams.ts';
import { badRequest } from '../errors.ts';
import type { RosterProblem, RosterRow } from '../leagues/roster-import.ts';

/** The body limit for a roster: more than the file's, because JSON escapes characters. */
export const ROSTER_BODY = 2 * ROSTER_BYTES;

/** Spreadsheets write these, depending on their language. */
const DELIMITERS = [',', ';', '\t'];

/** Longer lines are refused before they are parsed (P37a). */
const LINE_MAX = 1_000;

function fields(line: string, delimiter: string): string[] | null {
  try {
    return parse(line, { trim: true, relax_column_count: true, delimiter })[0] ?? [];
  } catch {
    return null;
  }
}

/** The delimiter that makes a field of this line an address, otherwise a comma. */
function delimiterOf(line: string): string {
  const fits = (delimiter: string) => {
    const row = fields(line, delimiter) ?? [];
    return row.length > 1 && row.some((field) => /^email$|^[^\s,;@]+@[^\s,;@]+$/i.test(field));
  };
  return DELIMITERS.find(fits) ?? ',';
}

/**
 * Reads a roster file (OPS-05). Skips empty lines and Excel's `sep=;`. Parses each line alone, so
 * that a stray quote affects no other line. Returns the rows and the unreadable lines' problems, by
 * line number.
 * @throws Refusal 400 if the file has no rows, more than ROSTER_ROWS, or a line over LINE_MAX
 */
export function readRoster(csv: string): { rows: RosterRow[]; unreadable: RosterProblem[] } {
  const lines = csv
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .map((text, at) => ({ text, line: at + 1 }))
    .filter(({ text }) => text.trim() !== '' && !/^sep=.$/i.test(text.trim()));
  const long = lines.find(({ text }) => text.length > LINE_MAX);
  if (long !== undefined)
    throw badRequest(
      `Line ${long.line} has ${long.text.length} characters. A row has at most ${LINE_MAX}: split the line, or remove what is not a team or an address.`,
    );
  const delimiter = delimiterOf(lines[0]?.text ?? '');
  const head = fields(lines[0]?.text ?? '', delimiter)?.map((word) => word.toLowerCase()) ?? [];
  const named = head.includes('team') && head.includes('email');
  const [team, email] = named ? [head.indexOf('team'), head.indexOf('email')] : [0, 1];
  const width = named ? head.length : 2;
  const body = named ? lines.slice(1) : lines;
  if (body.length > ROSTER_ROWS)
    throw badRequest(
      `The file has ${body.length} rows, and an import takes ${ROSTER_ROWS}. Import it in parts.`,
    );

  const rows: RosterRow[] = [];
  const unreadable: RosterProblem[] = [];
  for (const { text, line } of body) {
    const row = fields(text, delimiter);
    const wanted = teamName.safeParse(row?.[team] ?? '');
    if (row === null)
      unreadable.push({ line, problem: 'A quote is not closed, or stands in the wrong place.' });
    else if (row.length !== width)
      unreadable.push({
        line,
        problem: `A row is: ${named ? head.join(delimiter) : `team${delimiter}email`}`,
      });
    else if (!wanted.success)
      unreadable.push({
        line,
        problem: `A team's name has 1 to ${TEAM_NAME_MAX} characters that can be seen.`,
      });
    else rows.push({ line, team: wanted.data, email: row[email] ?? '' });
  }
  if (rows.length + unreadable.length === 0) throw badRequest('The file has no rows.');
  return { rows, unreadable };
}
