import { useEffect, useRef, useState } from 'react';
import type { MachineCard, Tonight as Read } from '#contract/tonight.ts';
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
import { Copyable } from '../ui/Copy.tsx';
import { handOf, inOrder, timeIn } from '../ui/machine-words.ts';
import { Note } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';
import { HeldIcon, JoinIcon, ReportIcon, StateIcon, WellDrawing } from '../ui/State.tsx';
import { count, when } from '../ui/times.ts';
import { Card } from './Card.tsx';
import { League } from './League.tsx';
import { Posters } from './Posters.tsx';

/* The screen Tonight (MACH-16): what needs a hand, the machines' cards, the figures of the
   opening day, and the first steps of a new installation. */

const dayIn = (at: string, timeZone: string) =>
  new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'long', day: 'numeric', month: 'long' })
    .format(new Date(at))
    .replace(',', '');

/** `Saturday 21 November, open 12:00 to 24:00` */
function aboutNight({ opens, closes, timezone, open }: Read['night']): string {
  const day = dayIn(opens, timezone);
  // Without opening hours a venue is always open.
  if (Date.parse(closes) - Date.parse(opens) >= DAY_MS) return day;
  const end = timeIn(closes, timezone);
  const hours = `${timeIn(opens, timezone)} to ${end === '00:00' ? '24:00' : end}`;
  return `${day}, ${open ? `open ${hours}` : 'closed now'}`;
}

/**
 * An opening day of at least this length covers the whole day. It may have only 23 hours, when
 * clocks go forward.
 */
const DAY_MS = 23 * 3_600_000;

const hourOf = ({ opens, timezone }: Read['night']) => Number(timeIn(opens, timezone).slice(0, 2));
const namesOf = (names: readonly string[]) =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/**
 * The painted square: what needs a hand. Machines come first, then held games, reports and requests
 * to join.
 */
function Hand({ tonight, now }: { tonight: Read; now: Date }) {
  const may = useMay('manager');
  const { machines, held, reports, requests, mails_to } = tonight;
  const rows = inOrder(machines).flatMap((card) => {
    const hand = handOf(card, now);
    return hand === null ? [] : [{ card, ...hand }];
  });
  const waiting = may ? held.count + reports.count + requests.count : 0;
  const number = rows.length + waiting;
  if (number === 0) {
    const repair = machines.filter(({ state }) => state === 'repair').map(({ name }) => name);
    const well = machines.length - repair.length;
    const inRepair =
      repair.length === 0
        ? ''
        : ` ${namesOf(repair)} ${repair.length === 1 ? 'is' : 'are'} in repair.`;
    return (
      <section className="hand hand--quiet" aria-labelledby="hand">
        <h2 id="hand">Nothing needs a hand</h2>
        <p className="sm">
          {count(well, 'machine')} {well === 1 ? 'is' : 'are'} well.{inRepair}
          {may && ' The inbox is empty.'}
        </p>
        <span className="hand__ball" aria-hidden="true">
          <WellDrawing size={44} />
        </span>
      </section>
    );
  }
  return (
    <section className="hand" aria-labelledby="hand">
      <h2 id="hand">
        Needs a hand<span className="sr">: {count(number, 'thing')}</span>
      </h2>
      <ul>
        {rows.map(({ card, title, about, act }) => (
          <li key={card.id}>
            <StateIcon state={card.state} />
            <div>
              <b>{title}</b>
              <span className="sm">{about}</span>
            </div>
            {act === 'New key' && may ? (
              <Link className="btn" to={`/console/machines/${card.id}/key`}>
                New key<span className="sr"> for {card.name}</span>
              </Link>
            ) : (
              <Link className="btn" to={`/console/machines/${card.id}`}>
                Look<span className="sr"> at {card.name}</span>
              </Link>
            )}
          </li>
        ))}
        {may && held.count > 0 && (
          <li>
            <HeldIcon />
            <div>
              <b>{count(held.count, 'held game')}</b>
              <span className="sm">
                {held.oldest_at && `The oldest waits since ${when(held.oldest_at)}`}
              </span>
            </div>
            <Link className="btn" to="/console/inbox">
              Judge<span className="sr"> the held games</span>
            </Link>
          </li>
        )}
        {may && reports.count > 0 && (
          <li>
            <ReportIcon />
            <div>
              <b>{count(reports.count, 'report')} from players</b>
              <span className="sm">
                {reports.oldest_at && `The oldest waits since ${when(reports.oldest_at)}`}
              </span>
            </div>
            <Link className="btn" to="/console/inbox">
              Read<span className="sr"> the reports</span>
            </Link>
          </li>
        )}
        {may && requests.team !== null && (
          <li>
            <JoinIcon />
            <div>
              <b>{count(requests.count, 'player wants', 'players want')} to join a team</b>
              <span className="sm">
                {requests.oldest_at && `${requests.team.name}: asked ${when(requests.oldest_at)}`}
              </span>
            </div>
            <Link className="btn" to={`/console/leagues/teams/${requests.team.id}`}>
              Answer<span className="sr"> the request to join {requests.team.name}</span>
            </Link>
          </li>
        )}
      </ul>
      <p className="hand__foot">
        {may
          ? mails_to.length > 0
            ? `Mails about machines go to ${namesOf(mails_to)}.`
            : 'Nobody gets mails about machines.'
          : 'Nothing helps? Mark it in repair, and tell an owner.'}
      </p>
      <span className="hand__ball" aria-hidden="true">
        {number}
      </span>
    </section>
  );
}

