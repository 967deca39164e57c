import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { type GameResult, gamesRecorded } from '#contract/wire/machines.ts';
import type { Rule } from './rules.ts';

const FOLDER = path.join(import.meta.dirname, 'vectors');

const game = z.looseObject({ id: z.string() });
const headers = z.record(z.string(), z.string()).default({});
const body = z.union([z.string(), z.looseObject({}), z.array(z.unknown())]);
const answer = z.strictObject({ status: z.number().int(), headers, body });
const call = z.strictObject({
  /** The request comes at least this many ms after the previous answer. */
  not_before_ms: z.number().int().default(0),
  request: z.strictObject({
    method: z.literal('POST'),
    path: z.literal('/api/machine/games/'),
    headers,
    body: z.strictObject({ games: z.array(game) }),
  }),
  /** Games that end between request and answer. */
  meanwhile: z.array(game).default([]),
  /** null: the connection breaks after the request arrived. */
  answer: answer.nullable(),
  /** The machine's clock when the answer arrives. */
  machine_clock: z.iso.datetime().optional(),
  queue: z.array(z.string()),
  /** The ids of the games for a person to look at. */
  report: z.array(z.string()).default([]),
  /** The first words of all lines that a client prints for this answer. */
  says: z.array(z.string()).optional(),
});
/** JSON texts, as the machine's program writes them. */
const written = z.strictObject({ game: z.string(), numbers: z.string() });
const silence = z.strictObject({ request: z.null(), queue: z.array(z.string()) });
const step = z.union([
  z.strictObject({ finish: z.array(game) }),
  z.strictObject({ refuse: game }),
  z.strictObject({ finish_written: z.array(written) }),
  z.strictObject({ refuse_written: written, says: z.string() }),
  z.strictObject({ restart: z.strictObject({ key: z.string().optional() }) }),
  z.strictObject({
    begin: z.strictObject({ machine_clock: z.iso.datetime(), played_at: z.iso.datetime() }),
  }),
  silence,
  call,
]);
const vectors = z.strictObject({
  rule: z.string(),
  cases: z.array(
    z.strictObject({ title: z.string(), game: game.optional(), steps: z.array(step) }),
  ),
});

export type VectorCase = z.infer<typeof vectors>['cases'][number];
export type VectorAnswer = z.infer<typeof answer>;

const RECORDED = { status: 'recorded', counts: 'league', personal_best: false, achievements: [] };

/**
 * Replaces each `{from, to}` with a list: ids for the field `queue`, results for `results`,
 * otherwise games like `template`.
 */
function expand(value: unknown, key: string, template: { id?: string }): unknown {
  if (Array.isArray(value)) return value.map((one) => expand(one, key, template));
  if (typeof value !== 'object' || value === null) return value;
  if ('from' in value && 'to' in value) {
    const from = Number(value.from);
    return Array.from({ length: Number(value.to) - from + 1 }, (_, at) => {
      const id = `${template.id?.slice(0, 24)}${String(from + at).padStart(12, '0')}`;
      if (key === 'queue') return id;
      return key === 'results' ? { ...RECORDED, id } : { ...template, id, score: from + at };
    });
  }
  const known = 'game' in value ? (value.game as object) : template;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, expand(inner, name, known)]),
  );
}

/**
 * The cases of vectors/<rule>.json (docs/machine-api.md).
 * @throws when the file is missing or malformed.
 */
export function readVectors(rule: Rule): VectorCase[] {
  const text = fs.readFileSync(path.join(FOLDER, `${rule}.json`), 'utf8');
  return vectors.parse(expand(JSON.parse(text), '', {})).cases;
}

/**
 * The first answer in a rule's vectors.
 * @throws if there is none.
 */
export function answerOf(rule: Rule): VectorAnswer {
  const calls = readVectors(rule).flatMap(({ steps }) =>
    steps.flatMap((step) => ('answer' in step && step.answer ? [step.answer] : [])),
  );
  if (calls[0] === undefined) throw new Error(`vectors/${rule}.json has no answer`);
  return calls[0];
}

/**
 * The results in the first answer of a rule's vectors.
 * @throws if there is none.
 */
export function resultsOf(rule: Rule): GameResult[] {
  return gamesRecorded.parse(answerOf(rule).body).results;
}
