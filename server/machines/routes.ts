import { z } from 'zod';
import { detailError } from '#contract/errors.ts';
import {
  BATCH_BYTES,
  gamesBody,
  gamesRecorded,
  greetingAnswer,
  machineAnswer,
} from '#contract/machines.ts';
import type { Deps } from '../deps.ts';
import { notFound, refusals } from '../errors.ts';
import type { App } from '../http/scope.ts';
import { authenticateMachine, machineOf } from './authenticate.ts';
import { greet } from './greeting.ts';
import { reportRecorder } from './report.ts';

const uuid = z.guid();

/** The routes of the machine scope. They call `countGame` with the status of each reported game. */
export function machineRoutes(app: App, deps: Deps, countGame: (status: string) => void): void {
  app.addHook('onRequest', authenticateMachine(deps));
  const record = reportRecorder(deps);
  const serverTime = () => deps.clock.now().toISOString();

  app.get(
    '/api/machine/',
    {
      schema: {
        tags: ['machine'],
        summary: 'Check the key and the clock',
        response: { 200: machineAnswer, ...refusals },
      },
    },
    async (request) => {
      const { id, name, venue } = machineOf(request);
      return { id: String(id), name, venue, server_time: serverTime() };
    },
  );

  app.get(
    '/api/machine/players/:uuid/',
    {
      schema: {
        tags: ['machine'],
        summary: 'The player to greet after a scan',
        params: z.object({ uuid: z.string() }),
        response: { 200: greetingAnswer, 404: detailError, ...refusals },
      },
    },
    async (request) => {
      const code = uuid.safeParse(request.params.uuid);
      const player = code.success ? await greet(deps, code.data) : null;
      if (player === null) throw notFound('No player has this code.');
      return { ...player, server_time: serverTime() };
    },
  );

  app.post(
    '/api/machine/games/',
    {
      bodyLimit: BATCH_BYTES,
      schema: {
        tags: ['machine'],
        summary: 'Report games, any number of times; each counts once',
        body: gamesBody,
        response: { 200: gamesRecorded, ...refusals },
      },
    },
    async (request) => {
      const results = await record({ machine: machineOf(request), items: request.body.games });
      for (const { status } of results) countGame(status);
      return { results, server_time: serverTime() };
    },
  );
}
