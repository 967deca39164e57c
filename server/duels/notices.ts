import { sql } from 'kysely';
import { type DuelResult, duelResult } from '#contract/rules/duels.ts';
import { A_PLAYER } from '#contract/rules/visibility.ts';
import type { Queryable } from '../db/transaction.ts';
import { namedFor } from '../players/visibility.ts';
import { moment } from '../push/local-time.ts';
import { shortName } from '../push/message.ts';
import { plan, readResults, readWaiting, storeResult } from '../push/notices.ts';
import type { Teller, Words } from '../push/planner.ts';
import { bestScore, scoreOf } from './bests.ts';

/*
 * Notices about duels (PUSH-04). None says that an offer was declined or taken back, or a duel
 * ended.
 */

type What = 'offered' | 'accepted' | 'overtaken' | 'decided' | 'turned';
/** `told`: the offerer's result that the player was told before the duel turned. */
type Data = { what: What; id: number; told?: DuelResult };
type Told = Data & { to: readonly number[]; worth_until: Date };

const subjectOf = (id: number) => `duel ${id}`;

/**
 * Plans a notice about a duel. It replaces a waiting notice about the same duel. Returns whether
 * one was written.
 */
export async function planTold(
  on: Queryable,
  { to, worth_until, ...data }: Told,
  now: Date,
  dueAt = now,
): Promise<boolean> {
  const written = await plan(
    on,
    to.map((player_id) => ({
      player_id,
      kind: 'duel' as const,
      subject: subjectOf(data.id),
      data: data satisfies Data,
      worth_until,
    })),
    now,
    dueAt,
  );
  return written.size > 0;
}

type Known = { isWaiting: boolean; told: DuelResult | undefined };

/**
 * By duel and player: whether a notice about the duel waits for the player, and which result of the
 * offerer the player was told last.
 */
export async function readKnown(
  on: Queryable,
  ids: readonly number[],
): Promise<(id: number, playerId: number) => Known> {
  const subjects = ids.map(subjectOf);
  const waiting = await readWaiting(on, 'duel', subjects);
  const keys = new Set(waiting.map(({ player_id, subject }) => `${player_id} ${subject}`));
  const results = await readResults<DuelResult>(on, 'duel', subjects);
  return (id, playerId) => ({
    isWaiting: keys.has(`${playerId} ${subjectOf(id)}`),
    told: results.get(subjectOf(id))?.get(playerId),
  });
}

type Row = {
  state: string;
  mine: boolean;
  accept_until: Date;
  ends_at: Date;
  username: string | null;
  own: number | null;
  other: number | null;
};

const number = (score: number) => score.toLocaleString('en');

/**
 * The end of a duel on a device's clock: 'Wed 2 Dec, midnight', or day and time in another zone.
 */
function endOn(at: Date, zone: string): { day: string; end: string } {
  const dayIn = (instant: Date) =>
    instant.toLocaleDateString('en-GB', {
      timeZone: zone,
      weekday: 'short',
      day: 'numeric',
      month: 'short',
    });
  const { time } = moment(at, zone);
  const day = dayIn(new Date(at.getTime() - 1)).replace(',', '');
  return { day, end: time === '00:00' ? `${day}, midnight` : `${day}, ${time}` };
}

function decidedWords(name: string, own: number | null, other: number | null): Words | null {
  const path = '/duels';
  if (own === null && other === null) return null;
  if (other === null) return { title: 'Duel won', body: `${name} had no game.`, path };
  if (own === null)
    return {
      title: 'Duel lost',
      body: `${name} had ${number(other)}, you had no game.`,
      path,
    };
  const figures = `${number(own)} – ${number(other)}`;
  if (own > other)
    return {
      title: `Duel won ${figures}`,
      body: `Your best game beat ${name}’s by ${number(own - other)}.`,
      path,
    };
  if (own < other)
    return {
      title: `Duel lost ${figures}`,
      body: `${name}’s best game beat yours by ${number(other - own)}.`,
      path,
    };
  return {
    title: `Duel level at ${number(own)}`,
    body: `${name} and you have the same best game.`,
    path,
  };
}

