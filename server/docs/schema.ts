/** The part of JSON Schema 2020-12 that our zod schemas use. */
export type Schema = {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  default?: unknown;
  examples?: unknown[];
};

/** `name` is a path: `results[].id`. */
export type Field = { name: string; required: boolean; rule: string };

const CURSOR = '1795183500000.0b9f6d3e-58a1-4c0e-9f57-6a1f6b0c2d11.1.Jk3vY8t7Qn2h…';

/** Examples by field name. `exampleOf` uses the first one that fits the schema. */
const EXAMPLES: Record<string, unknown[]> = {
  access: ['eyJhbGciOiJIUzI1NiIs…'],
  account: ['1042'],
  adult_age: [18],
  authorization_endpoint: ['https://accounts.google.com/o/oauth2/v2/auth'],
  avatar_color: ['#377AD3'],
  brand: ['Backboard'],
  client: ['Chrome on Android'],
  client_id: ['1234567890.apps.googleusercontent.com'],
  code: ['482913', '4/0AbUR2VN…'],
  code_verifier: ['dBjftJeZ4CVP-mBMqLkw_Lp3gWzvKs7bQ2n8cTfE1aY'],
  csv: ['team,email\nNight Owls,maya@example.com\n'],
  cursor: [CURSOR],
  date_of_birth: ['2001-07-14'],
  detail: ['What is wrong, in a sentence.'],
  duration_s: [45],
  email: ['maya@example.com'],
  emails: [['maya@example.com', 'noor@example.com']],
  error: ['What is wrong, in a sentence.'],
  from: ['2026-11-16'],
  from_team: ['7'],
  game: ['0b9f6d3e-58a1-4c0e-9f57-6a1f6b0c2d11', '48213'],
  home: ['Night Owls'],
  away: ['Rim Rattlers'],
  bye: ['Swish Kids'],
  icon: ['first-game'],
  id: ['0b9f6d3e-58a1-4c0e-9f57-6a1f6b0c2d11'],
  issuer: ['https://accounts.google.com'],
  jersey_number: ['07'],
  key: ['bbm_…'],
  league: ['Winter League'],
  machine: ['Court 1'],
  max_score: [9999],
  min_age: [13],
  name: ['Court 1'],
  next: [CURSOR],
  nonce: ['n-0S6_WzA2Mj'],
  password: ['nine green hoops'],
  player: ['5f0c7f4e-9a43-4f5d-8d5e-2f4b1c7a9e10'],
  redirect_uri: ['https://play.example/auth/google/callback'],
  refresh: ['bbr_Jk3vY8t7Qn2h…'],
  reason: ['bad_score'],
  score: [812],
  shots_attempted: [40],
  shots_made: [27],
  since: ['2026-11-16T00:00:00.000Z'],
  starts: ['2026-11-16'],
  starts_on: ['2026-11-16'],
  subject: ['103547991597142817347'],
  support_email: ['support@play.example'],
  team: ['Night Owls'],
  team_name: ['Night Owls'],
  timezone: ['Europe/Berlin'],
  to: ['2026-11-22'],
  token: ['Jk3vY8t_7Qn2hKpL0aZxC4mWbE9rSfUdGi1oVt5yHsA'],
  username: ['MAYA_BANKS'],
  uuid: ['5f0c7f4e-9a43-4f5d-8d5e-2f4b1c7a9e10'],
  venue: ['Main Street Arcade'],
};
const TIME = '2026-11-21T14:05:00.000Z';

const isWhole = ({ type }: Schema) => type === 'integer';
const isNull = (schema: Schema) => schema.type === 'null';
/** A schema's alternatives, or undefined if it has one type. */
export function alternativesOf(schema: Schema): Schema[] | undefined {
  if (Array.isArray(schema.type)) return schema.type.map((type) => ({ ...schema, type }));
  return schema.oneOf ?? schema.anyOf;
}
const isNumber = (schema: Schema) => isWhole(schema) || schema.type === 'number';
/** Whether the author set this bound: zod's default is the largest safe integer. */
const isSaid = (bound: number | undefined): bound is number =>
  bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;

