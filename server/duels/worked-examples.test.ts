import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DuelsAnswer } from '#contract/wire/duels.ts';
import { makeGames, makeMachine, makePlayer, makeSession } from '#testing/app/make.ts';
import { withApp } from '#testing/app/test-app.ts';
import { discardGame, releaseGame, restoreGame, voidGame } from '../games/corrections.ts';
import { endOf } from './duels.ts';

const page = await readFile(join(import.meta.dirname, '../../docs/duels.md'), 'utf8');

function examples(heading: string): Record<string, string>[] {
  const section = page.split(`## ${heading}\n`)[1]?.split('\n#', 1)[0] ?? '';
  const [head = [], , ...rows] = section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  expect(rows.length, heading).toBeGreaterThan(3);
  return rows.map((row) => Object.fromEntries(head.map((name, at) => [name, row[at] ?? ''])));
}

const t = withApp();
type Player = Awaited<ReturnType<typeof makePlayer>>;
const FROM = new Date('2026-11-25T19:40Z');
const UNTIL = new Date('2026-12-03T00:00Z');

/** A decided duel of two players, from FROM to UNTIL. */
async function aDuel(): Promise<[Player, Player]> {
  const [offerer, rival] = [await makePlayer(t), await makePlayer(t)];
  await t.db
    .insertInto('duels')
    .values({
      offerer_id: offerer.id,
      rival_id: rival.id,
      state: 'decided',
      told: 'none',
      offered_at: FROM,
      accept_until: UNTIL,
      accepted_at: FROM,
      ends_at: UNTIL,
      changed_at: UNTIL,
    })
    .execute();
  return [offerer, rival];
}

async function play(player: Player, score: number, played_at: Date): Promise<number> {
  const [game] = await makeGames(t, await makeMachine(t), player, [{ score, played_at }]);
  return game?.seq ?? 0;
}

async function listOf(player: Player): Promise<DuelsAnswer> {
  const as = await makeSession(t, player);
  return (await t.call('GET', '/api/users/duels/', { as })).body;
}

const CORRECTIONS: Record<string, (seq: number) => Promise<unknown>> = {
  released: (seq) => releaseGame(t, seq),
  discarded: (seq) => discardGame(t, seq),
  'taken out': (seq) => voidGame(t, seq),
  restored: (seq) => restoreGame(t, seq),
};

describe('the worked examples of docs/duels.md are correct', () => {
  test.each(examples('The end'))('$Zone, accepted $Accepted (UTC)', (row) => {
    const end = endOf(new Date(`${row['Accepted (UTC)']}Z`), row.Zone ?? '');
    expect(end.toISOString().slice(0, 16)).toBe(row['Ends (UTC)']);
  });

  test.each(examples('The games that count'))('DUEL-04 %o', async (row) => {
    const [offerer] = await aDuel();
    const [first, ...corrections] = (row['What becomes of it'] ?? '').split(', ');
    const score = first === 'held' ? t.config.max_score + 1 : 300;
    const seq = await play(offerer, score, new Date(`${row['Played (UTC)']}Z`));
    for (const name of corrections) {
      const correct = CORRECTIONS[name];
      if (correct === undefined) throw new Error(`docs/duels.md has an unknown word: ${name}`);
      await correct(seq);
    }
    const { results } = await listOf(offerer);
    expect(results[0]?.best?.score ?? null).toBe(row.Counts === 'yes' ? score : null);
  });

  test.each(examples('The result'))('DUEL-05 $Offerer against $Rival', async (row) => {
    const players = await aDuel();
    for (const [at, side] of [row.Offerer, row.Rival].entries())
      for (const [nth, score] of (side === '–' ? [] : (side ?? '').split(', ')).entries())
        await play(players[at] as Player, Number(score), new Date(FROM.getTime() + nth * 90_000));
    for (const [at, player] of players.entries()) {
      const { results, won, lost, level } = await listOf(player);
      const result = at === 0 ? row["Offerer's result"] : row["Rival's result"];
      expect(results[0]?.result).toBe(result);
      const counted = {
        won: 0,
        lost: 0,
        level: 0,
        ...(result === 'none' ? {} : { [result ?? '']: 1 }),
      };
      expect({ won, lost, level }).toEqual(counted);
    }
  });
});
