import fc from 'fast-check';
import { alternativesOf, exampleOf, type Schema } from '../../server/docs/schema.ts';
import { HOSTILE_TEXTS, HOSTILE_VALUES } from '../hostile-values.ts';

/** Real values by field name, for valid requests. */
export type KnownValues = Record<string, unknown[]>;

const hostileText = fc.oneof(fc.constantFrom(...HOSTILE_TEXTS), fc.string({ unit: 'binary' }));
const hostileValue = fc.oneof(hostileText, fc.constantFrom(...HOSTILE_VALUES), fc.jsonValue());

/** Strings that match a pattern; only `example` if fast-check cannot make any. */
function matching(pattern: string, example: string): fc.Arbitrary<string> {
  try {
    return fc.stringMatching(new RegExp(pattern));
  } catch {
    return fc.constant(example);
  }
}

const day = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const time = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());

function validText(schema: Schema, name: string): fc.Arbitrary<string> {
  if (schema.format === 'uuid') return fc.uuid();
  if (schema.format === 'date') return day;
  if (schema.format === 'date-time') return time;
  if (schema.pattern !== undefined)
    return matching(schema.pattern, String(exampleOf(schema, name)));
  const { minLength = 0, maxLength = 60 } = schema;
  return fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 60)) });
}

/** A valid value: a known value, chosen by `at`, otherwise the schema's example. */
export function goodValue(schema: Schema, known: KnownValues, at: number, name = ''): unknown {
  const own = known[name];
  if (own !== undefined && own.length > 0) return own[at % own.length];
  const alternatives = alternativesOf(schema)?.filter(({ type }) => type !== 'null');
  if (alternatives) return goodValue(alternatives[at % alternatives.length] ?? {}, known, at, name);
  if (schema.type !== 'object') return exampleOf(schema, name);
  return Object.fromEntries(
    Object.entries(schema.properties ?? {})
      .filter(([key]) => key in known || schema.required?.includes(key))
      .map(([key, one]) => [key, goodValue(one, known, at, key)]),
  );
}

/** Values that the schema allows, and known values. */
export function validValue(schema: Schema, known: KnownValues, name = ''): fc.Arbitrary<unknown> {
  const own = known[name];
  const made = madeUp(schema, known, name);
  return own === undefined ? made : fc.oneof(fc.constantFrom(...own), made);
}

function madeUp(schema: Schema, known: KnownValues, name: string): fc.Arbitrary<unknown> {
  const alternatives = alternativesOf(schema);
  if (alternatives) return fc.oneof(...alternatives.map((one) => validValue(one, known, name)));
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.type === 'null') return fc.constant(null);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'integer' || schema.type === 'number') {
    const min = Math.max(schema.minimum ?? 0, -(2 ** 31));
    const max = Math.min(schema.maximum ?? 10_000, 2 ** 31);
    return schema.type === 'integer'
      ? fc.integer({ min: Math.ceil(min), max: Math.floor(max) })
      : fc.double({ min, max, noNaN: true });
  }
  if (schema.type === 'string') return validText(schema, name);
  if (schema.type === 'array') {
    const least = schema.minItems ?? 0;
    const items = validValue(schema.items ?? {}, known, name.replace(/s$/, ''));
    return fc.array(items, {
      minLength: least,
      maxLength: Math.min(schema.maxItems ?? least + 3, least + 3),
    });
  }
  if (schema.type === 'object') {
    const fields = Object.entries(schema.properties ?? {}).map(
      ([key, one]) => [key, validValue(one, known, key)] as const,
    );
    return fc.record(Object.fromEntries(fields), { requiredKeys: schema.required ?? [] });
  }
  return fc.jsonValue();
}

/** Values with one fault: a field is missing, wrapped in an array, hostile, or superfluous. */
function nearly(valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.tuple(valid, fc.nat(), fc.nat(4), hostileValue, hostileText).map(spoil);
}

function spoil([value, where, how, other, key]: [
  unknown,
  number,
  number,
  unknown,
  string,
]): unknown {
  const copy = structuredClone(value);
  const places: [holder: Record<string, unknown>, key: string][] = [];
  const walk = (one: unknown) => {
    if (typeof one !== 'object' || one === null) return;
    for (const [name, inner] of Object.entries(one)) {
      places.push([one as Record<string, unknown>, name]);
      walk(inner);
    }
  };
  walk(copy);
  const place = places[where % Math.max(places.length, 1)];
  if (place === undefined) return other;
  const [holder, name] = place;
  if (how === 0) delete holder[name];
  else if (how === 1) holder[name] = [holder[name]];
  else if (how === 2)
    Object.defineProperty(holder, keyFor(holder, key), { value: other, enumerable: true });
  else holder[name] = other;
  return copy;
}

/** Excludes an array's `length`, which takes only numbers. */
const keyFor = (holder: object, key: string) =>
  Array.isArray(holder) && key === 'length' ? `${key}_` : key;

