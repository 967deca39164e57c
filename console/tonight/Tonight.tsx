import { useEffect, useRef, useState } from 'react';
import type { MachineCard } from '#contract/wire/machines.ts';
import type { Tonight as Read } from '#contract/wire/tonight.ts';
import { readTonight } from '../api/calls.ts';
import { TONIGHT, useRead } from '../api/queries.ts';
import { Link } from '../router.tsx';
import { useMay, useMe } from '../session/me.tsx';
import { useVenue, VenueSelect } from '../session/venue.tsx';
import { announce } from '../shell/announce.ts';
import { Loaded } from '../shell/Loaded.tsx';
import { Page } from '../shell/Page.tsx';
import { useMinutes, useUntil } from '../shell/until.ts';
import { Hours, tallest } from '../ui/Bars.tsx';
import { announcedWords, inOrder, timeIn } from '../ui/machine-words.ts';
import { Note } from '../ui/Notice.tsx';
import { Card } from './Card.tsx';
import { FirstSteps } from './FirstSteps.tsx';
import { Hand } from './Hand.tsx';
import { Between, League } from './League.tsx';
import { Nights } from './Nights.tsx';
import { Posters } from './Posters.tsx';

const dayIn = (at: string, timeZone?: string) =>
  new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'long', day: 'numeric', month: 'long' })
    .format(new Date(at))
    .replace(',', '');

/** `Saturday 21 November, open 12:00 to 24:00` */
function aboutNight({ opens, closes, timezone, open }: Read['night']): string {
  const day = dayIn(opens, timezone);
  if (Date.parse(closes) - Date.parse(opens) >= DAY_MS) return day;
  const end = timeIn(closes, timezone);
  const hours = `${timeIn(opens, timezone)} to ${end === '00:00' ? '24:00' : end}`;
  return `${day}, ${open ? `open ${hours}` : 'closed now'}`;
}

/** From this length on, a venue is open all day: when clocks go forward, a day has 23 hours. */
const DAY_MS = 23 * 3_600_000;

/** A night ends at 06:00 venue time (SCREEN-05). */
const NIGHT_ENDS_MS = 6 * 3_600_000;

/** Whether the figures are from an earlier night: the venue has not opened since. */
function isPast({ night, server_time }: Read): boolean {
  const nightIn = (at: string) =>
    dayIn(new Date(Date.parse(at) - NIGHT_ENDS_MS).toISOString(), night.timezone);
  return !night.open && nightIn(night.opens) !== nightIn(server_time);
}

const hourOf = ({ opens, timezone }: Read['night']) => Number(timeIn(opens, timezone).slice(0, 2));
function useAnnounced(machines: readonly MachineCard[] | undefined): void {
  const before = useRef<Map<string, MachineCard['state']> | null>(null);
  useEffect(() => {
    if (machines === undefined) return;
    const many = (number: number) => `${number} machines have changed`;
    for (const card of machines) {
      const was = before.current?.get(card.id);
      const words = was === undefined ? null : announcedWords(card, was);
      if (words !== null) announce(words, many);
    }
    before.current = new Map(machines.map(({ id, state }) => [id, state]));
  }, [machines]);
}

/** Keeps the cards in their first order, because somebody may be tapping one. */
function useKeptOrder(machines: readonly MachineCard[]): MachineCard[] {
  const [order] = useState(() => inOrder(machines).map(({ id }) => id));
  const place = (id: string) => {
    const at = order.indexOf(id);
    return at === -1 ? order.length : at;
  };
  return machines.toSorted((a, b) => place(a.id) - place(b.id));
}

function Machines({ tonight, now }: { tonight: Read; now: Date }) {
  const may = useMay('manager');
  const cards = useKeptOrder(tonight.machines);
  const most = tallest(cards.map(({ hours }) => hours));
  return (
    <section aria-labelledby="machines">
      <div className="panel__h">
        <h2 id="machines">Machines</h2>
        {may && (
          <Link className="btn" to="/console/machines/add">
            Add a machine
          </Link>
        )}
      </div>
      <ul className="grid mt3">
        {cards.map((card) => (
          <Card
            key={card.id}
            card={card}
            now={now}
            opens={tonight.night.opens}
            first={hourOf(tonight.night)}
            most={most}
          />
        ))}
      </ul>
    </section>
  );
}

function Score({ tonight }: { tonight: Read }) {
  const { night } = tonight;
  return (
    <section className="score" aria-labelledby="score">
      <h2 id="score">{isPast(tonight) ? 'Last opening day' : 'Tonight'}</h2>
      <dl>
        <div>
          <dt>{night.games === 1 ? 'game' : 'games'}</dt>
          <dd>{night.games.toLocaleString('en')}</dd>
        </div>
        <div>
          <dt>{night.players === 1 ? 'player' : 'players'}</dt>
          <dd>{night.players.toLocaleString('en')}</dd>
        </div>
        <div>
          <dt>for a league</dt>
          <dd>{night.league_games.toLocaleString('en')}</dd>
        </div>
      </dl>
      <Hours hours={night.hours} first={hourOf(night)} running={night.open} />
    </section>
  );
}

/** The first page (MACH-16). `refused`: a sentence about a page that the role may not open. */
export function Tonight({ refused }: { refused?: string }) {
  const { owners, name } = useMe();
  const { venue } = useVenue();
  const may = useMay('manager');
  const now = useMinutes();
  const read = useRead([...TONIGHT, venue], () => readTonight(venue), [
    'machines',
    'games',
    'held',
    'reports',
    'weeks',
    'contests',
  ]);
  useUntil(read.data, () => void read.refetch());
  useAnnounced(read.data?.machines);
  const note = refused !== undefined && (
    <Note>
      <b>{refused}</b> You opened a page that your role cannot use. Ask{' '}
      {owners.slice(0, 2).join(' or ') || 'an owner'}.
    </Note>
  );
  if (read.data && !read.data.steps.machines && may)
    return (
      <Page title={`Welcome, ${name.split(' ')[0]}`} about="Three steps to the first game.">
        {note}
        <FirstSteps steps={read.data.steps} />
      </Page>
    );
  return (
    <Page
      title="Tonight"
      about={read.data ? aboutNight(read.data.night) : dayIn(now.toISOString())}
      actions={<VenueSelect />}
    >
      <Loaded read={read} what="tonight" lines={6}>
        {(tonight) => (
          <div className="cols">
            <div className="col">
              {note}
              <Hand tonight={tonight} now={now} />
              <Machines key={venue} tonight={tonight} now={now} />
            </div>
            <div className="col">
              <Score tonight={tonight} />
              <Nights venue={venue} now={now} />
              {tonight.leagues.map((league) => (
                <League key={league.id} league={league} now={now} />
              ))}
              {tonight.between.map((league) => (
                <Between key={league.id} league={league} />
              ))}
              {!may && <Posters />}
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  );
}
