import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { latestDate } from '#contract/rules/birthdate.ts';
import type { Visibility } from '#contract/rules/visibility.ts';
import {
  makeGames,
  makeIp,
  makeLeague,
  makeMachine,
  makePlayer,
  makeSession,
  makeTeam,
} from '#testing/app/make.ts';
import { OPERATOR_KEY, type TestApp, withApp } from '#testing/app/test-app.ts';
import { readCode, setJoining } from '../leagues/joining.ts';
import { mayBeNamed, namedFor, storeUnderAge, type Viewer } from './visibility.ts';

const t = withApp();

/** The birth date of a player who becomes `age` in `days` days, by UTC+14's date. */
function bornFor(age: number, { days = 0 } = {}): string {
  const today = new Date(`${latestDate(t.clock.now())}T00:00:00Z`);
  today.setUTCDate(today.getUTCDate() + days);
  today.setUTCFullYear(today.getUTCFullYear() - age);
  return today.toISOString().slice(0, 10);
}

async function signedIn(columns: Parameters<typeof makePlayer>[1] = {}) {
  const player = await makePlayer(t, columns);
  // Each call has its own session, because access tokens are valid for ten minutes.
  const call = async (method: string, body?: unknown) =>
    t.call(method, '/api/users/profile/', { as: await makeSession(t, player), body });
  const patch = (body: unknown) => call('PATCH', body);
  const user = async () => (await call('GET')).body;
  const stored = () =>
    t.db
      .selectFrom('players')
      .select(['visibility', 'visibility_question'])
      .where('id', '=', player.id)
      .executeTakeFirstOrThrow();
  return { player, patch, user, stored };
}
const UNDER_18 =
  'Under 18, only your league sees your name. You can choose this from the age of 18.';

describe('ACC-60: the choice', () => {
  test('the choice is `players` at first, and an adult can choose anything', async () => {
    const { patch, user } = await signedIn();
    expect(await user()).toMatchObject({ visibility: 'players', visibility_max: 'venue' });
    for (const visibility of ['venue', 'league', 'players'] as Visibility[]) {
      const answer = await patch({ visibility });
      expect([answer.status, answer.body.visibility]).toEqual([200, visibility]);
      expect((await user()).visibility).toBe(visibility);
    }
  });

  test('any other value is refused and changes nothing', async () => {
    const { patch, user } = await signedIn();
    for (const visibility of ['everybody', '', null, 3]) {
      const answer = await patch({ visibility, jersey_number: '12' });
      expect([answer.status, answer.body]).toEqual([
        400,
        { visibility: ['Visibility must be league, players or venue.'] },
      ]);
    }
    expect(await user()).toMatchObject({ visibility: 'players', jersey_number: '00' });
  });
});

describe('ACC-61: under age', () => {
  test('`league` applies whatever is stored, and nothing else can be chosen', async () => {
    const { patch, user, stored } = await signedIn({
      date_of_birth: bornFor(18, { days: 1 }),
      visibility: 'venue',
    });
    expect(await user()).toMatchObject({ visibility: 'league', visibility_max: 'league' });
    for (const visibility of ['players', 'venue']) {
      const answer = await patch({ visibility });
      expect([answer.status, answer.body]).toEqual([400, { visibility: [UNDER_18] }]);
    }
    expect((await patch({ visibility: 'league' })).status).toBe(200);
    expect(await stored()).toMatchObject({ visibility: 'league' });
  });

  test('`league` also applies without a birth date; one patch may set the birth date and the choice', async () => {
    const { patch, user } = await signedIn({ date_of_birth: null });
    expect(await user()).toMatchObject({ visibility: 'league', visibility_max: 'league' });
    expect((await patch({ visibility: 'players' })).status).toBe(400);
    const young = await patch({ visibility: 'players', date_of_birth: bornFor(17) });
    expect([young.status, young.body]).toEqual([400, { visibility: [UNDER_18] }]);
    const adult = await patch({ visibility: 'venue', date_of_birth: bornFor(18) });
    expect(adult.body).toMatchObject({ visibility: 'venue', visibility_max: 'venue' });
  });

  test('ADULT_AGE=0 turns the rule off, ADULT_AGE=21 raises the age', async () => {
    const player = await makePlayer(t, { date_of_birth: bornFor(20) });
    const [off, higher] = [await t.sibling({ adult_age: 0 }), await t.sibling({ adult_age: 21 })];
    const as = await makeSession(t, player);
    const ask = async (app: TestApp) =>
      (await app.call('GET', '/api/users/profile/', { as, ip: makeIp() })).body.visibility_max;
    expect([await ask(t), await ask(off), await ask(higher)]).toEqual(['venue', 'venue', 'league']);
    const answer = await higher.call('PATCH', '/api/users/profile/', {
      as,
      body: { visibility: 'players' },
    });
    expect(answer.body.visibility[0]).toMatch(/^Under 21, /);
  });
});