/** Bodies that are not JSON, not objects, or hard to parse. */
const RAW_BODIES = [
  '',
  '{',
  '{}{}',
  'null',
  '[]',
  '7',
  '"text"',
  '\ufeff{}',
  '{"a":1,"a":2}',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"admin":true}}}',
  '{"email":"\\ud800"}',
  '{"email":1e400}',
  '['.repeat(200) + ']'.repeat(200),
  `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`,
  `{"padding":"${'x'.repeat(20_000)}"}`,
  `{"games":[${'{},'.repeat(600)}{}]}`,
  'email=ann@example.com&password=x',
  '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--x--',
  '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
];

/** Mostly valid or nearly valid bodies, sometimes hostile. Strings are sent as they are. */
export function aBody(schema: Schema, known: KnownValues): fc.Arbitrary<unknown> {
  const valid = validValue(schema, known);
  return fc.oneof(
    { arbitrary: valid, weight: 4 },
    { arbitrary: nearly(valid), weight: 4 },
    { arbitrary: fc.constantFrom(...RAW_BODIES), weight: 1 },
    { arbitrary: hostileValue.map((value) => JSON.stringify(value)), weight: 1 },
  );
}

/** Header values: Latin-1 without control characters. */
const headerText = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS.filter((text) => /^[\x20-\x7e\xa0-\xff]*$/.test(text))),
  fc.string({ unit: fc.constantFrom(...'abc;,="\\/ %é{}<>()'), maxLength: 200 }),
);
const HEADERS: Record<string, fc.Arbitrary<string>> = {
  accept: headerText,
  authorization: fc.oneof(
    headerText,
    headerText.map((text) => `Bearer ${text}`),
  ),
  'content-encoding': fc.constantFrom('gzip', 'identity', 'br', ''),
  'content-type': fc.oneof(
    fc.constantFrom(
      'application/json',
      'application/json; charset=utf-16',
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/octet-stream',
      '',
    ),
    headerText,
  ),
  cookie: fc.oneof(
    headerText,
    headerText.map((text) => `csrftoken=${text}`),
  ),
  date: fc.oneof(headerText, fc.constantFrom('Thu, 01 Jan 1970 00:00:00 GMT', 'x')),
  // Rarely another host: it gets a 421 before any route (P47).
  host: fc.oneof(
    { arbitrary: fc.constant('localhost:3000'), weight: 9 },
    { arbitrary: headerText, weight: 1 },
  ),
  'if-none-match': headerText,
  origin: fc.constantFrom('http://localhost:3000', 'https://evil.example', 'null', ''),
  range: fc.constantFrom('bytes=0-', 'bytes=9-1', 'bytes=-99999999999'),
  'sec-fetch-site': fc.constantFrom('same-origin', 'cross-site', 'none', 'x'),
  'user-agent': headerText,
  'x-csrftoken': headerText,
  'x-forwarded-for': fc.oneof(headerText, fc.constantFrom('10.0.0.1', '::1', '1.1.1.1, 2.2.2.2')),
  'x-request-id': headerText,
};

/** No headers in two of three cases, otherwise one to three strange ones. */
export const someHeaders: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { arbitrary: fc.constant({}), weight: 2 },
  {
    arbitrary: fc
      .tuple(fc.subarray(Object.keys(HEADERS), { minLength: 1, maxLength: 3 }), fc.record(HEADERS))
      .map(([names, all]) => Object.fromEntries(names.map((name) => [name, all[name] ?? '']))),
    weight: 1,
  },
);

/** A path parameter's values, except `.` and `..`, which change the path. */
export function aParameter(schema: Schema, known: KnownValues, name: string): fc.Arbitrary<string> {
  return fc
    .oneof(validValue(schema, known, name).map(String), hostileText)
    .filter((text) => text !== '' && !/^\.{1,2}$/.test(text))
    .map((text) => encodeURIComponent(text.toWellFormed()));
}

/** Queries: empty, or with known, unknown and repeated parameters. */
export function aQuery(schemas: Record<string, Schema>, known: KnownValues): fc.Arbitrary<string> {
  const own = Object.entries(schemas).map(([name, schema]) =>
    fc
      .oneof(validValue(schema, known, name).map(String), hostileText)
      .map((value) => `${name}=${encodeURIComponent(value.toWellFormed())}`),
  );
  const other = fc.constantFrom(
    'x=1',
    '=',
    '&&',
    'cursor',
    '%zz',
    'a[]=1',
    'a[b]=c',
    '__proto__=1',
  );
  const parts = fc.array(fc.oneof(other, ...own), { maxLength: 4 });
  return own.length === 0
    ? fc.oneof(
        { arbitrary: fc.constant(''), weight: 4 },
        parts.map((all) => `?${all.join('&')}`),
      )
    : parts.map((all) => (all.length === 0 ? '' : `?${all.join('&')}`));
}