export function fits(schema: Schema, value: unknown): boolean {
  if (Object.keys(schema).length === 0) return true;
  if ('const' in schema) return schema.const === value;
  if (schema.enum) return schema.enum.includes(value);
  const alternatives = alternativesOf(schema);
  if (alternatives) return alternatives.some((one) => fits(one, value));
  const { minimum = -Infinity, maximum = Infinity, minLength = 0, maxLength = Infinity } = schema;
  if (value === null) return isNull(schema);
  if (typeof value === 'string')
    return (
      schema.type === 'string' &&
      value.length >= minLength &&
      value.length <= maxLength &&
      (schema.pattern === undefined || new RegExp(schema.pattern).test(value))
    );
  if (typeof value === 'number')
    return (
      isNumber(schema) &&
      value >= minimum &&
      value <= maximum &&
      (!isWhole(schema) || Number.isInteger(value))
    );
  if (typeof value === 'boolean') return schema.type === 'boolean';
  if (Array.isArray(value))
    return (
      schema.type === 'array' &&
      value.length >= (schema.minItems ?? 0) &&
      value.every((item) => fits(schema.items ?? {}, item))
    );
  return (
    schema.type === 'object' &&
    (schema.required ?? []).every((name) => name in Object(value)) &&
    Object.entries(Object(value)).every(([name, one]) => {
      const own = schema.properties?.[name] ?? schema.additionalProperties;
      return typeof own === 'object' ? fits(own, one) : own !== false;
    })
  );
}

/** A realistic value of a field called `name`. */
export function exampleOf(schema: Schema, name = ''): unknown {
  if (schema.default !== undefined) return schema.default;
  if ('const' in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  const known = EXAMPLES[name]?.find((value) => fits(schema, value));
  if (known !== undefined) return known;
  const [first] = alternativesOf(schema) ?? [];
  if (first) return exampleOf(first, name);
  if (isNull(schema)) return null;
  if (schema.type === 'object') {
    const { properties = {}, additionalProperties } = schema;
    if (Object.keys(properties).length === 0 && typeof additionalProperties === 'object')
      return { field: exampleOf(additionalProperties) };
    return Object.fromEntries(
      Object.entries(properties)
        // `account` or `email`, never both.
        .filter(([key]) => key !== 'account' || !('email' in properties))
        .map(([key, value]) => [key, exampleOf(value, key)]),
    );
  }
  if (schema.type === 'array') {
    const { items = {} } = schema;
    return (items.oneOf ?? [items]).map((one) => exampleOf(one, name.replace(/s$/, '')));
  }
  if (schema.type === 'boolean') return true;
  if (isNumber(schema)) return Math.max(3, isSaid(schema.minimum) ? schema.minimum : 3);
  if (schema.format === 'date-time' || name.endsWith('_at') || name === 'at') return TIME;
  if (schema.format === 'date') return '2026-11-16';
  return schema.format === 'uuid' ? EXAMPLES.id?.[0] : 'text';
}

function bounds(low: number | undefined, high: number | undefined, unit: string): string {
  if (isSaid(low) && isSaid(high)) return `, ${low} to ${high}${unit}`;
  if (isSaid(low) && low > 0) return `, at least ${low}${unit}`;
  if (isSaid(high)) return `, at most ${high}${unit}`;
  return '';
}

export function ruleOf(schema: Schema): string {
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  const alternatives = alternativesOf(schema);
  if (alternatives)
    return [
      ...new Set([
        ...alternatives.filter((one) => !isNull(one)).map(ruleOf),
        ...alternatives.filter(isNull).map(ruleOf),
      ]),
    ].join(', or ');
  if (schema.type === 'array') return `list${bounds(schema.minItems, schema.maxItems, ' items')}`;
  if (schema.type === 'string') {
    const kind = { date: 'YYYY-MM-DD', 'date-time': 'time', uuid: 'UUID' }[schema.format ?? ''];
    if (kind) return kind;
    const pattern = schema.pattern ? `, ${schema.pattern}` : '';
    return `text${bounds(schema.minLength, schema.maxLength, ' characters')}${pattern}`;
  }
  if (isNumber(schema))
    return `${isWhole(schema) ? 'whole number' : 'number'}${bounds(schema.minimum, schema.maximum, '')}`;
  return (
    { boolean: 'true or false', object: 'object', null: 'null' }[String(schema.type)] ?? 'anything'
  );
}

/** A schema's fields, depth first. A field with alternatives gets a single row. */
export function fieldsOf(schema: Schema, path = ''): Field[] {
  const fields = new Map<string, Field>();
  const add = (field: Field) => {
    const same = fields.get(field.name);
    if (same === undefined) fields.set(field.name, field);
    else if (!same.rule.split(' or ').includes(field.rule)) same.rule += ` or ${field.rule}`;
  };
  for (const one of alternativesOf(schema) ?? []) fieldsOf(one, path).forEach(add);
  for (const [key, value] of Object.entries(schema.properties ?? {})) {
    const name = path === '' ? key : `${path}.${key}`;
    add({ name, required: schema.required?.includes(key) ?? false, rule: ruleOf(value) });
    fieldsOf(value, name).forEach(add);
  }
  if (schema.items) fieldsOf(schema.items, `${path}[]`).forEach(add);
  return [...fields.values()];
}
