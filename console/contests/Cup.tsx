import { type ReactNode, useState } from 'react';
import type { CupForStaff, CupPairing } from '#contract/wire/cups.ts';
import {
  changeCupSides,
  correctCup,
  decideCup,
  drawCup,
  dropCup,
  leaveCup,
  moveCupWindows,
  readCup,
  seedCup,
  withdrawFromCup,
} from '../api/calls.ts';
import { fieldsOf } from '../api/client.ts';
import { CONTESTS, useChange, useRead } from '../api/queries.ts';
import { navigate } from '../router.tsx';
import { Loaded } from '../shell/Loaded.tsx';
import { Page } from '../shell/Page.tsx';
import { AskDialog, DialogButtons, useSaid } from '../ui/ask.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Field, Select } from '../ui/Field.tsx';
import { Failed } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';
import { clockTime, count, inputTime } from '../ui/times.ts';
import { CupTree } from './CupTree.tsx';
import { sideName } from './cup-words.ts';

type Side = CupForStaff['side_list'][number];
type Asking =
  | { what: 'seeds' | 'drop' }
  | { what: 'window' | 'decide'; pairing: CupPairing }
  | { what: 'players' | 'withdraw'; side: Side };

/** A cup: its tree, what is waited for, and what staff decide (CUP-33). */
export function Cup({ id }: { id: string }) {
  const read = useRead([...CONTESTS, 'cup', id], () => readCup(id), [
    'contests',
    'games',
    'held',
    'machines',
  ]);
  return (
    <Loaded read={read} what="the cup">
      {(page) => <Night page={page} />}
    </Loaded>
  );
}

function Night({ page }: { page: CupForStaff }) {
  const { cup, rounds, now } = page;
  const [asking, ask] = useState<Asking | null>(null);
  const { say, said } = useSaid();
  const close = () => ask(null);
  const drawing = useChange(() => drawCup(cup.id), {
    stale: [CONTESTS],
    onDone: () => say('The seeds are drawn.'),
  });
  const hot = [...page.waiting, ...page.offers].map(({ pairing }) => pairing);
  return (
    <Page
      title={cup.name}
      about={`${cup.venue ?? 'All venues'}, ${count(cup.sides, cup.kind === 'teams' ? 'team' : 'player')}. Best ${cup.best} of a side’s first ${cup.of} games.`}
      back={{ to: '/console/contests', name: 'Contests' }}
      actions={
        cup.state === 'planned' && (
          <>
            <button className="btn" type="button" onClick={() => ask({ what: 'seeds' })}>
              Seeds
            </button>
            <button
              className="btn"
              type="button"
              aria-disabled={drawing.isPending || undefined}
              onClick={() => drawing.isPending || drawing.mutate(undefined)}
            >
              Draw the seeds
            </button>
            <button className="btn" type="button" onClick={() => ask({ what: 'drop' })}>
              Drop it
            </button>
          </>
        )
      }
    >
      {said}
      {drawing.isError && <Failed what="Not drawn" error={drawing.error} />}
      <Panel title="Tree">
        {cup.winner !== null && <p className="sm mt2">{cup.winner} won the cup.</p>}
        {cup.state === 'final' && cup.winner === null && (
          <p className="sm mt2">Nobody played the final: there is no winner.</p>
        )}
        <CupTree rounds={rounds} timezone={cup.timezone} now={now} hot={hot} />
      </Panel>
      <div className="cols cols--even mt4">
        <div className="col">
          {page.offers.map((offer) => (
            <Offer key={offer.pairing} page={page} offer={offer} say={say} />
          ))}
          <Waiting page={page} />
          <Pairings page={page} ask={ask} />
        </div>
        <div className="col">
          <Sides page={page} ask={ask} say={say} />
          {page.rulings.length > 0 && (
            <Panel title="Rulings" flush>
              <ul className="rows mt2">
                {page.rulings.map(({ pairing, reason, who }) => (
                  <li key={pairing}>
                    <span>
                      <b>{pairing}</b>
                      <small>{`${reason} (${who})`}</small>
                    </span>
                  </li>
                ))}
              </ul>
            </Panel>
          )}
        </div>
      </div>
      {asking?.what === 'seeds' && <SeedsDialog page={page} onClose={close} />}
      {asking?.what === 'drop' && <DropDialog page={page} onClose={close} />}
      {asking?.what === 'window' && (
        <WindowDialog page={page} pairing={asking.pairing} onClose={close} />
      )}
      {asking?.what === 'decide' && (
        <DecideDialog page={page} pairing={asking.pairing} onClose={close} />
      )}
      {asking?.what === 'players' && (
        <PlayersDialog page={page} side={asking.side} onClose={close} />
      )}
      {asking?.what === 'withdraw' && (
        <WithdrawDialog page={page} side={asking.side} onClose={close} />
      )}
    </Page>
  );
}

