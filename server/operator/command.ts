import type { z } from 'zod';
import type { ConsoleTopic } from '#contract/rules/live.ts';
import type { AuditArea } from '#contract/rules/staff.ts';
import type { Answer, Call } from '#contract/wire/calls.ts';
import { detailError } from '#contract/wire/errors.ts';
import { notifyConsole } from '../db/notifications.ts';
import type { Deps } from '../deps.ts';
import { refusals as anyRefusals, unauthorized } from '../errors.ts';
import { type CallRequest, type RouteNotes, route } from '../http/route.ts';
import type { App } from '../http/scope.ts';
import { type EVENTS, logSecurity } from '../http/security-log.ts';
import { type LeagueDecision, storeLeagueDecisions } from '../leagues/decisions.ts';
import { type Actor, actorOf, asLogged } from '../staff/actor.ts';
import { audited, authorOf, type Entry } from '../staff/audit.ts';
import { type LeastRole, leastRole } from '../staff/authenticate.ts';
import { type Policy, policyOf } from '../staff/policy.ts';
import { isOpen } from '../staff/sessions.ts';
import { type Finder, finder } from './find.ts';

/** The errors that every operator route can answer. Too many wrong keys get 429 (P49). */
export const refusals = { ...anyRefusals, 404: detailError, 409: detailError };

/** A route's summary, and the least role of staff; `key` means only the operator key (P63). */
export const operatorSchema = (summary: string, { role }: { role: LeastRole }) => ({
  tags: ['operator'],
  summary,
  ...leastRole(role),
});

/** What all commands may use. */
export type Ground = Pick<
  Deps,
  'config' | 'db' | 'anonymous' | 'clock' | 'log' | 'mail' | 'fromReplica'
>;

/**
 * A request, and what a command needs to answer it. In a change, `db` is its transaction, and rows
 * that are found are locked.
 */
export type Asked<C extends Call> = Ground &
  Pick<CallRequest<C>, 'body' | 'query' | 'ip'> & {
    actor: Actor;
    policy: Policy;
    find: Finder;
    /** Writes an event of the security log (P42). */
    report: (event: keyof typeof EVENTS, about: Record<string, unknown>) => void;
  };

type Described = {
  summary: string;
  /** The least role of staff; `key` means only the operator key (P63). */
  role: LeastRole;
  options?: RouteNotes['options'];
  /** Replaces the usual schema of a 400. */
  400?: z.ZodType;
};

/** One of a noun's commands: registers its route. */
export type Command = (app: App, ground: Ground, noun: Noun) => void;

/** A noun's commands. A change writes into the audit's `area` and notifies consoles of `topics`. */
export type Noun = {
  area: AuditArea;
  topics: readonly ConsoleTopic[];
  /** Whether its changes are to rows of staff (`audited`). */
  ofStaff?: boolean;
  commands: readonly Command[];
};

export function register(app: App, ground: Ground, nouns: readonly Noun[]): void {
  for (const noun of nouns) for (const command of noun.commands) command(app, ground, noun);
}

const notesOf = ({ summary, role, options, 400: bad }: Described): RouteNotes => ({
  ...operatorSchema(summary, { role }),
  refusals: { ...refusals, ...(bad && { 400: bad }) },
  ...(options && { options }),
});

function ask<C extends Call>(ground: Ground, request: CallRequest<C>, lock: boolean): Asked<C> {
  const actor = actorOf(request);
  const policy = policyOf(actor);
  const { body, query, ip } = request;
  return {
    ...ground,
    body,
    query,
    ip,
    actor,
    policy,
    find: finder(ground.db, actor, policy, lock),
    report: (event, about) => logSecurity(request, event, { ...asLogged(actor), ...about }),
  };
}

/**
 * A command that reads, or opens its own transactions. Like a change, it checks the session after
 * the body has arrived (P62).
 */
export function read<C extends Call>(
  call: C,
  { work, ...described }: Described & { work: (asked: Asked<C>) => Promise<Answer<C>> },
): Command {
  const answer = async (ground: Ground, request: CallRequest<C>) => {
    const asked = ask(ground, request, false);
    // The session may have ended while the body arrived slowly.
    const { actor } = asked;
    if (call.startsWith('POST') && actor.kind === 'staff' && !(await isOpen(ground, actor)))
      throw unauthorized();
    return work(asked);
  };
  return (app, ground) =>
    route(app, call, notesOf(described), ((request) => answer(ground, request)) as Work<C>);
}
type Work<C extends Call> = Parameters<typeof route<C>>[3];

/** An audit line. `area` is by default the noun's. */
type Line = Omit<Entry, 'area'> & { area?: AuditArea };

/** What a change has done. Without an audit line it changed nothing. */
export type Done<C extends Call> = {
  answer: Answer<C>;
  audit?: Line | readonly Line[] | undefined;
  /** The decisions that the inbox lists (HAND-C11). */
  decided?: readonly LeagueDecision[];
  /** Replaces the noun's topics. */
  topics?: readonly ConsoleTopic[];
  /** The event for the security log, and what it is about (P42). */
  log?: Readonly<Parameters<Asked<C>['report']>>;
};

type Change<C extends Call, First> = Described & {
  /** Runs before the transaction; what it writes stays when the change is refused. */
  first?: (asked: Asked<C>) => Promise<First>;
  work: (asked: Asked<C>, first: First) => Promise<Done<C>>;
};

/**
 * A command that changes something. One transaction checks the session (P62), finds rows, changes
 * them, writes the audit (P65) and notifies the consoles.
 */
export function change<C extends Call, First = undefined>(
  call: C,
  { work, first, ...described }: Change<C, First>,
): Command {
  return (app, ground, { area, topics, ofStaff }) => {
    const answer = async (request: CallRequest<C>) => {
      const outside = ask(ground, request, false);
      const before = (await first?.(outside)) as First;
      const done = await audited(ground, outside.actor, { ofStaff }, async (trx, write) => {
        const done = await work(ask({ ...ground, db: trx }, request, true), before);
        const lines = [done.audit ?? []].flat();
        for (const line of lines) await write({ area, ...line });
        const by = { at: ground.clock.now(), ...authorOf(outside.actor) };
        await storeLeagueDecisions(trx, done.decided ?? [], by);
        if (lines.length > 0) await notifyConsole(trx, done.topics ?? topics);
        return done;
      });
      if (done.log) outside.report(...done.log);
      return done.answer;
    };
    route(app, call, notesOf(described), answer as Work<C>);
  };
}