/** The words of push.md, section “Words”, from what is true at the time of sending (PUSH-16). */
export const duelTeller: Teller = {
  rank: ({ what }: Data) => (what === 'decided' ? 2 : 5),
  words: async (deps, { player_id, data }, { zone }) => {
    const { what, id, told } = data as Data;
    const { rows } = await sql<Row>`
      select d.state, d.offerer_id = v.id as mine, d.accept_until, d.ends_at, n.username,
        ${scoreOf('v')} as own, ${scoreOf('p')} as other
      from duels d join players v on v.id = ${player_id}
      join players p on p.id = d.offerer_id + d.rival_id - v.id
      cross join lateral (select ${namedFor(deps, { player_id })}) n
      where d.id = ${id} and ${player_id} in (d.offerer_id, d.rival_id)`.execute(deps.db);
    const [duel] = rows;
    if (duel === undefined) return null;
    const path = '/duels';
    const name = shortName(duel.username ?? A_PLAYER);
    const { own, other } = duel;
    switch (what) {
      case 'offered': {
        if (duel.state !== 'offered' || duel.accept_until <= deps.clock.now()) return null;
        const { day, time } = moment(duel.accept_until, zone);
        return {
          title: `${name} offers you a duel`,
          body: `The best game of 7 days wins. Accept until ${day} ${time}.`,
          path,
        };
      }
      case 'accepted':
        if (duel.state !== 'running') return null;
        return {
          title: `${name} takes your duel`,
          body: `It is on. The best game until ${endOn(duel.ends_at, zone).day} wins.`,
          path,
        };
      case 'overtaken':
        if (duel.state !== 'running' || own === null || duelResult(own, other) !== 'lost')
          return null;
        return {
          title: `${name} leads ${number(other ?? 0)} – ${number(own)}`,
          body: `Your duel ends ${endOn(duel.ends_at, zone).end}.`,
          path,
        };
      case 'decided':
        return duel.state === 'decided' ? decidedWords(name, own, other) : null;
      case 'turned': {
        if (duel.state !== 'decided') return null;
        const result = duel.mine ? duelResult(own, other) : duelResult(other, own);
        if (result === 'none' || result === told) return null;
        const figures = [own, other].map((score) => (score === null ? 'none' : number(score)));
        return {
          title: 'The duel has turned',
          body: `A late game or a correction changed it: ${figures.join(' – ')}.`,
          path,
        };
      }
    }
  },
  settle: async (trx, { id: noticeId, data }, outcome) => {
    const { what, id } = data as Data;
    // Only a notice that is sent is the one of the duel (PUSH-04).
    if (what === 'overtaken' && outcome !== 'sent')
      await sql`update duels set overtaken_told = false where id = ${id}`.execute(trx);
    if (what !== 'decided' && what !== 'turned') return;
    if (outcome !== 'sent' && outcome !== 'no longer true') return;
    // A turn that was undone is not the one of DUEL-06. Others may know of it already.
    if (what === 'turned' && outcome !== 'sent') {
      await trx.updateTable('duels').set({ turned_told: false }).where('id', '=', id).execute();
      return;
    }
    const { rows } = await sql<{ offerer: number | null; rival: number | null }>`
      select ${bestScore(sql`d.offerer_id`)} as offerer, ${bestScore(sql`d.rival_id`)} as rival
      from duels d where d.id = ${id}`.execute(trx);
    const [duel] = rows;
    if (duel === undefined) return;
    const result = duelResult(duel.offerer, duel.rival);
    await trx.updateTable('duels').set({ told: result }).where('id', '=', id).execute();
    if (outcome === 'sent') await storeResult(trx, noticeId, result);
  },
};
