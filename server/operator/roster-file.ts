import { ROSTER_BYTES, ROSTER_ROWS } from '#contract/rules/leagues.ts';
import { hasUnseen, withoutUnseen } from '#contract/rules/unseen.ts';
import { teamName } from '#contract/wire/teams.ts';
import { badRequest } from '../errors.ts';
import type { RosterProblem, RosterRow } from '../leagues/roster-import.ts';
import { type CsvRecord, readRecords } from './records.ts';

/**
 * The body limit for a roster: more than the limit of its file, because JSON escapes characters.
 */
export const ROSTER_BODY = 2 * ROSTER_BYTES;

/** Spreadsheets write these, depending on their language. */
const DELIMITERS = [',', ';', '\t'];

/** How much of a file's beginning is searched for its delimiter. */
const SAMPLE = 10_000;

/** Longer lines are refused before they are parsed (P37a). */
const LINE_MAX = 1_000;

/** Column names, in lower-case letters only: “E-mail address” is `emailaddress`. */
const HEADS = {
  team: /^(team|squad|mannschaft|equipo|equipe|squadra|takim|lag|ploeg)s?(name)?$/,
  email:
    /^(e?mail|e?mailadd?ress|e?mailadresse|correo(electronico)?|courriel|adresseemail|epost(a|adres|adress)?)$/,
};
const ADDRESS = /^[^\s,;@]+@[^\s,;@]+$/;

const lettersOf = (cell: string) =>
  cell
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ı', 'i')
    .replace(/[^a-z]/g, '');
const columnOf = (fields: readonly string[], head: RegExp) =>
  fields.findIndex((cell) => head.test(lettersOf(cell)));

/** Whether a cell looks empty. */
const isBlank = (cell: string) => cell === '' || withoutUnseen(cell).trim() === '';

/** The records except rows that look empty and Excel's `sep=;`. */
const filledRecords = (text: string, delimiter: string): CsvRecord[] =>
  readRecords(text, delimiter).filter(
    (one) =>
      !('fields' in one) || !(one.fields.every(isBlank) || /^sep=.?$/i.test(one.fields[0] ?? '')),
  );

/**
 * The delimiter with which the first row has an address or an address column; otherwise a comma.
 */
function delimiterOf(text: string): string {
  const fits = (delimiter: string) => {
    const [first] = filledRecords(text.slice(0, SAMPLE), delimiter);
    if (first === undefined || !('fields' in first) || first.fields.length < 2) return false;
    return (
      columnOf(first.fields, HEADS.email) !== -1 || first.fields.some((cell) => ADDRESS.test(cell))
    );
  };
  return DELIMITERS.find(fits) ?? ',';
}

/**
 * Reads a roster file (OPS-05). Skips rows that look empty, Excel's `sep=;`, and empty cells after
 * the last column. Ignores columns other than team and email if the header names them. Returns the
 * rows, and the problems of unreadable rows by line number.
 * @throws Refusal 400 if the file has no rows, more than ROSTER_ROWS, or a line over LINE_MAX
 */
export function readRoster(csv: string): { rows: RosterRow[]; unreadable: RosterProblem[] } {
  const text = csv.replace(/^\ufeff/, '');
  for (const [at, { length }] of text.split(/\r\n|\n|\r/).entries())
    if (length > LINE_MAX)
      throw badRequest(
        `Line ${at + 1} has ${length} characters. A row has at most ${LINE_MAX}: split the line, or remove what is not a team or an address.`,
      );
  const delimiter = delimiterOf(text);
  const records = filledRecords(text, delimiter);
  const [first] = records;
  const head = first !== undefined && 'fields' in first ? first.fields : [];
  const named = { team: columnOf(head, HEADS.team), email: columnOf(head, HEADS.email) };
  const hasHead = named.team !== -1 && named.email !== -1;
  const columns = hasHead ? named : { team: 0, email: 1 };
  const width = hasHead ? head.findLastIndex((cell) => !isBlank(cell)) + 1 : 2;
  const body = hasHead ? records.slice(1) : records;
  if (body.length > ROSTER_ROWS)
    throw badRequest(
      `The file has ${body.length} rows, and an import takes ${ROSTER_ROWS}. Import it in parts.`,
    );

  const shape = hasHead ? head.slice(0, width).join(delimiter) : `team${delimiter}email`;
  const rows: RosterRow[] = [];
  const unreadable: RosterProblem[] = [];
  for (const record of body) {
    const read = 'problem' in record ? record.problem : rowOf(record.fields, columns, width, shape);
    if (typeof read === 'string') unreadable.push({ line: record.line, problem: read });
    else rows.push({ line: record.line, ...read });
  }
  if (rows.length + unreadable.length === 0) throw badRequest('The file has no rows.');
  return { rows, unreadable };
}

/** Team and address of a row, or what is wrong with it. */
function rowOf(
  fields: readonly string[],
  columns: { team: number; email: number },
  width: number,
  shape: string,
): { team: string; email: string } | string {
  const used = fields.findLastIndex((cell) => !isBlank(cell)) + 1;
  if (used > width || fields.length <= Math.max(columns.team, columns.email))
    return `A row is: ${shape}`;
  // A cell can have line breaks.
  const team = (fields[columns.team] ?? '').replace(/\s+/g, ' ');
  if (hasUnseen(team) && !isBlank(team))
    return `The team’s name “${withoutUnseen(team)}” has a character that cannot be seen: type the name anew.`;
  const wanted = teamName.safeParse(team);
  if (!wanted.success) return wanted.error.issues[0]?.message ?? 'The name of the team is wrong.';
  return { team: wanted.data, email: withoutUnseen(fields[columns.email] ?? '').trim() };
}
