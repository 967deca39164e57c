import { sql } from 'kysely';
import { z } from 'zod';
import { BATCH_BYTES } from '#contract/rules/machines.ts';
import { detailError } from '#contract/wire/errors.ts';
import type { Deps } from '../deps.ts';
import { anonymousRefusals, notFound, refusals } from '../errors.ts';
import { beginPairing, claim } from '../http/pairing.ts';
import { readJson } from '../http/requests.ts';
import { route } from '../http/route.ts';
import type { App } from '../http/scope.ts';
import { authenticateMachine, machineOf } from './authenticate.ts';
import { greet } from './greeting.ts';
import { giveKey } from './machines.ts';
import { viewMachines } from './overview.ts';
import { reportRecorder } from './report.ts';
import { storeGreeting, storeStatus } from './status.ts';

const uuid = z.guid();

/** Lets a machine get its key by showing a code (P114). */
export function machinePairingRoutes(
  app: App,
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log'>,
): void {
  route(
    app,
    'POST /api/machine/pair/',
    {
      tags: ['machine'],
      summary: 'Get a code for the machine to show and a secret to claim its key',
      refusals: anonymousRefusals,
    },
    ({ ip }) => beginPairing(deps, 'machine', ip),
  );

  route(
    app,
    'POST /api/machine/pair/claim/',
    {
      tags: ['machine'],
      summary: 'Claim the key of a paired machine, once; null while nobody has typed its code',
      refusals: { ...anonymousRefusals, 404: detailError },
    },
    async ({ ip, body }) => ({
      key: await claim(deps, 'machine', ip, body.secret, giveKey(deps)),
    }),
  );
}

/** The routes of the machine API. They call `countGame` with each game's status. */
export function machineRoutes(
  app: App,
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log' | 'anonymous'>,
  countGame: (status: string) => void,
): void {
  app.addHook('onRequest', authenticateMachine(deps));
  // A `__proto__` key in one game must not refuse the batch, nor must its depth (MACH-03).
  readJson(app, 'remove', Number.POSITIVE_INFINITY);
  const record = reportRecorder(deps);
  const serverTime = () => deps.clock.now().toISOString();

  route(
    app,
    'GET /api/machine/',
    { tags: ['machine'], summary: 'Check the key and the clock' },
    async (request) => {
      const { id, name, venue } = machineOf(request);
      return { id: String(id), name, venue, server_time: serverTime() };
    },
  );

  route(
    app,
    'GET /api/machine/players/:uuid/',
    {
      tags: ['machine'],
      summary: 'The player to greet after a scan',
      refusals: { 404: detailError, ...refusals },
    },
    async (request) => {
      const code = uuid.safeParse(request.params.uuid);
      const greeted = code.success ? await greet(deps, code.data) : null;
      if (greeted === null) throw notFound('No player has this code.');
      const { id } = machineOf(request);
      await storeGreeting(deps.db, id, greeted.player_id, deps.clock.now()).catch(
        (err: unknown) => {
          // Only the console shows the greeting, so the call goes on.
          deps.log.warn({ err, machine: id }, 'the greeting could not be noted');
        },
      );
      return { ...greeted.greeting, server_time: serverTime() };
    },
  );

  route(
    app,
    'PUT /api/machine/status/',
    { tags: ['machine'], summary: 'Say how many games wait, and whether somebody plays' },
    async (request) => {
      const { id } = machineOf(request);
      await storeStatus(deps.db, id, request.body, deps.clock.now());
      const [view] = await viewMachines(deps, sql<boolean>`m.id = ${id}`);
      return { server_time: serverTime(), state: view?.state ?? 'idle' };
    },
  );

  route(
    app,
    'POST /api/machine/games/',
    {
      tags: ['machine'],
      summary: 'Report games, any number of times; each counts once',
      options: { bodyLimit: BATCH_BYTES },
    },
    async (request) => {
      const results = await record({ machine: machineOf(request), items: request.body.games });
      for (const { status } of results) countGame(status);
      return { results, server_time: serverTime() };
    },
  );
}
