import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { decodeRoster } from '#contract/rules/roster-text.ts';
import { makeLeague, makePlayer } from '#testing/app/make.ts';
import { OPERATOR_KEY, withApp } from '#testing/app/test-app.ts';
import { moveToTeams } from '../players/players.ts';

/** Files saved by three spreadsheet programs, and files typed by hand. */
const FILES = join(import.meta.dirname, '../../testing/rosters');

const t = withApp();
const players: { id: number }[] = [];
beforeAll(async () => {
  for (const name of ['ace', 'airmax'])
    players.push(await makePlayer(t, { email: `${name}@example.com` }));
});

test.each(readdirSync(FILES).filter((file) => !file.startsWith('typed-')))(
  'OPS-05: the roster %s is imported: two players, two teams',
  async (file) => {
    const league = await makeLeague(t);
    const { status, body } = await t.call('POST', '/api/operator/leagues/import/', {
      as: { key: OPERATOR_KEY },
      body: {
        league: league.name,
        csv: decodeRoster(readFileSync(join(FILES, file))),
        new_teams: true,
      },
    });
    expect([status, body.players_added, body.teams_created]).toEqual([200, 2, 2]);
    const { body: shown } = await t.call(
      'GET',
      `/api/operator/leagues/show/?league=id:${league.id}`,
      { as: { key: OPERATOR_KEY } },
    );
    const teams = shown.teams as { players: { email: string }[] }[];
    expect(teams.map((team) => team.players.map(({ email }) => email)).sort()).toEqual([
      ['ace@example.com'],
      ['airmax@example.com'],
    ]);
    await moveToTeams(
      t.db,
      players.map(({ id }) => ({ player_id: id, team_id: null })),
      t.clock.now(),
      null,
    );
    t.clock.advance(1_000);
  },
);
