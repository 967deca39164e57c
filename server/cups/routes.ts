import { detailError } from '#contract/wire/errors.ts';
import { changeAs } from '../accounts/sessions.ts';
import { boardReader, readRunning } from '../contests/page.ts';
import type { Deps } from '../deps.ts';
import { badRequest, refusals } from '../errors.ts';
import { userSessionOf } from '../http/caller.ts';
import { route } from '../http/route.ts';
import type { App } from '../http/scope.ts';
import { readSeasonOver } from '../leagues/season-archive.ts';
import { withdraw } from './changes.ts';
import { lockCup } from './cups.ts';
import { findOwnSide, readCupPage, readRunningCup } from './page.ts';

export function cupRoutes(app: App, deps: Pick<Deps, 'config' | 'db' | 'clock'>): void {
  route(
    app,
    'GET /api/cups/:id/',
    {
      tags: ['cup'],
      summary: 'A cup with its rounds and the own pairing',
      refusals: { ...refusals, 404: detailError },
    },
    (request) => readCupPage(deps, userSessionOf(request).player_id, Number(request.params.id)),
  );
  route(
    app,
    'POST /api/cups/:id/leave/',
    {
      tags: ['cup'],
      summary: 'Leave a cup of players: the opponent goes on',
      refusals: { ...refusals, 404: detailError },
    },
    (request) =>
      changeAs(deps, userSessionOf(request), async (trx, player) => {
        const now = deps.clock.now();
        await lockCup(trx, Number(request.params.id));
        const { tree, seed } = await findOwnSide(trx, player.id, Number(request.params.id));
        if (seed === null) throw badRequest('There is no pairing left that you could leave.');
        await withdraw(trx, tree, seed, { undo: false, now });
      }),
  );
}

export function runningRoute(app: App, deps: Pick<Deps, 'db' | 'clock'>): void {
  const board = boardReader(deps);
  route(
    app,
    'GET /api/users/profile/running/',
    {
      tags: ['contest'],
      summary: 'The contest and the cup that run where the player plays, and a season that is over',
    },
    async (request) => {
      const { player_id } = userSessionOf(request);
      return {
        contest: await readRunning({ ...deps, board }, player_id),
        cup: await readRunningCup(deps, player_id),
        season: await readSeasonOver(deps.db, player_id, deps.clock.now()),
      };
    },
  );
}
