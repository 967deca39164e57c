import { useState } from 'react';
import type { MachinePage } from '#contract/tonight.ts';
import { changeMachine, markRepair, readMachine, revokeMachine } from '../api/calls.ts';
import { fieldsOf } from '../api/client.ts';
import { MACHINE, TONIGHT, useChange, useRead } from '../api/queries.ts';
import { Link } from '../router.tsx';
import { useMay, useMe } from '../session/me.tsx';
import { Loaded } from '../shell/Loaded.tsx';
import { Page } from '../shell/Page.tsx';
import { useMinutes, useUntil } from '../shell/until.ts';
import { AskDialog } from '../ui/ask.tsx';
import { Hours } from '../ui/Bars.tsx';
import { Field, Select } from '../ui/Field.tsx';
import { KeyIcon } from '../ui/Icon.tsx';
import { Jersey } from '../ui/Jersey.tsx';
import {
  clockWords,
  queueWords,
  sinceIn,
  spanOf,
  stateWords,
  timeIn,
} from '../ui/machine-words.ts';
import { Failed } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';
import { State } from '../ui/State.tsx';
import { count, dayAndTime, when } from '../ui/times.ts';
import { VenueHours } from './VenueHours.tsx';

/* The page of a machine (MACH-17): its state and figures, its games, and what staff may change:
   keys, name and venue, repair, revocation. */

const COUNTS: Record<MachinePage['games'][number]['counts'], string> = {
  league: 'League',
  bench: 'League, on the bench',
  over_8: 'Over 8',
  league_mode_off: 'League mode off',
  no_team: 'No team',
  held: 'Held',
  void: 'Void',
};

type Step = { title: string; about: string };
const TRY: Partial<Record<MachinePage['machine']['state'], readonly Step[]>> = {
  silent: [
    {
      title: 'Is it on?',
      about: 'Screen dark: switch it off at the back, wait 10 s, switch it on.',
    },
    {
      title: 'Is the cable in?',
      about: 'If the machines beside it are well, the venue’s line is probably fine.',
    },
    { title: 'Does it say 401 or 403?', about: 'Then it needs a new key.' },
  ],
  refused: [
    { title: 'Give it a new key', about: 'Its games wait on its disk and come with the new key.' },
    { title: 'Still refused?', about: 'The key was not typed in whole. Capitals matter.' },
  ],
  clock: [
    {
      title: 'Is its clock set by the network?',
      about: 'In its service menu, look for time or NTP, and switch it on.',
    },
    {
      title: 'Does it go wrong again?',
      about: 'Its battery is empty. It follows this server meanwhile, if its client does.',
    },
  ],
};

function Facts({ page, now }: { page: MachinePage; now: Date }) {
  const { machine } = page;
  const { timezone, heard_at, last_game, software, state, since } = machine;
  const queue = machine.queued === null ? 'Not known' : queueWords(machine).join('');
  const steps = TRY[state];
  return (
    <section className="panel" aria-labelledby="state">
      <h2 id="state" className="sr">
        State
      </h2>
      <p style={{ fontSize: '1.25rem' }}>
        <State state={state} words={stateWords(machine, now)} />
      </p>
      {state === 'silent' && since !== null && (
        <p className="sm mt1">
          Nothing heard for {spanOf(since, now)}. It calls every minute, even when nobody plays.
        </p>
      )}
      {state === 'repair' && (
        <p className="sm mt1">
          Marked by {machine.repair_by}
          {since && ` since ${sinceIn(since, timezone, now)}`}. No mails about it.
        </p>
      )}
      <dl className="facts">
        <div>
          <dt>Last heard</dt>
          <dd>{heard_at === null ? 'Never' : sinceIn(heard_at, timezone, now)}</dd>
        </div>
        <div>
          <dt>Last game</dt>
          <dd>
            {last_game === null
              ? 'None'
              : [sinceIn(last_game.played_at, timezone, now), last_game.username]
                  .filter(Boolean)
                  .join(', ')}
          </dd>
        </div>
        <div>
          <dt>Waiting on its disk</dt>
          <dd>{queue}</dd>
        </div>
        <div>
          <dt>Clock</dt>
          <dd>{clockWords(machine.clock_error_ms)}</dd>
        </div>
        <div>
          <dt>Software</dt>
          <dd>{software === null ? 'Not known' : `v ${software}`}</dd>
        </div>
        {machine.rejected !== null && machine.rejected > 0 && (
          <div>
            <dt>Set aside</dt>
            <dd>{count(machine.rejected, 'rejected game')}</dd>
          </div>
        )}
      </dl>
      {steps && !machine.revoked && (
        <>
          <hr className="rule" />
          <h3>What to try</h3>
          <ol className="steps">
            {steps.map(({ title, about }) => (
              <li key={title}>
                <span>
                  <b>{title}</b>
                  <br />
                  {about}
                </span>
              </li>
            ))}
          </ol>
          <p className="sm mt4">
            Nothing helps? <b>Mark it in repair:</b> mails about it stop, and the others see that
            somebody knows. Games played meanwhile are safe on its disk.
          </p>
        </>
      )}
    </section>
  );
}