describe('ACC-62: coming of age', () => {
  test('coming of age changes no choice automatically, and the app asks once', async () => {
    const { patch, user } = await signedIn({ date_of_birth: null });
    const young = await patch({ date_of_birth: bornFor(18, { days: 1 }) });
    expect(young.body).toMatchObject({ visibility: 'league', visibility_question: false });
    t.clock.advance(24 * 3_600_000);
    expect(await user()).toMatchObject({
      visibility: 'league',
      visibility_max: 'venue',
      visibility_question: true,
    });
    const { body } = await patch({ visibility: 'league' });
    expect(body).toMatchObject({ visibility: 'league', visibility_question: false });
  });

  test('an answer before coming of age does not count, nor does a change of another field', async () => {
    const { patch, user } = await signedIn({ date_of_birth: null });
    await patch({ date_of_birth: bornFor(18, { days: 1 }) });
    await patch({ visibility: 'league' });
    t.clock.advance(24 * 3_600_000);
    await patch({ jersey_number: '07' });
    expect(await user()).toMatchObject({ visibility_question: true });
    expect((await patch({ visibility: 'venue' })).body.visibility_question).toBe(false);
  });

  test('the app never asks somebody who signed up as an adult', async () => {
    const { patch } = await signedIn({ date_of_birth: null });
    const { body } = await patch({ date_of_birth: bornFor(18) });
    expect(body).toMatchObject({ visibility: 'players', visibility_question: false });
  });

  test('a birth date corrected to under age stores `league`, and one corrected to adult makes the app ask', async () => {
    const { player, patch, user, stored } = await signedIn({ visibility: 'venue' });
    const correct = async (date_of_birth: string) => {
      const answer = await t.call('POST', '/api/operator/players/birthdate/', {
        as: { key: OPERATOR_KEY },
        body: { email: player.email, date_of_birth },
      });
      expect(answer.status).toBe(200);
    };
    await correct(bornFor(15));
    expect(await stored()).toEqual({ visibility: 'league', visibility_question: true });
    await correct(bornFor(30));
    expect(await user()).toMatchObject({ visibility: 'league', visibility_question: true });
    await correct(bornFor(31));
    expect(await user()).toMatchObject({ visibility_question: true });
    await patch({ visibility: 'venue' });
    await correct(bornFor(32));
    expect(await user()).toMatchObject({ visibility: 'venue', visibility_question: false });
  });

  test('a corrected birth date alone does not show a hidden player, whatever is stored', async () => {
    const { player, user } = await signedIn({
      visibility: 'venue',
      date_of_birth: bornFor(15),
    });
    const answer = await t.call('POST', '/api/operator/players/birthdate/', {
      as: { key: OPERATOR_KEY },
      body: { email: player.email, date_of_birth: bornFor(30) },
    });
    expect(answer.status).toBe(200);
    expect(await user()).toMatchObject({ visibility: 'league', visibility_question: true });
  });

  test('a raised ADULT_AGE hides players below it, and asks them when they reach it', async () => {
    const { player, user } = await signedIn({
      visibility: 'venue',
      date_of_birth: bornFor(21, { days: 1 }),
    });
    const adult = await makePlayer(t, { visibility: 'venue', date_of_birth: bornFor(30) });
    const child = await makePlayer(t, { visibility: 'league', date_of_birth: bornFor(15) });
    const higher = await t.sibling({ adult_age: 21 });
    const named = async (app: TestApp) => {
      const { rows } = await sql<{ id: number }>`
        select p.id from players p where ${mayBeNamed(app, 'screen')}
        and p.id in (${player.id}, ${adult.id}, ${child.id})`.execute(t.db);
      return rows.map(({ id }) => id);
    };
    expect(await named(t)).toEqual([player.id, adult.id]);
    expect(await named(higher)).toEqual([adult.id]);
    await storeUnderAge(higher, t.db);
    expect(await storeUnderAge(higher, t.db)).toBe(0);
    t.clock.advance(24 * 3_600_000);
    expect(await named(higher)).toEqual([adult.id]);
    expect(await user()).toMatchObject({ visibility: 'league', visibility_question: true });
  });
});

