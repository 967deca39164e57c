import { z } from 'zod';
import { LIVE_EVENTS } from '#contract/rules/live.ts';
import type { Deps } from '../deps.ts';
import { refusals, unavailable } from '../errors.ts';
import { sessionOf } from '../http/caller.ts';
import { sendEvents } from '../http/event-stream.ts';
import type { App } from '../http/scope.ts';
import type { Live } from './live.ts';

/** Longer than any stream, which ends with its access token. */
const LONG_MS = 3_600_000;

export function liveRoutes(app: App, { draining }: Pick<Deps, 'draining'>, live: Live): void {
  app.addHook('onListen', async () => live.start());
  app.addHook('preClose', () => live.close());

  app.get(
    '/api/users/profile/events/',
    {
      // HEAD would open a stream that nobody reads.
      exposeHeadRoute: false,
      handlerTimeout: LONG_MS,
      schema: {
        tags: ['profile'],
        summary: 'Stream events about changes',
        response: {
          ...refusals,
          200: {
            description: `Server-sent events without data: ${LIVE_EVENTS.join(', ')}.`,
            content: { 'text/event-stream': { schema: z.unknown() } },
          },
        },
      },
    },
    async (request, reply) => {
      if (draining()) throw unavailable('Shutting down.');
      return sendEvents(reply, await live.open(sessionOf(request)));
    },
  );
}
