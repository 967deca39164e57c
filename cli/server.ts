import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { z } from 'zod';
import { isLoopback, originOf } from '#contract/rules/loopback.ts';
import type { Progress } from '#contract/wire/system.ts';
import { Failure } from './terminal.ts';

const ROOT = join(import.meta.dirname, '..');
const DEFAULT_URL = 'http://127.0.0.1:3000';
const CALL_TIMEOUT_MS = 30_000;
/** Long work reports at least every ten seconds (OPS-08). */
const SILENCE_MS = 60_000;

export type Target = { url: string; key: string; keyFrom: string };

/**
 * Finds the server, in `BACKBOARD_URL`, and the key: in `BACKBOARD_OPERATOR_KEY`, the file that
 * `BACKBOARD_OPERATOR_KEY_FILE` names, or `operator.key` in `DATA_DIR` (relative to the project's
 * root).
 * @throws Failure for an invalid address or plain http to another computer (P49), or without a key.
 */
export function findTarget(env: Record<string, string | undefined>): Target {
  const url = env.BACKBOARD_URL || DEFAULT_URL;
  if (!/^https?:\/\/\S+$/i.test(url) || !URL.canParse(url))
    throw new Failure(`BACKBOARD_URL is not an address: ${url}. Use one like ${DEFAULT_URL}.`);
  const { protocol, hostname } = new URL(url);
  if (protocol === 'http:' && !isLoopback(hostname))
    throw new Failure(
      `BACKBOARD_URL is ${url}, but the operator key goes to another computer by https only. Use https://, or run the command on the server itself.`,
    );
  const given = env.BACKBOARD_OPERATOR_KEY?.trim();
  if (given) return { url: originOf(url), key: given, keyFrom: 'BACKBOARD_OPERATOR_KEY' };
  const path = env.BACKBOARD_OPERATOR_KEY_FILE
    ? resolve(env.BACKBOARD_OPERATOR_KEY_FILE)
    : resolve(ROOT, env.DATA_DIR || 'data', 'operator.key');
  try {
    return { url: originOf(url), key: readFileSync(path, 'utf8').trim(), keyFrom: path };
  } catch (error) {
    const denied = error instanceof Error && 'code' in error && error.code === 'EACCES';
    throw new Failure(
      denied
        ? `You may not read the operator key in ${path}. Run this as the user who runs the server, or set BACKBOARD_OPERATOR_KEY.`
        : `There is no operator key in ${path}. Run npm start, which writes it, or set BACKBOARD_URL and BACKBOARD_OPERATOR_KEY for another server.`,
    );
  }
}

/** The sentences of an error body (API-02). */
function sentences(body: unknown): string {
  if (typeof body !== 'object' || body === null) return '';
  return Object.entries(body)
    .flatMap(([field, value]) => {
      const texts = (Array.isArray(value) ? value : [value]).filter(
        (text): text is string => typeof text === 'string',
      );
      const plain = ['detail', 'error', 'non_field_errors'].includes(field);
      return plain ? texts : texts.map((text) => `${field}: ${text}`);
    })
    .join(' ');
}

async function failure(target: Target, answer: Response): Promise<Failure> {
  const text = await answer.text().catch(() => '');
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return new Failure(
      `The server at ${target.url} is not Backboard (status ${answer.status}). Set BACKBOARD_URL to the right address.`,
    );
  }
  if (answer.status === 401)
    return new Failure(
      `The server at ${target.url} refused the operator key from ${target.keyFrom}. Use the key of this server.`,
    );
  const listed = ['rows', 'new_teams'];
  const details =
    typeof body === 'object' && body !== null && listed.some((key) => key in body) ? body : {};
  const id = answer.headers.get('x-request-id');
  const trace = answer.status >= 500 && id !== null ? ` (request ${id} in the server's log)` : '';
  return new Failure(`${sentences(body)}${trace}`, { ...details, status: answer.status });
}

