/** A record of a CSV file, or what is wrong with it. `line`: the line where it begins, from 1. */
export type CsvRecord = { line: number; fields: string[] } | { line: number; problem: string };

type Field = { text: string; end: number };

/** If a quoted field is longer, its quote was probably not closed. */
const QUOTED_MAX = 1_000;
const STRAY_QUOTE = 'A quote is not closed, or stands in the wrong place.';
const BREAK = /\r\n|\n|\r/g;

/** The length of the line break at this place; 0 if there is none. */
const breakAt = (text: string, at: number): number =>
  text[at] === '\n' ? 1 : text[at] !== '\r' ? 0 : text[at + 1] === '\n' ? 2 : 1;

/** The first place from `at` on that is not a blank, or that ends the field. */
function afterBlanks(text: string, at: number, delimiter: string): number {
  let end = at;
  while (/[^\S\r\n]/.test(text.charAt(end)) && text[end] !== delimiter) end += 1;
  return end;
}

function endOfField(text: string, at: number, delimiter: string): number {
  let end = at;
  while (end < text.length && text[end] !== delimiter && breakAt(text, end) === 0) end += 1;
  return end;
}

/** The field that begins at `at`; null after a stray quote. */
function fieldAt(text: string, at: number, delimiter: string): Field | null {
  const from = afterBlanks(text, at, delimiter);
  if (text[from] !== '"') {
    const end = endOfField(text, from, delimiter);
    return { text: text.slice(from, end).trim(), end };
  }
  const last = from + QUOTED_MAX;
  let quote = text.indexOf('"', from + 1);
  while (quote !== -1 && quote < last && text[quote + 1] === '"')
    quote = text.indexOf('"', quote + 2);
  if (quote === -1 || quote >= last) return null;
  const end = afterBlanks(text, quote + 1, delimiter);
  if (end !== endOfField(text, end, delimiter)) return null;
  return {
    text: text
      .slice(from + 1, quote)
      .replaceAll('""', '"')
      .trim(),
    end,
  };
}

/**
 * Reads a CSV file by its own grammar (RFC 4180): a quoted field may hold delimiters, quotes and
 * line breaks. Drops blanks around a field. A stray quote spoils only its own line.
 */
export function readRecords(text: string, delimiter: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  for (let at = 0, line = 1; at < text.length; ) {
    const fields: string[] = [];
    let end = at;
    let field: Field | null;
    do {
      field = fieldAt(text, end, delimiter);
      if (field === null) break;
      fields.push(field.text);
      end = field.end + 1;
    } while (text[field.end] === delimiter);
    if (field === null) {
      records.push({ line, problem: STRAY_QUOTE });
      end = at;
      while (end < text.length && breakAt(text, end) === 0) end += 1;
    } else {
      records.push({ line, fields });
      end = field.end;
    }
    end += breakAt(text, end);
    line += text.slice(at, end).match(BREAK)?.length ?? 0;
    at = end;
  }
  return records;
}