function Waiting({ page: { waiting } }: { page: CupForStaff }) {
  if (waiting.length === 0) return null;
  return (
    <Panel title="Last games are coming in" flush>
      <ul className="rows mt2">
        {waiting.map(({ pairing, machines, held, until }) => (
          <li key={pairing}>
            <span>
              <b>{pairing}</b>
              {held > 0 && <small>{count(held, 'held game')}</small>}
              {machines.map(({ machine, queued }) => (
                <small key={machine}>
                  {queued ? `${machine} has ${count(queued, 'game')}` : `${machine} plays`}
                </small>
              ))}
              <small>{`Waiting until ${clockTime(until)} at most`}</small>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Pairings({ page, ask }: { page: CupForStaff; ask: (asking: Asking) => void }) {
  const shown = page.rounds.flatMap(({ pairings }) => pairings.filter(({ how }) => how !== 'bye'));
  return (
    <Panel title="Pairings" flush>
      <ul className="rows mt2">
        {shown.map((pairing) => (
          <li key={pairing.id}>
            <span>
              <b>{pairing.label}</b>
              <small>{`${sideName(pairing.a)} – ${sideName(pairing.b)}`}</small>
            </span>
            <span className="acts">
              {!pairing.decided && (
                <button
                  className="btn"
                  type="button"
                  onClick={() => ask({ what: 'window', pairing })}
                >
                  Move window<span className="sr"> of {pairing.label}</span>
                </button>
              )}
              {pairing.a.seed !== null && pairing.b.seed !== null && (
                <button
                  className="btn"
                  type="button"
                  onClick={() => ask({ what: 'decide', pairing })}
                >
                  Decide<span className="sr"> {pairing.label}</span>
                </button>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Sides({
  page,
  ask,
  say,
}: {
  page: CupForStaff;
  ask: (asking: Asking) => void;
  say: (sentence: string) => void;
}) {
  const { cup, side_list } = page;
  const returning = useChange((side: Side) => withdrawFromCup(cup.id, side.seed, true), {
    stale: [CONTESTS],
    onDone: () => say('The side is back.'),
  });
  return (
    <Panel title="Sides" flush>
      {returning.isError && <Failed what="Not taken back" error={returning.error} />}
      <ul className="rows mt2">
        {side_list.map((side) => (
          <li key={side.seed}>
            <span>
              <b>{`${side.seed}. ${side.name}`}</b>
              {cup.kind === 'teams' && (
                <small>{side.players.map(({ username }) => username).join(', ')}</small>
              )}
              {side.withdrew && <small>Withdrew</small>}
            </span>
            <span className="acts">
              {cup.kind === 'teams' && cup.state === 'running' && (
                <button
                  className="btn"
                  type="button"
                  onClick={() => ask({ what: 'players', side })}
                >
                  Players<span className="sr"> of {side.name}</span>
                </button>
              )}
              {cup.state !== 'final' && !side.withdrew && (
                <button
                  className="btn"
                  type="button"
                  onClick={() => ask({ what: 'withdraw', side })}
                >
                  Withdraw<span className="sr"> {side.name}</span>
                </button>
              )}
              {side.withdrew && (
                <button
                  className="btn"
                  type="button"
                  aria-disabled={returning.isPending || undefined}
                  onClick={() => returning.isPending || returning.mutate(side)}
                >
                  Take back<span className="sr"> {side.name}</span>
                </button>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** What a new count would change, and what that reopens (CUP-20, CUP-23). */
function Offer({
  page: { cup, now },
  offer,
  say,
}: {
  page: CupForStaff;
  offer: CupForStaff['offers'][number];
  say: (sentence: string) => void;
}) {
  const [reason, setReason] = useState('');
  const inAnHour = inputTime(new Date(Date.parse(now) + 3_600_000), cup.timezone);
  const [ends, setEnds] = useState(inAnHour);
  const correcting = useChange(
    () =>
      correctCup(cup.id, {
        pairing: offer.pairing,
        reason,
        windows: offer.windows.map((pairing) => ({ pairing, ends })),
      }),
    { stale: [CONTESTS], onDone: ({ changes }) => say(changes.join(' ')) },
  );
  const leaving = useChange(() => leaveCup(cup.id, offer.pairing), {
    stale: [CONTESTS],
    onDone: () => say('Left as it is.'),
  });
  const errors = fieldsOf(correcting.error);
  const busy = correcting.isPending || leaving.isPending;
  return (
    <Panel title="A new count would change">
      <p className="sm mt2">{offer.text}</p>
      <ul className="sm mt2">
        {offer.reopens.map((label) => (
          <li key={label}>{`${label} is reopened`}</li>
        ))}
      </ul>
      <form
        className="form mt3"
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) correcting.mutate(undefined);
        }}
      >
        <Field
          label="Why"
          value={reason}
          error={errors.reason}
          maxLength={200}
          onChange={(event) => setReason(event.target.value)}
        />
        {offer.windows.length > 0 && (
          <Field
            label="New end of what is reopened"
            type="datetime-local"
            value={ends}
            error={errors.windows}
            onChange={(event) => setEnds(event.target.value)}
          />
        )}
        {correcting.isError && Object.keys(errors).length === 0 && (
          <Failed what="Not corrected" error={correcting.error} />
        )}
        {leaving.isError && <Failed what="Not left" error={leaving.error} />}
        <div className="acts">
          <button
            className="btn"
            type="button"
            aria-disabled={busy || undefined}
            onClick={() => busy || leaving.mutate(undefined)}
          >
            Leave it
          </button>
          <button className="btn btn--primary" type="submit" aria-disabled={busy || undefined}>
            Correct
          </button>
        </div>
      </form>
    </Panel>
  );
}

type Changing = {
  isPending: boolean;
  isError: boolean;
  error: Error | null;
  mutate: (given: undefined) => void;
};

/** A dialog with a form that makes one change. */
function FormDialog({
  title,
  verb,
  failed,
  change,
  onClose,
  children,
}: {
  title: string;
  verb: string;
  failed: string;
  change: Changing;
  onClose: () => void;
  children: ReactNode;
}) {
  const errors = fieldsOf(change.error);
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className="form mt3"
        onSubmit={(event) => {
          event.preventDefault();
          if (!change.isPending) change.mutate(undefined);
        }}
      >
        {children}
        {change.isError && Object.keys(errors).length === 0 && (
          <Failed what={failed} error={change.error} />
        )}
        <DialogButtons verb={verb} busy={change.isPending} onClose={onClose} />
      </form>
    </Dialog>
  );
}

type PairingDialog = { page: CupForStaff; pairing: CupPairing; onClose: () => void };

function WindowDialog({ page: { cup, now }, pairing, onClose }: PairingDialog) {
  const at = (iso: string | null) => inputTime(new Date(iso ?? now), cup.timezone);
  const begun = (pairing.starts_at ?? '') <= now;
  const [starts, setStarts] = useState(at(pairing.starts_at));
  const [ends, setEnds] = useState(at(pairing.ends_at));
  const moving = useChange(
    () => moveCupWindows(cup.id, [{ pairing: pairing.id, ends, ...(begun ? {} : { starts }) }]),
    { stale: [CONTESTS], onDone: onClose },
  );
  const errors = fieldsOf(moving.error);
  return (
    <FormDialog
      title={`Move the window of ${pairing.label}`}
      verb="Move"
      failed="Not moved"
      change={moving}
      onClose={onClose}
    >
      {!begun && (
        <Field
          label="Begins"
          type="datetime-local"
          value={starts}
          onChange={(event) => setStarts(event.target.value)}
        />
      )}
      <Field
        label="Ends"
        type="datetime-local"
        value={ends}
        error={errors.windows}
        onChange={(event) => setEnds(event.target.value)}
      />
    </FormDialog>
  );
}

function DecideDialog({ page: { cup, now }, pairing, onClose }: PairingDialog) {
  const [winner, setWinner] = useState(String(pairing.a.seed));
  const [reason, setReason] = useState('');
  const [ends, setEnds] = useState(inputTime(new Date(Date.parse(now) + 3_600_000), cup.timezone));
  const [needs, setNeeds] = useState<string[]>([]);
  const deciding = useChange(
    () =>
      decideCup(cup.id, {
        pairing: pairing.id,
        winner,
        reason,
        windows: needs.map((label) => ({ pairing: label, ends })),
      }),
    {
      stale: [CONTESTS],
      onDone: onClose,
    },
  );
  const errors = fieldsOf(deciding.error);
  // The refusal names the pairings that need a new end (CUP-23).
  const named = /^Give a new end to (.+)\.$/.exec(errors.windows ?? '')?.[1]?.split(', ') ?? [];
  if (named.length > 0 && needs.length === 0) setNeeds(named);
  return (
    <FormDialog
      title={`Decide ${pairing.label}`}
      verb="Decide"
      failed="Not decided"
      change={deciding}
      onClose={onClose}
    >
      <Select
        label="Winner"
        value={winner}
        error={errors.winner}
        onChange={(event) => setWinner(event.target.value)}
      >
        {[pairing.a, pairing.b].map((side) => (
          <option key={side.seed} value={String(side.seed)}>
            {sideName(side)}
          </option>
        ))}
      </Select>
      <Field
        label="Why"
        value={reason}
        error={errors.reason}
        maxLength={200}
        onChange={(event) => setReason(event.target.value)}
      />
      {needs.length > 0 && (
        <Field
          label="New end of what is reopened"
          type="datetime-local"
          value={ends}
          error={errors.windows}
          onChange={(event) => setEnds(event.target.value)}
        />
      )}
    </FormDialog>
  );
}

type SideDialog = { page: CupForStaff; side: Side; onClose: () => void };

/** `between`: what stands between two names. A team's name may have a comma. */
const listed = (text: string, between: RegExp) =>
  text
    .split(between)
    .map((name) => name.trim())
    .filter((name) => name !== '');

function PlayersDialog({ page: { cup }, side, onClose }: SideDialog) {
  const [add, setAdd] = useState('');
  const [remove, setRemove] = useState('');
  const changing = useChange(
    () =>
      changeCupSides(cup.id, {
        side: String(side.seed),
        add: listed(add, /,/),
        remove: listed(remove, /,/),
      }),
    { stale: [CONTESTS], onDone: onClose },
  );
  const errors = fieldsOf(changing.error);
  return (
    <FormDialog
      title={`Players of ${side.name}`}
      verb="Change"
      failed="Not changed"
      change={changing}
      onClose={onClose}
    >
      <p className="sm">Their games count from the next window that begins.</p>
      <Field
        label="Add, by username"
        value={add}
        error={errors.add}
        onChange={(event) => setAdd(event.target.value)}
      />
      <Field
        label="Take off, by username"
        value={remove}
        error={errors.remove}
        onChange={(event) => setRemove(event.target.value)}
      />
    </FormDialog>
  );
}

function WithdrawDialog({ page: { cup }, side, onClose }: SideDialog) {
  const withdrawing = useChange(() => withdrawFromCup(cup.id, side.seed, false), {
    stale: [CONTESTS],
    onDone: onClose,
  });
  return (
    <AskDialog
      title={`Withdraw ${side.name}?`}
      stops={['It loses all its open pairings', 'Its opponent goes on without a game']}
      stays={['What is decided, and all games']}
      verb="Withdraw"
      failed="Not withdrawn"
      change={withdrawing}
      onClose={onClose}
    />
  );
}

function SeedsDialog({
  page: { cup, side_list },
  onClose,
}: {
  page: CupForStaff;
  onClose: () => void;
}) {
  const [text, setText] = useState(side_list.map(({ name }) => name).join('\n'));
  const seeding = useChange(() => seedCup(cup.id, listed(text, /\n/)), {
    stale: [CONTESTS],
    onDone: onClose,
  });
  const errors = fieldsOf(seeding.error);
  return (
    <FormDialog
      title={`Seeds of ${cup.name}`}
      verb="Set"
      failed="Not set"
      change={seeding}
      onClose={onClose}
    >
      <div className="field">
        <label htmlFor="cup-seeds">One side a line, the best seed first</label>
        <textarea
          className="input"
          id="cup-seeds"
          rows={8}
          value={text}
          aria-describedby="cup-seeds-error"
          onChange={(event) => setText(event.target.value)}
        />
        <p className="error" id="cup-seeds-error" role="alert">
          {errors.sides}
        </p>
      </div>
    </FormDialog>
  );
}

function DropDialog({ page: { cup }, onClose }: { page: CupForStaff; onClose: () => void }) {
  const dropping = useChange(() => dropCup(cup.id), {
    stale: [CONTESTS],
    onDone: () => navigate('/console/contests'),
  });
  return (
    <AskDialog
      title={`Drop ${cup.name}?`}
      stops={['Its tree and its windows are gone']}
      stays={['All games, teams and players']}
      verb="Drop the cup"
      failed="Not dropped"
      change={dropping}
      onClose={onClose}
    />
  );
}
