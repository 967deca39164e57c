import { type RefObject, useEffect, useRef, useState } from 'react';
import { REPAIR_WHY_MAX } from '#contract/rules/machines.ts';
import type { MachinePage } from '#contract/wire/machines.ts';
import { changeMachine, markRepair, readMachine } from '../api/calls.ts';
import { fieldsOf } from '../api/client.ts';
import { MACHINE, TONIGHT, useChange, useRead } from '../api/queries.ts';
import { Link } from '../router.tsx';
import { useMay, useMe } from '../session/me.tsx';
import { AskLeave } from '../shell/AskLeave.tsx';
import { Loaded } from '../shell/Loaded.tsx';
import { MailsTo } from '../shell/mails.tsx';
import { Page } from '../shell/Page.tsx';
import { useMinutes, useUntil } from '../shell/until.ts';
import { Hours } from '../ui/Bars.tsx';
import { Button } from '../ui/Button.tsx';
import { Field, Select } from '../ui/Field.tsx';
import { KeyIcon } from '../ui/Icon.tsx';
import { sinceIn, spanOf, timeIn } from '../ui/machine-words.ts';
import { Failed, Note } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';
import { RepairIcon } from '../ui/State.tsx';
import { Away } from './Away.tsx';
import { Facts } from './Facts.tsx';
import { Games } from './Games.tsx';
import { Keys } from './Keys.tsx';
import { VenueHours } from './VenueHours.tsx';

/* A machine's page (MACH-17). */

function NameAndPlace({ page }: { page: MachinePage }) {
  const { machine } = page;
  const { venues } = useMe();
  /** Null until touched: another member of staff may rename or move the machine meanwhile. */
  const [typed, setTyped] = useState<string | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const venue = chosen ?? machine.venue ?? '';
  const save = useChange(
    ({ typed, venue }: { typed: string | null; venue: string }) =>
      changeMachine(machine.id, {
        ...(typed !== null && { name: typed }),
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
          if (save.isPending) return;
          // Keep what was typed or chosen during the save.
          save.mutate(
            { typed, venue },
            {
              onSuccess: () => {
                setTyped((now) => (now === typed ? null : now));
                setChosen((now) => (now === chosen ? null : now));
              },
            },
          );
        }}
      >
        <Field
          label="Name"
          required
          maxLength={60}
          value={typed ?? machine.name}
          error={fields.name}
          onChange={(event) => setTyped(event.target.value)}
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
          onChange={(event) => setChosen(event.target.value)}
        >
          {machine.venue === null && <option value="">No venue</option>}
          {venues.map(({ id, name }) => (
            <option key={id}>{name}</option>
          ))}
        </Select>
        {save.isError && Object.keys(fields).length === 0 && (
          <Failed what="Not saved" error={save.error} kept="Your entries are still here." />
        )}
        <Button look="primary" type="submit" busy={save.isPending}>
          Save
        </Button>
        <p className="sm" role="status">
          {save.isSuccess && typed === null && chosen === null && 'Saved.'}
        </p>
      </form>
    </Panel>
  );
}

const MINUTE_MS = 60_000;

type RepairProps = {
  page: MachinePage;
  /** Whether “Mark in repair” or “Back in service” was just pressed. */
  acted: RefObject<boolean>;
};

/** Focuses the button that replaces the pressed one. Returns its ref. */
function useFocusAfter(acted: RefObject<boolean>) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (acted.current) button.current?.focus();
    acted.current = false;
  }, [acted]);
  return button;
}

/** Marks a machine in repair at once; `InRepair` undoes it (MACH-12). */
function MarkInRepair({ page: { machine }, acted }: RepairProps) {
  const button = useFocusAfter(acted);
  const repair = useChange(() => markRepair(machine.id, false), {
    stale: [MACHINE, TONIGHT],
    onDone: () => {
      acted.current = true;
    },
  });
  return (
    <>
      <Button ref={button} busy={repair.isPending} onClick={() => repair.mutate(undefined)}>
        Mark in repair
      </Button>
      {repair.isError && <Failed what="Not marked" error={repair.error} />}
    </>
  );
}

