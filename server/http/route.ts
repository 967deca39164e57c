import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import { z } from 'zod';
import { type Answer, type Call, calls, type Input, type Row } from '#contract/wire/calls.ts';
import { refusals as anyRefusals } from '../errors.ts';
import type { App } from './scope.ts';

/**
 * What a route adds to its row of `calls`. All but `refusals` and `options` goes into the schema,
 * for the documentation.
 */
export type RouteNotes = {
  tags?: string[];
  summary?: string;
  hide?: true;
  /** The errors that the route can answer; by default those for a caller who is signed in. */
  refusals?: Record<number, z.ZodType>;
  options?: Pick<
    RouteShorthandOptions,
    'attachValidation' | 'bodyLimit' | 'exposeHeadRoute' | 'handlerTimeout' | 'onRequest'
  >;
};

/** A request whose body, query and params have been parsed by the row's schemas. */
export type CallRequest<C extends Call> = FastifyRequest<{
  Body: Input<C, 'body'>;
  Querystring: Input<C, 'query'>;
  Params: Input<C, 'params'>;
}>;

type Returned<C extends Call> =
  Answer<C> extends undefined ? Promise<void> : Answer<C> | Promise<Answer<C>>;

/** The schemas and the status of a call's row, for Fastify. */
export function schemaOf(call: Call, refusals: Record<number, z.ZodType> = anyRefusals) {
  const { params, query, body, answer, created }: Row = calls[call];
  const [status, schema] = created ? [201, created] : answer ? [200, answer] : [204, z.void()];
  return {
    status,
    schema: {
      ...(params && { params }),
      ...(query && { querystring: query }),
      ...(body && { body }),
      response: { [status]: schema, ...refusals },
    },
  };
}

/**
 * Registers the route of a call. `work` returns the answer, or nothing for a 204; the row has the
 * status.
 */
export function route<C extends Call>(
  app: App,
  call: C,
  { refusals, options, ...documented }: RouteNotes,
  work: (request: CallRequest<C>, reply: FastifyReply) => Returned<C>,
): void {
  const [method, url] = call.split(' ') as [string, string];
  const { status, schema } = schemaOf(call, refusals);
  app.route<{ Body: Input<C, 'body'>; Querystring: Input<C, 'query'>; Params: Input<C, 'params'> }>(
    {
      method,
      url,
      ...options,
      schema: { ...documented, ...schema },
      handler: (request, reply) => work(request, reply.code(status)),
    },
  );
}