function useAnnounced(machines: readonly MachineCard[] | undefined): void {
  const before = useRef<Map<string, string> | null>(null);
  useEffect(() => {
    if (machines === undefined) return;
    const many = (number: number) => `${number} machines have changed`;
    for (const { id, name, state } of machines) {
      const was = before.current?.get(id);
      if (was === undefined || was === state) continue;
      if (state === 'silent') announce(`${name} is silent`, many);
      else if (state === 'refused') announce(`${name}: its key is refused`, many);
      else if (was === 'silent' || was === 'refused') announce(`${name} is back`, many);
    }
    before.current = new Map(machines.map(({ id, state }) => [id, state]));
  }, [machines]);
}

/** Keeps the cards in the order of the first read, so that no card moves while somebody taps it. */
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
          <Card key={card.id} card={card} now={now} first={hourOf(tonight.night)} most={most} />
        ))}
      </ul>
    </section>
  );
}

function Score({ night }: { night: Read['night'] }) {
  return (
    <section className="score" aria-labelledby="score">
      <h2 id="score">Tonight</h2>
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

function FirstSteps({ steps }: { steps: Read['steps'] }) {
  const owner = useMay('owner');
  const all = [
    {
      done: steps.machines,
      title: 'Add a machine',
      about: 'Name it, put its key on it, play one game. Ten minutes.',
      to: '/console/machines/add',
    },
    {
      done: steps.leagues,
      title: 'Make a league',
      about: 'A name and a time zone. Teams and weeks come after.',
      to: '/console/leagues',
    },
    {
      done: steps.staff,
      title: 'Ask the others in',
      about: 'Staff sign in with a passkey. You send each a link.',
      ...(owner ? { to: '/console/staff' } : {}),
    },
  ];
  return (
    <div className="cols">
      <ol className="col">
        {all.map(({ done, title, about, to }, at) => (
          <li className="panel" key={title}>
            <h2>
              {done && <span className="sr">Done: </span>}
              {title}
            </h2>
            <p className="sm mt1">{done ? 'Done.' : about}</p>
            {!done && to !== undefined && (
              <div className="mt3">
                <Link className={at === 0 ? 'btn btn--primary' : 'btn'} to={to}>
                  {title}
                </Link>
              </div>
            )}
          </li>
        ))}
      </ol>
      <div className="col">
        {owner && (
          <Panel title="No machine at hand?">
            <p className="sm mt2">
              Fill the console with a made-up league, six teams and a season of games, and look
              around:
            </p>
            <div className="mt3">
              <Copyable text="./backboard demo" />
            </div>
          </Panel>
        )}
        <Panel title="How players come in">
          <p className="sm mt2">
            They make an account at <b>{window.location.host}</b>, hold their code up to a machine,
            and play.
          </p>
        </Panel>
      </div>
    </div>
  );
}

/**
 * The console's first screen. `refused` is the name of a screen that the person opened but whose
 * role does not allow it.
 */
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
      about={read.data ? aboutNight(read.data.night) : dayIn(now.toISOString(), 'UTC')}
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
              <Score night={tonight.night} />
              {tonight.leagues.map((league) => (
                <League key={league.id} league={league} now={now} />
              ))}
              {!may && <Posters />}
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  );
}
