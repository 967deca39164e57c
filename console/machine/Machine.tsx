import { useState } from 'react';
import type { MachinePage } from '#contract/tonight.ts';
import { changeMachine, markRepair, readMachine } from '../api/calls.ts';
import { fieldsOf } from '../api/client.ts';
import { MACHINE, TONIGHT, useChange, useRead } from '../api/queries.ts';
import { Link } from '../router.tsx';
import { useMay, useMe } from '../session/me.tsx';
import { Loaded } from '../shell/Loaded.tsx';
import { Page } from '../shell/Page.tsx';
import { useMinutes, useUntil } from '../shell/until.ts';
import { Hours } from '../ui/Bars.tsx';
import { Field, Select } from '../ui/Field.tsx';
import { KeyIcon } from '../ui/Icon.tsx';
import { timeIn } from '../ui/machine-words.ts';
import { Failed } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';
import { Away } from './Away.tsx';
import { Facts } from './Facts.tsx';
import { Games } from './Games.tsx';
import { Keys } from './Keys.tsx';
import { VenueHours } from './VenueHours.tsx';

/* The page of a machine (MACH-17): its state and figures, its games, and what staff may change:
   keys, name and venue, repair, revocation. */

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
