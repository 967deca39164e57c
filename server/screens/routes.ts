import { z } from 'zod';
import { detailError } from '#contract/wire/errors.ts';
import type { Listener } from '../db/listener.ts';
import type { Deps } from '../deps.ts';
import { anonymousRefusals, refusals, unavailable } from '../errors.ts';
import { sendEvents } from '../http/event-stream.ts';
import { beginPairing, claim } from '../http/pairing.ts';
import { route } from '../http/route.ts';
import type { App } from '../http/scope.ts';
import { authenticateScreen, screenOf } from './authenticate.ts';
import { giveToken } from './pairing.ts';
import { readPayload } from './payload.ts';
import { openScreenStreams } from './streams.ts';

/** A stream lasts at most this long. Then the screen opens a new one. */
const LONG_MS = 3_600_000;

type PairingDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'log'>;

export function screenPairingRoutes(app: App, deps: PairingDeps): void {
  route(
    app,
    'POST /api/screen/pair/',
    {
      tags: ['screen'],
      summary: 'Get a code for the screen and a secret to claim its token',
      refusals: anonymousRefusals,
    },
    ({ ip, body }) =>
      beginPairing(deps, 'screen', ip, {
        width: body?.width ?? null,
        height: body?.height ?? null,
      }),
  );

  route(
    app,
    'POST /api/screen/claim/',
    {
      tags: ['screen'],
      summary: 'Claim the token of a paired screen, once; null while nobody has paired it',
      refusals: { ...anonymousRefusals, 404: detailError },
    },
    async ({ ip, body }) => ({ token: await claim(deps, 'screen', ip, body.secret, giveToken) }),
  );
}

export function screenRoutes(
  app: App,
  deps: Pick<Deps, 'config' | 'db' | 'anonymous' | 'clock' | 'log' | 'draining'>,
  listener: Listener,
): void {
  const streams = openScreenStreams(deps, listener);
  app.addHook('preClose', async () => streams.close());
  app.addHook('onRequest', authenticateScreen(deps));

  route(
    app,
    'GET /api/screen/',
    { tags: ['screen'], summary: 'Everything that this screen shows' },
    (request) => readPayload(deps, screenOf(request)),
  );

  app.get(
    '/api/screen/events/',
    {
      // HEAD would open a stream that nobody reads.
      exposeHeadRoute: false,
      handlerTimeout: LONG_MS,
      schema: {
        tags: ['screen'],
        summary: 'Stream an event whenever the payload may have changed',
        response: {
          ...refusals,
          200: {
            description: 'Server-sent events without data: change.',
            content: { 'text/event-stream': { schema: z.unknown() } },
          },
        },
      },
    },
    async (request, reply) => {
      if (deps.draining()) throw unavailable('Shutting down.');
      return sendEvents(reply, await streams.open(screenOf(request)));
    },
  );
}
