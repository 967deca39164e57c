import { setTimeout as sleep } from 'node:timers/promises';
import { COPY_PORT, type Site, until } from './site.ts';

/** Longer than a transaction that records a game. */
const APART = "interval '1 second'";

/**
 * Makes a backup of a cluster that records games, and brings a copy back to a moment after it, as
 * docs/cluster.md says. Returns a sentence for the report.
 * @throws Error if the copy lacks a game of before the moment, or has one of after it
 */
export async function goBack(site: Site): Promise<string> {
  const leader = await site.leader();
  const client = await site.connect();
  await site.runAsPostgres(leader, ['pgbackrest', '--stanza=backboard', '--type=full', 'backup']);
  await sleep(5_000);
  const { rows } = await client.query<{ moment: string }>('select now()::text as moment');
  const moment = rows[0]?.moment ?? '';
  await sleep(5_000);
  await client.query('select pg_switch_wal()');
  const begun = performance.now();
  await site.restore(leader, moment);
  const copy = await site.connect(COPY_PORT);
  await until('copy that can write', async () => {
    const { rows } = await copy.query('select pg_is_in_recovery() as recovering');
    return !rows[0].recovering;
  });
  const seconds = (performance.now() - begun) / 1000;
  const before = `select count(*)::int as games from games where received_at < '${moment}'::timestamptz - ${APART}`;
  const [all, kept] = [await client.query(before), await copy.query(before)];
  const { rows: last } = await copy.query<{ right: boolean }>(`
    select max(received_at) between '${moment}'::timestamptz - ${APART} and '${moment}' as right
    from games`);
  const { rows: size } = await copy.query<{ mb: number }>(
    "select (pg_database_size('backboard') / 1e6)::int as mb",
  );
  await Promise.all([client.end(), copy.end()]);
  if (all.rows[0].games !== kept.rows[0].games || !last[0]?.right)
    throw new Error(
      `the copy has ${kept.rows[0].games} of ${all.rows[0].games} games, its last is ${last[0]?.right ? '' : 'not '}of the second before ${moment}`,
    );
  return `back to a moment: ${size[0]?.mb} MB after ${seconds.toFixed(1)} s, ${kept.rows[0].games} games, to the second`;
}
