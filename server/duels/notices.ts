import { sql } from 'kysely';
import { duelResult } from '#contract/rules/duels.ts';
import { A_PLAYER } from '#contract/rules/visibility.ts';
import type { Queryable } from '../db/transaction.ts';
import { namedFor } from '../players/visibility.ts';
import { moment } from '../push/local-time.ts';
import { shortName } from '../push/message.ts';
import { plan } from '../push/notices.ts';
import type { Teller, Words } from '../push/planner.ts';
import { scoreOf } from './bests.ts';

/*
 * Notices about duels (PUSH-04). None says that an offer was declined or taken back, or a duel
 * ended.
 */

type What = 'offered' | 'accepted' | 'overtaken' | 'decided' | 'turned';
type Data = { what: What; id: number };
type Told = { id: number; what: What; to: readonly number[]; worth_until: Date };

/** Plans a notice about a duel. It replaces a waiting notice about the same duel. */
export function planTold(
  on: Queryable,
  { id, what, to, worth_until }: Told,
  now: Date,
): Promise<void> {
  return plan(
    on,
    to.map((player_id) => ({
      player_id,
      kind: 'duel' as const,
      subject: `duel ${id}`,
      data: { what, id } satisfies Data,
      worth_until,
    })),
    now,
  );
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
    const { what, id } = data as Data;
    const { rows } = await sql<Row>`
      select d.state, d.accept_until, d.ends_at, n.username,
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
        const figures = [own, other].map((score) => (score === null ? 'none' : number(score)));
        return {
          title: 'The duel has turned',
          body: `A late game or a correction changed it: ${figures.join(' – ')}.`,
          path,
        };
      }
    }
  },
};
