import { useState } from 'react';
import { REASON_MAX } from '#contract/rules/leagues.ts';
import type { CupForStaff, CupPairing } from '#contract/wire/cups.ts';
import {
  cancelCup,
  changeCupSides,
  decideCup,
  moveCupWindows,
  seedCup,
  withdrawFromCup,
} from '../api/calls.ts';
import { fieldsOf } from '../api/client.ts';
import { CONTESTS, LEAGUES, useChange } from '../api/queries.ts';
import { navigate } from '../router.tsx';
import { cancelledPath } from '../shell/paths.ts';
import { AskDialog } from '../ui/ask.tsx';
import { Field, Select, TextArea } from '../ui/Field.tsx';
import { FormDialog } from '../ui/FormDialog.tsx';
import { inputTime } from '../ui/times.ts';
import { namesIn, ONE_SIDE_A_LINE, sideName } from './cup-words.ts';
import { Reopened, useNewEnds } from './reopened.tsx';
import { WindowField } from './WindowField.tsx';

/* Dialogs with which staff change a cup (CUP-33). */

type Side = CupForStaff['side_list'][number];
type PairingDialog = { page: CupForStaff; pairing: CupPairing; onClose: () => void };

export function WindowDialog({ page: { cup, now }, pairing, onClose }: PairingDialog) {
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
      missing={starts === '' || ends === ''}
      change={moving}
      onClose={onClose}
    >
      <p className="sm">Other pairings stay where they are. “Move the rounds” moves them along.</p>
      {!begun && (
        <WindowField windows={cup.windows} kind="begin" value={starts} onChange={setStarts} />
      )}
      <WindowField
        windows={cup.windows}
        kind="end"
        value={ends}
        error={errors.windows}
        onChange={setEnds}
      />
    </FormDialog>
  );
}

export function DecideDialog({ page, pairing, onClose }: PairingDialog) {
  const { cup } = page;
  const [winner, setWinner] = useState('');
  const [reason, setReason] = useState('');
  const ends = useNewEnds(page);
  // Only a different winner changes later pairings.
  const reversal =
    winner === '' || winner === String(pairing.winner)
      ? undefined
      : page.reversals.find((one) => one.pairing === pairing.label);
  const windows = reversal?.windows ?? [];
  const deciding = useChange(
    () =>
      decideCup(cup.id, {
        pairing: pairing.id,
        winner,
        reason,
        windows: ends.of(windows),
      }),
    { stale: [CONTESTS], onDone: onClose },
  );
  const errors = fieldsOf(deciding.error);
  return (
    <FormDialog
      title={`Decide ${pairing.label}`}
      verb="Decide"
      failed="Not decided"
      missing={winner === '' || reason.trim() === ''}
      change={deciding}
      onClose={onClose}
    >
      <Select
        label="Winner"
        value={winner}
        error={errors.winner}
        onChange={(event) => setWinner(event.target.value)}
      >
        <option value="">Choose</option>
        {[pairing.a, pairing.b].map((side) => (
          <option key={side.seed} value={String(side.seed)}>
            {sideName(side)}
          </option>
        ))}
      </Select>
      <Reopened labels={reversal?.reopens ?? []} />
      {page.cancellable && (
        <p className="sm">From the first decision on, the cup can no longer be cancelled.</p>
      )}
      <Field
        label="Reason"
        value={reason}
        error={errors.reason}
        help="Only staff read it."
        maxLength={REASON_MAX}
        onChange={(event) => setReason(event.target.value)}
      />
      {ends.fields(windows, errors.windows)}
    </FormDialog>
  );
}

type SideDialog = { page: CupForStaff; side: Side; onClose: () => void };

export function PlayersDialog({ page: { cup }, side, onClose }: SideDialog) {
  const [add, setAdd] = useState('');
  const [remove, setRemove] = useState('');
  const changing = useChange(
    () =>
      changeCupSides(cup.id, {
        side: String(side.seed),
        add: namesIn(add, ','),
        remove: namesIn(remove, ','),
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

export function WithdrawDialog({ page: { cup }, side, onClose }: SideDialog) {
  const withdrawing = useChange(() => withdrawFromCup(cup.id, side.seed, false), {
    stale: [CONTESTS],
    onDone: onClose,
  });
  return (
    <AskDialog
      title={`Withdraw ${side.name}?`}
      stops={['It loses all its open pairings.', 'Its opponent goes on without a game.']}
      stays={['Pairings that are decided stay decided, and all games stay.']}
      verb="Withdraw"
      failed="Not withdrawn"
      change={withdrawing}
      onClose={onClose}
    />
  );
}

export function SeedsDialog({
  page: { cup, side_list },
  onClose,
  say,
}: {
  page: CupForStaff;
  onClose: () => void;
  say: (sentence: string) => void;
}) {
  const [text, setText] = useState(side_list.map(({ name }) => name).join('\n'));
  const seeding = useChange(() => seedCup(cup.id, namesIn(text, '\n')), {
    stale: [CONTESTS],
    onDone: () => {
      say('The sides are set.');
      onClose();
    },
  });
  const errors = fieldsOf(seeding.error);
  return (
    <FormDialog
      title={`Sides and seeds of ${cup.name}`}
      verb="Set"
      failed="Not set"
      change={seeding}
      onClose={onClose}
    >
      <p className="sm">To put another side in, write its name in place of one of these.</p>
      <TextArea
        label={ONE_SIDE_A_LINE}
        rows={8}
        value={text}
        error={errors.sides}
        onChange={(event) => setText(event.target.value)}
      />
    </FormDialog>
  );
}

/** Asks before a cup is cancelled (CUP-17). */
export function CancelDialog({
  page: { cup },
  onClose,
}: {
  page: CupForStaff;
  onClose: () => void;
}) {
  const cancelling = useChange(() => cancelCup(cup.id), {
    stale: [CONTESTS, LEAGUES],
    onDone: () => navigate(cancelledPath('cup')),
  });
  return (
    <AskDialog
      title={`Cancel ${cup.name}?`}
      stops={[
        'The cup and its pairings are gone.',
        'It leaves the screens and the phones.',
        ...(cup.season === null
          ? []
          : [
              `The title of ${cup.season} goes back to the table: its first place is the champion.`,
            ]),
      ]}
      stays={['All games, teams and players stay.']}
      verb="Cancel the cup"
      keep="Keep it"
      failed="Not cancelled"
      change={cancelling}
      onClose={onClose}
    />
  );
}
