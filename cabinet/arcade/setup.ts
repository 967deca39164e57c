import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { PLAYERS_LIST_MAX } from '#contract/rules/players.ts';
import { machineKeyAnswer, machinesAnswer } from '#contract/wire/machines.ts';
import { playersAnswer } from '#contract/wire/players.ts';

const TIMEOUT_MS = 10_000;

/** The message says what to do next. */
export class CannotOpen extends Error {}

const setup = z.object({
  machines: z.array(z.object({ name: z.string(), key: z.string() })),
  players: z.array(z.object({ uuid: z.string(), username: z.string() })),
});
export type Setup = z.infer<typeof setup>;

/** The folder for the keys and queues of one server. */
export function arcadeFolder(dataDir: string, url: string): string {
  return path.resolve(dataDir, 'arcade', new URL(url).host.replace(/[^a-z0-9.-]/gi, '_'));
}

/**
 * The operator key: `given` (BACKBOARD_OPERATOR_KEY), otherwise the data folder's `operator.key`.
 * @throws CannotOpen if neither exists.
 */
export function findOperatorKey(dataDir: string, given: string | undefined): string {
  if (given?.trim()) return given.trim();
  const file = path.resolve(dataDir, 'operator.key');
  try {
    return fs.readFileSync(file, 'utf8').trim();
  } catch {
    throw new CannotOpen(
      `There is no operator key in ${file}. Run npm start, which writes it, or set BACKBOARD_OPERATOR_KEY for another server.`,
    );
  }
}

/**
 * Reads machines and players from the server, adds missing machines, and replaces a key that
 * `folder` lacks or the server refuses. If no server answers, uses the setup of an earlier run.
 * @throws CannotOpen if there is no such setup, or if the server refuses, has no players or has
 * revoked a machine.
 */
export async function setUp(options: {
  url: string;
  operatorKey: string;
  folder: string;
  names: string[];
  players: number;
  skip: number;
}): Promise<Setup> {
  const { url, operatorKey, folder, names } = options;
  const file = path.join(folder, 'setup.json');
  const kept = readKept(file);
  const ask = async <T extends z.ZodType>(schema: T, call: string, body?: object) => {
    const answer = await fetch(new URL(`/api/operator/${call}`, url), {
      method: body === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        authorization: `Bearer ${operatorKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch(() => null);
    if (answer === null || answer.status >= 500) throw new Away();
    const parsed = schema.safeParse(await answer.json().catch(() => null));
    if (answer.status === 401)
      throw new CannotOpen(`${url} refuses the operator key. Use the key of this server.`);
    if (!answer.ok || !parsed.success)
      throw new CannotOpen(
        `The server at ${url} is not Backboard (status ${answer.status}). Correct --url.`,
      );
    return parsed.data;
  };

  try {
    const count = Math.min(PLAYERS_LIST_MAX, options.skip + options.players);
    const listed = await ask(playersAnswer, `players/?count=${count}`);
    const players = listed.results.slice(options.skip);
    if (players.length === 0)
      throw new CannotOpen(
        listed.results.length === 0
          ? `There are no players at ${url} yet. Sign up there, or run ./backboard demo.`
          : `--skip ${options.skip} leaves out everybody who can play: ${listed.results.length} in all.`,
      );
    const there = await ask(machinesAnswer, 'machines/');
    const machines = [];
    for (const name of names) {
      const machine = there.results.find((row) => row.name.toLowerCase() === name.toLowerCase());
      if (machine?.revoked)
        throw new CannotOpen(
          `The operator has revoked ${name}. Give it a new key: ./backboard machine rotate "${name}"`,
        );
      const known = kept?.machines.find((one) => one.name === name);
      if (machine && known && (await isAlive(url, known.key))) machines.push(known);
      else {
        const call = machine ? 'machines/rotate/' : 'machines/';
        const { key } = await ask(machineKeyAnswer, call, machine ? { machine: name } : { name });
        machines.push({ name, key });
      }
    }
    fs.mkdirSync(folder, { recursive: true });
    // Keep the keys of other machines.
    const others = kept?.machines.filter(({ name }) => !names.includes(name)) ?? [];
    const all = { machines: [...others, ...machines], players };
    fs.writeFileSync(`${file}.new`, JSON.stringify(all), { mode: 0o600 });
    fs.renameSync(`${file}.new`, file);
    return { machines, players };
  } catch (error) {
    if (!(error instanceof Away)) throw error;
    const machines = kept?.machines.filter(({ name }) => names.includes(name)) ?? [];
    if (kept === null || machines.length < names.length)
      throw new CannotOpen(
        `Cannot reach ${url}. Start the server with npm start, or set its address with --url.`,
      );
    return { machines, players: kept.players };
  }
}

class Away extends Error {}

function readKept(file: string): Setup | null {
  try {
    return setup.parse(JSON.parse(fs.readFileSync(file, 'utf8')));
  } catch {
    // No file, or one of another version: ask the server again.
    return null;
  }
}

async function isAlive(url: string, key: string): Promise<boolean> {
  const answer = await fetch(new URL('/api/machine/', url), {
    headers: { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => null);
  if (answer === null || answer.status >= 500) throw new Away();
  return answer.status !== 401;
}
