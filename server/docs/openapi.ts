import { STATUS_CODES } from 'node:http';
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import type { Config } from '../config.ts';
import { exampleOf, type Schema } from './schema.ts';

const TAGS = {
  account: 'Sign up, sign in, passwords and tokens.',
  profile: 'The player who is signed in.',
  games: 'The games of a player.',
  league: 'Teams, leagues, matchups and leaderboards.',
  contest: 'Contests: one night, one venue, everybody who plays.',
  cup: 'Cups: a knockout of teams or players.',
  notifications: 'Notifications to a player’s browsers.',
  duels: 'Duels of two players: the best single game of seven days.',
  nudges: 'Nudges of teammates: a game can still turn the week.',
  friends: 'Friends made in person, and blocks.',
  achievements: 'Achievements, and which ones a player has.',
  machine: 'What an arcade machine calls, with its machine key.',
  screen: 'What a venue screen calls, with its token.',
  operator:
    'What the command line calls, with the operator key, and the console, with its session.',
  console: 'Signing in to the console, and what staff see of themselves.',
  health: 'For monitoring.',
};

export const ERRORS: Record<string, string> = {
  '400':
    'The call is not understood, or refused. The body says why, by field where a field is wrong.',
  '401':
    'The key or token is missing, wrong or expired. A player’s client refreshes its token once.',
  '403': 'This caller may not do this.',
  '404': 'There is no such thing.',
  '405': 'The path is right, the method is not; Allow says which are.',
  '409': 'This conflicts with the current state.',
  '413': 'The body is too large.',
  '414': 'The address is too long.',
  '415': 'The body is not application/json.',
  '421': 'The Host is not a name of this server.',
  '429': 'Too many requests. Retry-After says how many seconds to wait.',
  '500': 'A mistake of ours. The answer’s X-Request-Id finds it in the log.',
  '503': 'Not now. Retry-After says how many seconds to wait.',
};

/**
 * A call's `operationId`: `GET /api/users/profile/games/{id}/` becomes `getUsersProfileGamesById`.
 */
export function operationId(method: string, path: string): string {
  const words = path
    .replace(/^\/api\//, '')
    .split('/')
    .filter((part) => part !== '')
    .map((part) => part.replace(/^[{:](\w+)\}?$/, 'by-$1'))
    .flatMap((part) => part.split(/[^a-zA-Z0-9]+/));
  return [
    method.toLowerCase(),
    ...words.map((word) => word[0]?.toUpperCase() + word.slice(1)),
  ].join('');
}

type Described = Schema & { content?: unknown; description?: string };

const withExample = (schema: Described): Described =>
  schema.content || schema.type === 'null' ? schema : { ...schema, examples: [exampleOf(schema)] };

/**
 * Describes the API in OpenAPI 3.1, with an operation id for each call and an example for each
 * body.
 */
export function describeApi({
  brand,
  public_url,
}: Pick<Config, 'brand' | 'public_url'>): FastifyDynamicSwaggerOptions {
  return {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: `${brand} API`,
        version: '1',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: public_url }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      components: {
        securitySchemes: {
          player: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
          machine: { type: 'http', scheme: 'bearer' },
          screen: { type: 'http', scheme: 'bearer' },
          operator: { type: 'http', scheme: 'bearer' },
          staff: { type: 'apiKey', in: 'cookie', name: 'backboard_staff' },
        },
      },
    },
    transform: (document) => {
      const { schema, url } = jsonSchemaTransform(document);
      if (schema.hide) return { schema, url };
      const { body, response = {} } = schema as {
        body?: Described;
        response?: Record<string, Described>;
      };
      return {
        url,
        schema: {
          ...schema,
          security: schema.security ?? [],
          operationId: operationId(String(document.route.method), document.url),
          ...(body === undefined ? {} : { body: withExample(body) }),
          response: Object.fromEntries(
            Object.entries(response).map(([status, one]) => [
              status,
              withExample({ description: ERRORS[status] ?? 'Done.', ...one }),
            ]),
          ),
        },
      };
    },
  };
}

type Responses = Record<string, unknown>;
type Api = {
  paths?: Record<string, Record<string, { responses?: Responses }>>;
  components?: Record<string, unknown>;
};

/**
 * Moves each error status's most common answer to `components.responses`, under a name such as
 * `BadRequest`, and refers to it from the calls.
 * @returns a copy
 */
export function shareRefusals(api: Api): Api {
  const calls = Object.values(api.paths ?? {}).flatMap((methods) => Object.values(methods));
  const counts = new Map<string, Map<string, number>>();
  for (const { responses = {} } of calls)
    for (const [status, answer] of Object.entries(responses)) {
      if (Number(status) < 400) continue;
      const answers = counts.get(status) ?? new Map<string, number>();
      const text = JSON.stringify(answer);
      counts.set(status, answers.set(text, (answers.get(text) ?? 0) + 1));
    }
  const shared = new Map<string, { name: string; text: string }>();
  for (const [status, answers] of [...counts].sort()) {
    const [text, count] = [...answers].reduce((one, other) => (other[1] > one[1] ? other : one));
    const name = (STATUS_CODES[status] ?? status).replace(/\W/g, '');
    if (count > 1) shared.set(status, { name, text });
  }
  const refer = (responses: Responses): Responses =>
    Object.fromEntries(
      Object.entries(responses).map(([status, answer]) => {
        const { name, text } = shared.get(status) ?? {};
        const same = text === JSON.stringify(answer);
        return [status, same ? { $ref: `#/components/responses/${name}` } : answer];
      }),
    );
  return {
    ...api,
    components: {
      ...api.components,
      responses: Object.fromEntries(
        [...shared.values()].map(({ name, text }) => [name, JSON.parse(text)]),
      ),
    },
    paths: Object.fromEntries(
      Object.entries(api.paths ?? {}).map(([path, methods]) => [
        path,
        Object.fromEntries(
          Object.entries(methods).map(([method, call]) => [
            method,
            call.responses === undefined ? call : { ...call, responses: refer(call.responses) },
          ]),
        ),
      ]),
    ),
  };
}
