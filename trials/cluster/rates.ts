import { setTimeout as sleep } from 'node:timers/promises';
import { GAMES_PATH, note } from '../../bench/load/games.ts';
import { load, request } from '../../bench/load/load.ts';
import { figure, median } from '../../bench/report.ts';
import { APPS, addressOf, DATABASES } from './hosts.ts';
import type { Load } from './load.ts';
import { type Site, until } from './site.ts';

const CONNECTIONS = 16;
const SECONDS = 8;
const ROUNDS = 3;
const TOGETHER_MS = 250;

/** What stands in for `pg_notify` while the rate is measured. */
const EVENTS = {
  'with events': 'perform pg_catalog.pg_notify(channel, payload)',
  'events announced together': 'insert into announcements values (channel, payload)',
  'without events': 'null',
};
const SHADOW = `
  create unlogged table announcements (channel text, payload text);
  grant all on announcements to backboard;
  create function pg_notify(channel text, payload text) returns void language plpgsql
    as 'begin ${EVENTS['with events']}; end';
  alter role backboard set search_path = public, pg_catalog`;
const ANNOUNCE = `
  with gone as (delete from announcements returning channel, payload)
  select pg_catalog.pg_notify(channel, payload) from gone group by channel, payload`;

/**
 * Games a second through the front, one a call, in turns: on three database hosts and on one, with
 * each of EVENTS. Returns a sentence for each.
 */
export async function compareRates(site: Site, by: Load): Promise<string[]> {
  const setUp = await site.connect();
  await setUp.query(SHADOW);
  await setUp.end();
  for (const name of APPS) await site.restartApp(name);
  const measured = new Map<string, number[]>();
  for (let round = 0; round < ROUNDS; round += 1)
    for (const hosts of [3, 1]) {
      const leader = await site.leader();
      const others = DATABASES.filter((name) => name !== leader);
      if (hosts === 1) {
        await site.configure({ synchronous_mode: false, synchronous_mode_strict: false });
        for (const name of others) await site.stopPatroni(name);
        await untilNames(site, (names) => names === '');
      }
      for (const [events, body] of Object.entries(EVENTS)) {
        const name = `${hosts} ${hosts === 1 ? 'host' : 'hosts'}, ${events}`;
        measured.set(name, [...(measured.get(name) ?? []), await rateOf(site, by, body)]);
      }
      if (hosts === 1) {
        await site.configure({ synchronous_mode: true, synchronous_mode_strict: true });
        for (const name of others) site.startPatroni(name);
        await site.untilWhole();
        await untilNames(site, (names) => names !== '');
      }
    }
  return [...measured].map(
    ([name, rates]) =>
      `${name}: ${figure(median(rates))} games a second (${rates.map(figure).join(', ')})`,
  );
}

async function untilNames(site: Site, right: (names: string) => boolean): Promise<void> {
  const client = await site.connect();
  await until('change of standbys', async () => {
    const { rows } = await client.query('show synchronous_standby_names');
    return right(rows[0].synchronous_standby_names);
  });
  await client.end();
}

async function rateOf(site: Site, by: Load, body: string): Promise<number> {
  const client = await site.connect();
  await client.query(`create or replace function pg_notify(channel text, payload text) returns void
    language plpgsql as 'begin ${body}; end'`);
  let over = false;
  const announcer = (async () => {
    while (!over) {
      await sleep(TOGETHER_MS);
      await client.query(ANNOUNCE);
    }
  })();
  const { perSecond, wrong, example } = await load({
    host: addressOf('front'),
    port: 8080,
    connections: CONNECTIONS,
    seconds: SECONDS,
    next: () => {
      const { key, body } = by.make(1);
      return {
        text: request('POST', GAMES_PATH, { authorization: `Bearer ${key}` }, body),
        answered: (status, answer) => {
          if (status === 200) note(by.acknowledged, answer);
        },
      };
    },
  });
  over = true;
  await announcer;
  await client.end();
  if (wrong > 0) throw new Error(`${wrong} calls failed, such as ${example}`);
  return perSecond;
}