describe('ACC-60, P68: the condition of every query', () => {
  async function names(viewer: Viewer, players: { id: number }[], app: TestApp = t) {
    const { rows } = await sql<{ id: number; username: string | null; both: boolean }>`
      select p.id, ${namedFor(app, viewer)}, coalesce(${mayBeNamed(app, viewer)}, false) as both
      from players p where p.id = any(${players.map(({ id }) => id)}::bigint[])`.execute(t.db);
    for (const row of rows) expect(row.username !== null).toBe(row.both);
    return players.map(({ id }) => rows.find((row) => row.id === id)?.username ?? null);
  }
  const make = (visibility: Visibility, age = 30) =>
    makePlayer(t, { visibility, date_of_birth: bornFor(age) });

  test('a player, a shared picture and a screen each show only the players who may be seen there', async () => {
    const adults = await Promise.all([make('league'), make('players'), make('venue')]);
    const child = await make('venue', 15);
    const unknown = await makePlayer(t, { visibility: 'venue', date_of_birth: null });
    const all = [...adults, child, unknown];
    const [inLeague, toPlayers, onScreens] = adults.map(({ username }) => username);
    const other = await make('league');
    expect(await names({ player_id: other.id }, all)).toEqual([
      null,
      toPlayers,
      onScreens,
      null,
      null,
    ]);
    expect(await names('screen', all)).toEqual([null, null, onScreens, null, null]);
    const [first] = adults;
    expect(await names({ shared_by: first?.id ?? 0 }, all)).toEqual([
      inLeague,
      toPlayers,
      onScreens,
      null,
      null,
    ]);
    expect(await names({ player_id: child.id }, all)).toContain(child.username);
    expect(await names({ shared_by: child.id }, all)).not.toContain(child.username);
  });

  test('LEAGUE-23: players who joined by a code see the league’s names after a game at its venue, or when staff confirm', async () => {
    const child = await make('league', 15);
    const league = await makeLeague(t);
    const team = await makeTeam(t, league, [child]);
    await setJoining(t, league, 'open');
    const [here, elsewhere] = [
      await makeMachine(t, { venue: 'Here' }),
      await makeMachine(t, { venue: 'Elsewhere' }),
    ];
    await sql`update leagues set venue_id = (select venue_id from machines where id = ${here.id})
      where id = ${league.id}`.execute(t.db);
    const guest = async () => {
      const player = await make('players');
      const session = await makeSession(t, player);
      await t.call('POST', `/api/teams/join/${await readCode(t.db, team)}/`, { as: session });
      return player;
    };
    const seenBy = async ({ id }: { id: number }) =>
      (await names({ player_id: id }, [child]))[0] === child.username;
    const players = [await guest(), await guest(), await guest()] as const;
    for (const player of players) expect(await seenBy(player)).toBe(false);
    const [plays, played, waits] = players;
    await makeGames(t, here, plays, [{}]);
    expect(await seenBy(plays)).toBe(true);
    await makeGames(t, elsewhere, played, [{}]);
    expect(await seenBy(played)).toBe(false);
    const page = await t.call('GET', `/api/operator/teams/page/?team=id:${team.id}`, {
      as: { key: OPERATOR_KEY },
    });
    const strangers = (page.body.players as { account: string; stranger: boolean }[])
      .filter(({ stranger }) => stranger)
      .map(({ account }) => Number(account));
    expect(strangers.sort()).toEqual([played.id, waits.id].sort());
    const confirm = () =>
      t.call('POST', '/api/operator/teams/accept/', {
        as: { key: OPERATOR_KEY },
        body: { team: team.name, account: String(waits.id) },
      });
    expect((await confirm()).status).toBe(200);
    const [line] = await t.db
      .selectFrom('audit')
      .select('what')
      .orderBy('id', 'desc')
      .limit(1)
      .execute();
    expect(line?.what).toBe(`Confirmed ${waits.username}, who joined ${team.name} by its code`);
    expect(await seenBy(waits)).toBe(true);
    expect((await confirm()).status).toBe(404);
    // In a league without a venue, a game at any venue is enough.
    await sql`update leagues set venue_id = null where id = ${league.id}`.execute(t.db);
    expect(await seenBy(played)).toBe(true);
  });

  test('a league sees its own players only; a player without a team is in no league', async () => {
    const [mate, opponent, elsewhere, alone] = await Promise.all([
      make('league', 15),
      make('league', 15),
      make('league', 15),
      make('league', 15),
    ]);
    const viewer = await make('players');
    const league = await makeLeague(t);
    await makeTeam(t, league, [viewer, mate]);
    await makeTeam(t, league, [opponent]);
    await makeTeam(t, await makeLeague(t), [elsewhere]);
    const all = [mate, opponent, elsewhere, alone];
    const seen = [mate.username, opponent.username, null, null];
    expect(await names({ player_id: viewer.id }, all)).toEqual(seen);
    expect(await names({ player_id: sql`${viewer.id}::bigint` }, all)).toEqual(seen);
    expect(await names({ player_id: alone.id }, all)).toEqual([null, null, null, alone.username]);
    expect(await names({ shared_by: viewer.id }, all)).toEqual([null, null, null, null]);
  });
});