/** A form for what is wrong with a machine. Tonight shows the text too. */
function Why({ page: { machine } }: { page: MachinePage }) {
  const stored = machine.repair_why ?? '';
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? stored;
  const save = useChange(
    (text: string) => markRepair(machine.id, false, text.trim() === '' ? null : text),
    { stale: [MACHINE, TONIGHT] },
  );
  const fields = fieldsOf(save.error);
  const same = text.trim() === stored;
  return (
    <form
      className="form form--row mt3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!same && !save.isPending)
          // Keep the typed text until the page has been read again; otherwise the old text flashes.
          save.mutate(text, { onSuccess: () => setTyped((now) => (now === typed ? null : now)) });
      }}
    >
      {!same && (
        <AskLeave title="Leave without saving?" verb="Leave">
          What is wrong with {machine.name} is not saved yet. Your text is lost when you leave.
        </AskLeave>
      )}
      <Field
        label="What is wrong? (staff see it)"
        placeholder="The left net does not count"
        maxLength={REPAIR_WHY_MAX}
        autoComplete="off"
        value={text}
        error={fields.why}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Button type="submit" busy={same || save.isPending}>
        Save
      </Button>
      {save.isError && fields.why === undefined && (
        <Failed what="Not saved" error={save.error} kept="Your text is still here." />
      )}
      <p className="sm" role="status">
        {save.isSuccess && typed === null && 'Saved. Staff see it on Tonight too.'}
      </p>
    </form>
  );
}

function InRepair({
  page,
  acted,
  now,
  onBack,
}: RepairProps & {
  now: Date;
  onBack: () => void;
}) {
  const { machine } = page;
  const button = useFocusAfter(acted);
  const back = useChange(() => markRepair(machine.id, true), {
    stale: [MACHINE, TONIGHT],
    onDone: () => {
      acted.current = true;
      onBack();
    },
  });
  return (
    <section className="panel repair" aria-labelledby="repair">
      <h2 id="repair">
        <RepairIcon />
        In repair
      </h2>
      <p className="mt2">
        {machine.since && (
          <>
            Since <b>{sinceIn(machine.since, machine.timezone, now)}</b>
            {now.getTime() - Date.parse(machine.since) > MINUTE_MS &&
              ` (${spanOf(machine.since, now)})`}
            ,{' '}
          </>
        )}
        marked by <b>{machine.repair_by}</b>. People can still play on it, and their games count.
        Nobody gets mails about it until somebody presses “Back in service”.
      </p>
      <Why page={page} />
      {back.isError && <Failed what="Still in repair" error={back.error} />}
      <Button
        ref={button}
        look="primary lg full"
        className="mt3"
        busy={back.isPending}
        onClick={() => back.mutate(undefined)}
      >
        Back in service
      </Button>
    </section>
  );
}

export function Machine({ id }: { id: string }) {
  const may = useMay('manager');
  const now = useMinutes();
  const acted = useRef(false);
  /** Whether “Back in service” was pressed here. */
  const [back, setBack] = useState(false);
  const read = useRead([...MACHINE, id], () => readMachine(id), ['machines', 'games', 'held']);
  useUntil(read.data, () => void read.refetch());
  const page = read.data;
  return (
    <Page
      title={page?.machine.name ?? 'Machine'}
      about={page && (page.machine.venue ?? 'No venue')}
      back={{ to: '/console/', name: 'Tonight' }}
      actions={
        page && (
          <>
            {page.machine.state !== 'repair' && <MarkInRepair page={page} acted={acted} />}
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
              {page.machine.state === 'repair' && (
                <InRepair page={page} acted={acted} now={now} onBack={() => setBack(true)} />
              )}
              {may && page.machine.venue === null && (
                <Note>
                  <b>{page.machine.name} has no venue.</b> Staff of a single venue do not see it,
                  and no screen shows its games. Choose its venue under “Name and place”.
                </Note>
              )}
              <Facts page={page} now={now}>
                {back && page.machine.state !== 'repair' && (
                  <>
                    {page.machine.name} is back in service. <MailsTo names={page.mails_to} />
                  </>
                )}
              </Facts>
              <Games page={page} />
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
                  running={page.night.open}
                />
              </section>
              {may && <Keys page={page} now={now} />}
              {may && <NameAndPlace page={page} />}
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  );
}
