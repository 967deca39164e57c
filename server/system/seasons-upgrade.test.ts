import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import type { Standing } from '#contract/wire/leagues.ts';
import { makeSession } from '#testing/app/make.ts';
import { OPERATOR_KEY, withApp } from '#testing/app/test-app.ts';
import { addDays, weekOf } from '../leagues/calendar.ts';

vi.setConfig({ testTimeout: 120_000 });

const FILES = join(import.meta.dirname, '../../testing/app');
const backupOf = (version: string) => readFile(join(FILES, `backup-of-${version}.gz`));
const OPERATOR = { key: OPERATOR_KEY };
const DAY_MS = 86_400_000;

const t = withApp();

async function restore(bytes: Buffer): Promise<void> {
  const { body } = await t.call('POST', '/api/operator/restores/', { as: OPERATOR, body: {} });
  await t.app.inject({
    method: 'PUT',
    url: `/api/operator/restores/${body.id}/parts/0/`,
    headers: {
      authorization: `Bearer ${OPERATOR_KEY}`,
      'content-type': 'application/octet-stream',
    },
    payload: bytes,
  });
  const run = `/api/operator/restores/${body.id}/run/`;
  expect((await t.call('POST', run, { as: OPERATOR, body: {} })).status).toBe(200);
}

type Week = { team: string; week: string; total: number; against: number | null };

/** The table as version 0.2 sorted it: by wins, then the season's total, then the name. */
function tableOf02(teams: readonly string[], weeks: readonly Week[]): Standing[] {
  return teams
    .map((team) => {
      const own = weeks.filter((one) => one.team === team);
      const count = (is: (total: number, against: number) => boolean) =>
        own.filter(({ total, against }) => against !== null && is(total, against)).length;
      return {
        team,
        won: count((total, against) => total > against),
        drawn: count((total, against) => total === against),
        lost: count((total, against) => total < against),
        total: own.reduce((sum, { total }) => sum + total, 0),
      };
    })
    .sort(
      (a, b) =>
        b.won - a.won ||
        b.total - a.total ||
        (a.team.toLowerCase() < b.team.toLowerCase() ? -1 : 1),
    )
    .map((row, at) => ({ place: at + 1, ...row }));
}

test.each(['0.1', '0.2'])(
  'SEASON-03: leagues restored from a backup of %s read as before until staff plan a season',
  async (version) => {
    await restore(await backupOf(version));
    const { rows: leagues } = await sql<{ id: number; timezone: string; starts_on: string }>`
    select id, timezone, starts_on from leagues`.execute(t.db);
    expect(leagues.length).toBeGreaterThan(0);
    for (const { id, timezone, starts_on } of leagues) {
      const current = weekOf(t.clock.now(), timezone);
      const { rows: weeks } = await sql<Week>`
      with totals as (
        select team_id, week, sum(total)::integer as total from league_weeks group by 1, 2
      )
      select tm.name as team, w.week, coalesce(own.total, 0) as total,
        case when s.opponent_id is not null then coalesce(other.total, 0) end as against
      from (select team_id, week from totals union select team_id, week from matchup_sides) w
      join teams tm on tm.id = w.team_id
      left join totals own using (team_id, week)
      left join matchup_sides s using (team_id, week)
      left join totals other on other.team_id = s.opponent_id and other.week = w.week
      where tm.league_id = ${id} and w.week < ${current}::date`.execute(t.db);
      const { rows: players } = await sql<{ id: number; team: string }>`
      select distinct on (p.team_id) p.id, tm.name as team from players p
      join teams tm on tm.id = p.team_id where tm.league_id = ${id} order by p.team_id`.execute(
        t.db,
      );
      const teams = players.map(({ team }) => team);
      expect(teams.length).toBeGreaterThan(1);
      for (const player of players) {
        const as = await makeSession(t, player);
        const { body } = await t.call('GET', '/api/leaderboards/user-league-season/', { as });
        expect(body.standings).toEqual(tableOf02(teams, weeks));
        expect(body.season).toMatchObject({
          number: 1,
          name: 'Season 1',
          state: 'running',
          starts_on,
          ends_on: null,
          settles_at: null,
          next: null,
        });
        expect(body.changes).toEqual([]);
        for (const { week, from, to, postponed } of body.schedule) {
          expect(week).toBe((Date.parse(from) - Date.parse(starts_on)) / (7 * DAY_MS) + 1);
          expect([to, postponed]).toEqual([addDays(from, 6), undefined]);
        }
        const games = await t.call('GET', '/api/users/profile/games/', { as });
        for (const { counts } of games.body.results)
          expect(['off_season', 'paused']).not.toContain(counts);
      }
    }
  },
);

/**
 * What version 0.2 answered when its backup was made, for one player of each team, without sealed
 * pages.
 */
type AnswersOf02 = {
  asked: string;
  players: { player: number; answers: Record<string, { status: number; body: unknown }> }[];
};

test('SEASON-03: players of a backup of 0.2 get every answer that 0.2 gave them', async () => {
  await restore(await backupOf('0.2'));
  const answers = gunzipSync(await readFile(join(FILES, 'answers-of-0.2.gz')));
  const { asked, players }: AnswersOf02 = JSON.parse(answers.toString());
  t.clock.advance(Date.parse(asked) - t.clock.now().getTime());
  expect(players).toHaveLength(9);
  for (const { player, answers } of players) {
    const as = await makeSession(t, { id: player });
    for (const [path, { status, body }] of Object.entries(answers)) {
      const now = await t.call('GET', path, { as });
      // Later versions add fields, and take none away.
      expect({ path, status: now.status, body: now.body }).toMatchObject({ path, status, body });
    }
  }
});
