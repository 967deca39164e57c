import { cleanUp } from '../accounts/cleanup.ts';
import { IDLE_MS } from '../accounts/sessions.ts';
import type { Config } from '../config.ts';
import { settleContests } from '../contests/final.ts';
import { settleCups } from '../cups/settle.ts';
import type { Connection } from '../db/database.ts';
import type { openJobs } from '../db/jobs.ts';
import { answerForMachines } from '../demo/demo.ts';
import type { Deps } from '../deps.ts';
import { cleanUpDuels, settleDuels } from '../duels/settle.ts';
import { cleanUpBoards } from '../leaderboards/boards.ts';
import { tellPassed } from '../leaderboards/passed.ts';
import { keepPlaces } from '../leaderboards/places.ts';
import { cleanUpLeagueDecisions } from '../leagues/decisions.ts';
import { mailNewOnTeams } from '../leagues/new-on-team.ts';
import { endSeasons } from '../leagues/season-end.ts';
import { clearMarks } from '../leagues/season-offer.ts';
import { storeWeekSums } from '../leagues/week-sums.ts';
import { checkAlerts } from '../machines/alerts.ts';
import type { createMail } from '../mail/mail.ts';
import { nudgeByThemselves } from '../nudges/by-itself.ts';
import { cleanUpNudges } from '../nudges/nudges.ts';
import { storeUnderAge } from '../players/visibility.ts';
import { cleanUpPush } from '../push/cleanup.ts';
import { alertEmails } from '../staff/alerts.ts';
import { ageOut } from '../staff/audit.ts';
import { cleanUpStaff } from '../staff/sessions.ts';
import { cleanUpWeeks, tellWeeks } from '../weeks/weeks.ts';
import { withOwnConnection } from './pools.ts';

/** All scheduled work, with times in UTC. */

/** Nightly, off the hour. */
const CLEAN_UP_AT = '17 4 * * *';
/** When the places on the boards are stored (HAND-96). */
const PLACES_AT = '0 6 * * *';
const EVERY_MINUTE = '* * * * *';
const EVERY_TEN_MINUTES = '*/10 * * * *';
/** How often to settle contests and cup windows that are over (FRAME-04). */
const SETTLE_EVERY_MS = 10_000;

/**
 * Schedules all work. Only one of several processes runs each job, but every process settles
 * contests and cups. `stop` waits until settling ends; the caller stops `jobs`.
 */
export async function schedule({
  config,
  db,
  clock,
  mail,
  jobs,
  log,
  connection,
}: {
  config: Config;
  db: Deps['db'];
  clock: Deps['clock'];
  mail: Awaited<ReturnType<typeof createMail>>;
  jobs: Awaited<ReturnType<typeof openJobs>>;
  log: Deps['log'];
  connection: Connection;
}): Promise<{ stop: () => Promise<void> }> {
  const nightly = (name: string, cron: string, work: (db: Deps['db']) => Promise<object>) =>
    jobs.repeat(name, cron, () => withOwnConnection(connection, (_pool, own) => work(own)));
  const often = (name: string, cron: string, work: () => Promise<unknown>) =>
    jobs.repeat(name, cron, work, { often: true });
  await Promise.all([
    nightly('board-places', PLACES_AT, async (own) => ({
      places: await keepPlaces({ db: own, clock }),
    })),
    nightly('clean-up', CLEAN_UP_AT, async (own) => ({
      devices: await cleanUpPush({ db: own, clock }, IDLE_MS),
      ...(await cleanUp({ db: own, clock })),
      hidden: await storeUnderAge({ clock, config }, own),
      boards: await cleanUpBoards({ db: own, clock }),
      staff: await cleanUpStaff({ db: own, clock }),
      audit: await ageOut(own),
      decisions: await cleanUpLeagueDecisions({ db: own, clock }),
      weeks: await cleanUpWeeks({ db: own, clock }),
      duels: await cleanUpDuels({ db: own, clock }),
      nudges: await cleanUpNudges({ db: own, clock }),
      sums: await storeWeekSums({ db: own, clock }),
    })),
    often('alerts', EVERY_MINUTE, () => checkAlerts({ db, clock, mail, config }, alertEmails)),
    often('seasons', EVERY_MINUTE, async () => ({
      ended: await endSeasons({ db, clock }),
      unmarked: await clearMarks({ db, clock }),
    })),
    often('weeks', EVERY_MINUTE, () => tellWeeks({ db, clock })),
    often('duels', EVERY_MINUTE, () => settleDuels({ config, db, clock })),
    often('passed', EVERY_TEN_MINUTES, () => tellPassed({ config, db, clock })),
    often('nudges', EVERY_MINUTE, () => nudgeByThemselves({ db, clock })),
    often('new-on-teams', EVERY_MINUTE, () => mailNewOnTeams({ db, clock, config, mail })),
    often('demo-machines', EVERY_MINUTE, () => answerForMachines({ db, clock })),
  ]);
  const settling = [
    repeatedly(() => settleContests({ db, clock }), log),
    repeatedly(() => settleCups({ db, clock }), log),
  ];
  return {
    stop: async () => {
      await Promise.all(settling.map(({ stop }) => stop()));
    },
  };
}

/**
 * Runs `work` every `SETTLE_EVERY_MS`, one run at a time, until `stop` is called. `stop` waits for
 * the current run.
 */
function repeatedly(work: () => Promise<unknown>, log: Deps['log']) {
  let running: Promise<unknown> | undefined;
  const timer = setInterval(() => {
    running ??= work()
      .catch((err: unknown) =>
        log.warn({ err }, 'contests or cups cannot be settled: trying again'),
      )
      .finally(() => {
        running = undefined;
      });
  }, SETTLE_EVERY_MS).unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
