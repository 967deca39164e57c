const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Markup that `html` has made and does not escape again. */
export class Html {
  readonly markup: string;
  constructor(markup: string) {
    this.markup = markup;
  }
  toString(): string {
    return this.markup;
  }
}

type Value = string | number | Html | null | Value[];

function write(value: Value): string {
  if (value === null) return '';
  if (value instanceof Html) return value.markup;
  if (Array.isArray(value)) return value.map(write).join('');
  return String(value).replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}

/**
 * The template tag for mails and plain pages. Escapes all values but `Html` (P25), and omits null.
 * Attribute values need quotes.
 */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(parts.reduce((text, part, i) => text + write(values[i - 1] ?? null) + part));
}