function Games({ page, now }: { page: MachinePage; now: Date }) {
  const { machine, games } = page;
  return (
    <Panel title="Last games" flush>
      {games.length === 0 ? (
        <p className="sm mt2">No game yet.</p>
      ) : (
        <table className="t t--games">
          <caption className="sr">Last games on {machine.name}</caption>
          <thead>
            <tr>
              <th scope="col">Played</th>
              <th scope="col">Player</th>
              <th scope="col">Counts</th>
              <th scope="col" className="sc">
                Score
              </th>
            </tr>
          </thead>
          <tbody>
            {games.map((game) => (
              <tr key={game.id}>
                <td>
                  <span className="nw">{sinceIn(game.played_at, machine.timezone, now)}</span>
                </td>
                <th scope="row">
                  <span className="who">
                    {game.player && (
                      <Jersey
                        colour={game.player.avatar_color}
                        number={game.player.jersey_number}
                      />
                    )}
                    <span>
                      {game.player?.username ?? 'Deleted account'}
                      <small>{game.team}</small>
                    </span>
                  </span>
                </th>
                <td data-l="Counts">
                  {game.state === 'discarded' ? 'Discarded' : COUNTS[game.counts]}
                </td>
                <td data-l="Score" className="sc">
                  <span>{game.score.toLocaleString('en')}</span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

function Away({ page, now }: { page: MachinePage; now: Date }) {
  const { machine, away } = page;
  const still = machine.state === 'silent' && machine.heard_at !== null ? machine.heard_at : null;
  return (
    <Panel title="Away" flush>
      {away.length === 0 && still === null ? (
        <p className="sm mt2">It has called at least every five minutes.</p>
      ) : (
        <table className="t">
          <caption className="sr">When {machine.name} was away</caption>
          <thead>
            <tr>
              <th scope="col">From</th>
              <th scope="col">Back</th>
              <th scope="col" className="r">
                For
              </th>
            </tr>
          </thead>
          <tbody>
            {still !== null && (
              <tr>
                <th scope="row">{dayAndTime(still)}</th>
                <td data-l="Back">Still away</td>
                <td data-l="For" className="r">
                  {spanOf(still, now)}
                </td>
              </tr>
            )}
            {away.map(({ from, to, closed }) => (
              <tr key={from}>
                <th scope="row">{dayAndTime(from)}</th>
                <td data-l="Back">{timeIn(to, machine.timezone)}</td>
                <td data-l="For" className="r">
                  {closed ? 'while closed' : spanOf(from, new Date(to))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

function Revoke({ page: { machine }, onClose }: { page: MachinePage; onClose: () => void }) {
  const revoke = useChange(() => revokeMachine(machine.id), {
    stale: [MACHINE, TONIGHT],
    onDone: onClose,
  });
  return (
    <AskDialog
      title="Revoke its key?"
      stops={['Its next call is refused; it reports no more games', 'It greets nobody by name']}
      stays={[
        'Players can go on playing: games wait on its disk, up to 30 days',
        'A new key brings it back, and the games with it',
      ]}
      verb="Revoke"
      failed="Not revoked"
      change={revoke}
      onClose={onClose}
    >
      <p>
        <b>{machine.name}</b> is out of service at once.
      </p>
    </AskDialog>
  );
}

function Keys({ page }: { page: MachinePage }) {
  const [asking, setAsking] = useState(false);
  const { machine, keys } = page;
  const [newest] = keys;
  return (
    <Panel title="Keys">
      <ul className="rows mt2">
        {keys.map(({ id, created_at, last_used_at, ends_at }) => (
          <li key={id}>
            <span>
              <b>{id}</b>
              <small>
                {machine.revoked
                  ? 'Revoked'
                  : ends_at === null
                    ? `Valid since ${when(created_at)}`
                    : Date.parse(ends_at) > Date.parse(page.server_time)
                      ? `Works until ${timeIn(ends_at, machine.timezone)}`
                      : 'No longer works'}
                {last_used_at ? `, last used ${when(last_used_at)}` : ', not used yet'}
              </small>
            </span>
            {id === newest?.id && !machine.revoked && (
              <button className="btn" type="button" onClick={() => setAsking(true)}>
                Revoke
              </button>
            )}
          </li>
        ))}
      </ul>
      <p className="sm mt2">
        A new key lets the old one live for 1 h, so nothing is lost while you walk over.
      </p>
      <div className="mt3">
        <Link className="btn btn--full" to={`/console/machines/${machine.id}/key`}>
          <KeyIcon />
          New key
        </Link>
      </div>
      {asking && <Revoke page={page} onClose={() => setAsking(false)} />}
    </Panel>
  );
}

function NameAndPlace({ page }: { page: MachinePage }) {
  const { machine } = page;
  const { venues } = useMe();
  const [name, setName] = useState(machine.name);
  const [venue, setVenue] = useState(machine.venue ?? '');
  const save = useChange(
    () =>
      changeMachine(machine.id, {
        name,
        ...(venue === '' || venue === machine.venue ? {} : { venue }),
      }),
    { stale: [MACHINE, TONIGHT] },
  );
  const fields = fieldsOf(save.error);
  return (
    <Panel title="Name and place">
      <form
        className="form mt3"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate(undefined);
        }}
      >
        <Field
          label="Name"
          required
          maxLength={60}
          value={name}
          error={fields.name}
          onChange={(event) => setName(event.target.value)}
        />
        <Select
          label="Venue"
          value={venue}
          error={fields.venue}
          help={
            venue !== machine.venue && machine.venue !== null
              ? `Its old games stay with ${machine.venue}.`
              : undefined
          }
          onChange={(event) => setVenue(event.target.value)}
        >
          {machine.venue === null && <option value="">No venue</option>}
          {venues.map(({ id, name }) => (
            <option key={id}>{name}</option>
          ))}
        </Select>
        {save.isError && Object.keys(fields).length === 0 && (
          <Failed what="Not saved" error={save.error} kept="Your entries are still here." />
        )}
        <button className="btn btn--primary" type="submit" disabled={save.isPending}>
          Save
        </button>
        {save.isSuccess && <p role="status">Saved.</p>}
      </form>
    </Panel>
  );
}

function Repair({ page }: { page: MachinePage }) {
  const { machine } = page;
  const marked = machine.state === 'repair';
  const repair = useChange((done: boolean) => markRepair(machine.id, done), {
    stale: [MACHINE, TONIGHT],
  });
  return (
    <>
      <button
        className="btn"
        type="button"
        disabled={repair.isPending}
        onClick={() => repair.mutate(marked)}
      >
        {marked ? 'Back in service' : 'Mark in repair'}
      </button>
      {repair.isError && <Failed what="Not marked" error={repair.error} />}
    </>
  );
}

export function Machine({ id }: { id: string }) {
  const may = useMay('manager');
  const now = useMinutes();
  const read = useRead([...MACHINE, id], () => readMachine(id), ['machines', 'games', 'held']);
  useUntil(read.data, () => void read.refetch());
  const page = read.data;
  return (
    <Page
      title={page?.machine.name ?? 'Machine'}
      about={page?.machine.venue ?? undefined}
      back={{ to: '/console/', name: 'Tonight' }}
      actions={
        page && (
          <>
            <Repair page={page} />
            {may && (
              <Link className="btn" to={`/console/machines/${id}/key`}>
                <KeyIcon />
                New key
              </Link>
            )}
          </>
        )
      }
    >
      <Loaded read={read} what="this machine">
        {(page) => (
          <div className="cols">
            <div className="col">
              <Facts page={page} now={now} />
              <Games page={page} now={now} />
              <Away page={page} now={now} />
              {may && page.machine.venue !== null && <VenueHours name={page.machine.venue} />}
            </div>
            <div className="col">
              <section className="score" aria-labelledby="today">
                <h2 id="today">Today</h2>
                <dl>
                  <div>
                    <dt>{page.machine.games === 1 ? 'game' : 'games'}</dt>
                    <dd>{page.machine.games.toLocaleString('en')}</dd>
                  </div>
                  <div>
                    <dt>{page.night.players === 1 ? 'player' : 'players'}</dt>
                    <dd>{page.night.players.toLocaleString('en')}</dd>
                  </div>
                  <div>
                    <dt>held</dt>
                    <dd>{page.night.held.toLocaleString('en')}</dd>
                  </div>
                </dl>
                <Hours
                  hours={page.machine.hours}
                  first={Number(timeIn(page.night.opens, page.machine.timezone).slice(0, 2))}
                  running
                />
              </section>
              {may && <Keys page={page} />}
              {may && <NameAndPlace key={page.machine.name} page={page} />}
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  );
}
