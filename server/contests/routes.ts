import { detailError } from '#contract/wire/errors.ts';
import type { Deps } from '../deps.ts';
import { refusals } from '../errors.ts';
import { callerOf, findSession } from '../http/caller.ts';
import { route } from '../http/route.ts';
import type { App } from '../http/scope.ts';
import { boardReader, provenCodes, readContestPage } from './page.ts';

export function contestPageRoute(
  app: App,
  deps: Pick<Deps, 'config' | 'db' | 'anonymous' | 'clock' | 'log'>,
): void {
  const board = boardReader(deps);
  const proven = provenCodes();
  route(
    app,
    'GET /api/contests/:code/',
    {
      tags: ['contest'],
      summary: 'The contest with this code; a visitor sees no names',
      refusals: { ...refusals, 404: detailError },
    },
    (request) => {
      const session = findSession(request);
      const { code } = request.params;
      if (session !== undefined)
        return readContestPage({ ...deps, board, proven }, { player_id: session.player_id }, code);
      const visitor = callerOf(request);
      return readContestPage({ ...deps, db: deps.anonymous, board, proven }, { visitor }, code);
    },
  );
}
