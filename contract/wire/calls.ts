import type { z } from 'zod';
import { accountCalls } from './accounts.ts';
import { achievementCalls } from './achievements.ts';
import { auditCalls } from './audit.ts';
import { backupCalls } from './backups.ts';
import { contestCalls } from './contests.ts';
import { courtCalls } from './court.ts';
import { cupCalls } from './cups.ts';
import { duelCalls } from './duels.ts';
import { friendCalls } from './friends.ts';
import { gameCalls } from './games.ts';
import { inboxCalls } from './inbox.ts';
import { leaderboardCalls } from './leaderboards.ts';
import { leagueCalls } from './leagues.ts';
import { machineCalls } from './machines.ts';
import { nudgeCalls } from './nudges.ts';
import { playerCalls } from './players.ts';
import { profileCalls } from './profile.ts';
import { pushCalls } from './push.ts';
import { screenCalls } from './screens.ts';
import { searchCalls } from './search.ts';
import { seasonCalls } from './seasons.ts';
import { staffCalls } from './staff.ts';
import { systemCalls } from './system.ts';
import { teamCalls } from './teams.ts';
import { tonightCalls } from './tonight.ts';
import { venueCalls } from './venues.ts';

/**
 * What a call takes and answers. `answer` is the body of a 200, `created` the body of a 201, and
 * `lines` each progress line of a 200. A call with none of these three answers 204.
 */
export type Row = {
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  answer?: z.ZodType;
  created?: z.ZodType;
  lines?: z.ZodType;
};

/**
 * Every call with a JSON answer, by method and path. The server takes a route's schemas from here
 * (server/http/route.ts), and clients take the types. Browsers import only types.
 */
export const calls = {
  ...accountCalls,
  ...achievementCalls,
  ...auditCalls,
  ...backupCalls,
  ...contestCalls,
  ...courtCalls,
  ...cupCalls,
  ...duelCalls,
  ...friendCalls,
  ...gameCalls,
  ...inboxCalls,
  ...leaderboardCalls,
  ...leagueCalls,
  ...machineCalls,
  ...nudgeCalls,
  ...playerCalls,
  ...profileCalls,
  ...pushCalls,
  ...screenCalls,
  ...searchCalls,
  ...seasonCalls,
  ...staffCalls,
  ...systemCalls,
  ...teamCalls,
  ...tonightCalls,
  ...venueCalls,
} satisfies Record<string, Row>;

type Calls = typeof calls;
/** A method and path, such as `POST /api/users/auth/login/`. */
export type Call = keyof Calls;
export type Method = Call extends `${infer Method} ${string}` ? Method : never;

type Schema<C extends Call, Part extends keyof Row> = Calls[C] extends {
  [P in Part]: infer Found extends z.ZodType;
}
  ? Found
  : undefined;
type Written<S> = S extends z.ZodType ? z.input<S> : undefined;

/** What a client sends; undefined for a call without a body. */
export type Body<C extends Call> = C extends Call ? Written<Schema<C, 'body'>> : never;

/** What the server answers; undefined with a 204. */
export type Answer<C extends Call> = C extends Call
  ? Calls[C] extends { answer: infer S } | { created: infer S }
    ? S extends z.ZodType
      ? z.input<S>
      : never
    : undefined
  : never;

/** A part of a request as the server has parsed it. */
export type Input<C extends Call, Part extends 'params' | 'query' | 'body'> = C extends Call
  ? Schema<C, Part> extends infer S extends z.ZodType
    ? z.output<S>
    : undefined
  : never;

type PathOf<C extends Call, M extends Method> = C extends `${M} ${infer Path}`
  ? Filled<Path>
  : never;
/** A path with any text in place of its parameters. */
type Filled<Path extends string> = Path extends `${infer Head}:${string}/${infer Tail}`
  ? `${Head}${string}/${Filled<Tail>}`
  : Path;

/**
 * The addresses of a method's calls, with parameters and query filled in, for clients that send
 * paths.
 */
export type Address<M extends Method> = {
  [C in Call]:
    | PathOf<C, M>
    | (Calls[C] extends { query: z.ZodType } ? `${PathOf<C, M>}?${string}` : never);
}[Call];

/** The call at an address. */
export type CallAt<M extends Method, A extends string> = A extends `${infer Path}?${string}`
  ? CallAtPath<M, Path>
  : CallAtPath<M, A>;
type CallAtPath<M extends Method, Path extends string> = `${M} ${Path}` extends Call
  ? `${M} ${Path}`
  : { [C in Call]: Path extends PathOf<C, M> ? C : never }[Call];

/** A query's fields, as text; undefined if the call needs none. */
export type Query<C extends Call> = C extends Call ? Optional<Texts<Schema<C, 'query'>>> : never;
type Texts<S> = {
  [Name in keyof Written<S>]: unknown extends Written<S>[Name]
    ? string | undefined
    : Written<S>[Name];
};
type Optional<Fields> = Record<never, never> extends Fields ? Fields | undefined : Fields;

/** The arguments for a body or query, optional if the call requires none. */
export type Given<Payload, Options = undefined> = undefined extends Payload
  ? [payload?: Payload, options?: Options]
  : [payload: Payload, options?: Options];
