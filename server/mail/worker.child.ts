import { databaseClock } from '../clock.ts';
import type { Config } from '../config.ts';
import { type Connection, openDatabase, openPool } from '../db/database.ts';
import { openJobs } from '../db/jobs.ts';
import { serverLogger } from '../log.ts';
import { createMail } from './mail.ts';

export type Given = {
  connection: Connection;
  config: Pick<Config, 'secret_keys' | 'smtp_url' | 'mail_from' | 'public_url'>;
};

const { connection, config }: Given = JSON.parse(process.env.GIVEN ?? '{}');
const log = serverLogger('silent');
const pool = openPool(connection, 2, () => undefined);
const jobs = await openJobs({ connection, log });
const isDeclined = () => Promise.resolve(true);
const clock = await databaseClock(pool);
const outbox = await createMail({ config, jobs, db: openDatabase(pool), clock, log, isDeclined });
await outbox.work();