function unreachable(target: Target, error: unknown): Failure {
  const slow = error instanceof Error && error.name === 'TimeoutError';
  return new Failure(
    slow
      ? `The server at ${target.url} does not respond. See its log, then try again.`
      : `Cannot reach ${target.url}. Start it with npm start, or set BACKBOARD_URL to the server's address.`,
  );
}

/** One server's operator API (OPS-01). Every method throws Failure. */
export function operatorApi(target: Target) {
  async function send(
    method: string,
    path: string,
    payload: { body?: Uint8Array<ArrayBuffer> | string; type?: string } = {},
    signal: AbortSignal = AbortSignal.timeout(CALL_TIMEOUT_MS),
  ): Promise<Response> {
    let answer: Response;
    try {
      answer = await fetch(`${target.url}/api/operator/${path}`, {
        method,
        redirect: 'manual',
        signal,
        headers: {
          authorization: `Bearer ${target.key}`,
          ...(payload.type === undefined ? {} : { 'content-type': payload.type }),
        },
        ...(payload.body === undefined ? {} : { body: payload.body }),
      });
    } catch (error) {
      throw unreachable(target, error);
    }
    if (!answer.ok) throw await failure(target, answer);
    return answer;
  }

  async function parsed<T extends z.ZodType>(schema: T, answer: Response): Promise<z.infer<T>> {
    const result = schema.safeParse(await answer.json().catch(() => undefined));
    if (result.success) return result.data;
    throw new Failure(
      `The response of ${target.url} is invalid. Use a command of the same version as the server.`,
    );
  }

  const json = (body: unknown) => ({ body: JSON.stringify(body), type: 'application/json' });

  return {
    async get<T extends z.ZodType>(
      schema: T,
      path: string,
      query: Record<string, string | undefined> = {},
    ): Promise<z.infer<T>> {
      const given = Object.entries(query).filter(
        (pair): pair is [string, string] => pair[1] !== undefined,
      );
      const search = given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
      return parsed(schema, await send('GET', `${path}${search}`));
    },

    async post<T extends z.ZodType>(schema: T, path: string, body: unknown): Promise<z.infer<T>> {
      return parsed(schema, await send('POST', path, json(body)));
    },

    async put<T extends z.ZodType>(
      schema: T,
      path: string,
      bytes: Uint8Array<ArrayBuffer>,
    ): Promise<z.infer<T>> {
      return parsed(
        schema,
        await send('PUT', path, { body: bytes, type: 'application/octet-stream' }),
      );
    },

    async remove(path: string): Promise<void> {
      await send('DELETE', path);
    },

    async download(path: string): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
      const opening = new AbortController();
      const timer = setTimeout(() => opening.abort(), CALL_TIMEOUT_MS);
      const answer = await send('GET', path, {}, opening.signal).finally(() => clearTimeout(timer));
      if (answer.body === null) throw new Failure(`The server at ${target.url} sent nothing.`);
      return answer.body;
    },

    /** Starts long work, reads its progress line by line, and returns its result. */
    async follow<R>(
      line: z.ZodType<{ progress: Progress } | { result: R } | { error: string }>,
      path: string,
      body: unknown,
      onProgress: (progress: Progress) => void,
    ): Promise<R> {
      const silence = new AbortController();
      let timer = setTimeout(() => silence.abort(), SILENCE_MS);
      const lost = () =>
        new Failure(
          `The connection to ${target.url} was lost before the end. See the server's log for the result.`,
        );
      try {
        const answer = await send('POST', path, json(body), silence.signal);
        let rest = '';
        for await (const text of (answer.body ?? new ReadableStream()).pipeThrough(
          new TextDecoderStream(),
        )) {
          clearTimeout(timer);
          timer = setTimeout(() => silence.abort(), SILENCE_MS);
          const lines = (rest + text).split('\n');
          rest = lines.pop() ?? '';
          for (const each of lines) {
            const report = line.parse(JSON.parse(each));
            if ('result' in report) return report.result;
            if ('error' in report) throw new Failure(report.error);
            onProgress(report.progress);
          }
        }
        throw lost();
      } catch (error) {
        throw error instanceof Failure ? error : lost();
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

export type OperatorApi = ReturnType<typeof operatorApi>;
