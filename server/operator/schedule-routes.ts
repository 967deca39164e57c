import {
  leagueRef,
  previewQuery,
  scheduleAnswer,
  scheduleBody,
  scheduleClearBody,
  scheduleClearedAnswer,
  standingsAnswer,
} from '#contract/wire/leagues.ts';
import { notifyConsole } from '../db/notifications.ts';
import type { Deps } from '../deps.ts';
import type { App } from '../http/scope.ts';
import type { League } from '../leagues/leagues.ts';
import { clearSchedule, generateSchedule, previewSchedule } from '../leagues/schedule.ts';
import { readSeason } from '../leagues/season.ts';
import { actorOf } from '../staff/actor.ts';
import { audited } from '../staff/audit.ts';
import { leaguesByName } from './by-name.ts';
import { operatorSchema, refusals } from './schema.ts';

/** The commands `schedule …` and `standings`. */
export function scheduleCommands(app: App, deps: Pick<Deps, 'db' | 'clock'>): void {
  const { db, clock } = deps;
  const { league } = leaguesByName(db);

  app.get(
    '/api/operator/leagues/standings/',
    {
      schema: {
        ...operatorSchema("Show a league's table", { role: 'floor' }),
        querystring: leagueRef,
        response: { 200: standingsAnswer, ...refusals },
      },
    },
    async (request) =>
      readSeason(db, await league(request.query.league, actorOf(request)), clock.now()),
  );

  const schedule = (of: League) => readSeason(db, of, clock.now());

  app.get(
    '/api/operator/leagues/schedule/',
    {
      schema: {
        ...operatorSchema("Show a league's matchups", { role: 'floor' }),
        querystring: leagueRef,
        response: { 200: scheduleAnswer, ...refusals },
      },
    },
    async (request) => schedule(await league(request.query.league, actorOf(request))),
  );

  app.post(
    '/api/operator/leagues/schedule/',
    {
      schema: {
        ...operatorSchema('Generate matchups for the coming weeks', { role: 'manager' }),
        body: scheduleBody,
        response: { 200: scheduleAnswer, ...refusals },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const of = await league(request.body.league, actor);
      await audited(deps, actor, async (trx, write) => {
        await generateSchedule(trx, of, request.body);
        await write({
          area: 'leagues',
          what: `Made matchups for ${of.name}`,
          after: { weeks: request.body.weeks, from: request.body.from ?? 'the first free week' },
        });
        await notifyConsole(trx, ['weeks']);
      });
      return schedule(of);
    },
  );

  app.get(
    '/api/operator/leagues/schedule/preview/',
    {
      schema: {
        ...operatorSchema('Show the matchups that would be generated, without storing them', {
          role: 'manager',
        }),
        querystring: previewQuery,
        response: { 200: scheduleAnswer, ...refusals },
      },
    },
    async (request) => {
      const of = await league(request.query.league, actorOf(request));
      return { league: of.name, schedule: await previewSchedule(db, of, request.query) };
    },
  );

  app.post(
    '/api/operator/leagues/schedule/clear/',
    {
      schema: {
        ...operatorSchema('Delete the matchups of the weeks that have not begun', {
          role: 'manager',
        }),
        body: scheduleClearBody,
        response: { 200: scheduleClearedAnswer, ...refusals },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const of = await league(request.body.league, actor);
      const weeks_cleared = await audited(deps, actor, async (trx, write) => {
        const cleared = await clearSchedule({ ...deps, db: trx }, of);
        await write({
          area: 'leagues',
          what: `Cleared the coming weeks of ${of.name}`,
          before: { weeks: cleared },
          after: { weeks: 0 },
        });
        await notifyConsole(trx, ['weeks']);
        return cleared;
      });
      return { ...(await schedule(of)), weeks_cleared };
    },
  );
}
