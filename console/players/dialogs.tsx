import { useState } from 'react';
import type { PlayerPage } from '#contract/player-pages.ts';
import { confirmAddress, correctBirthdate, deletePlayer, proposeAddress } from '../api/calls.ts';
import { fieldsOf } from '../api/client.ts';
import { useChange } from '../api/queries.ts';
import { navigate } from '../router.tsx';
import { DialogButtons } from '../ui/ask.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Field } from '../ui/Field.tsx';
import { Failed, Note } from '../ui/Notice.tsx';
import { PLAYERS, playerKey } from './keys.ts';

type Props = { of: PlayerPage; onClose: () => void };

/** Changes the address: the new one, then the code that was mailed there (P30b). */
export function ChangeAddress({ of, onClose }: Props) {
  const [address, setAddress] = useState('');
  const [code, setCode] = useState('');
  const proposing = useChange(() => proposeAddress(of.email, address.trim()));
  const confirming = useChange(() => confirmAddress(of.email, address.trim(), code.trim()), {
    stale: [playerKey(of.id), PLAYERS],
    onDone: onClose,
  });
  const sent = proposing.isSuccess;
  const change = sent ? confirming : proposing;
  const errors = fieldsOf(change.error);
  return (
    <Dialog title="Change the address" onClose={onClose}>
      <form
        className="form mt3"
        onSubmit={(event) => {
          event.preventDefault();
          if (!change.isPending) change.mutate(undefined);
        }}
      >
        {sent ? (
          <>
            <Note>A code was mailed to {address.trim()}. The player reads it to you.</Note>
            <Field
              key="code"
              label="Code"
              value={code}
              error={errors.code}
              inputMode="numeric"
              autoComplete="off"
              autoFocus
              onChange={(event) => setCode(event.target.value)}
            />
          </>
        ) : (
          <Field
            key="address"
            label="New address"
            type="email"
            value={address}
            error={errors.new_email}
            help="It ends every session, and a mail to the old address says so."
            autoComplete="off"
            data-first
            onChange={(event) => setAddress(event.target.value)}
          />
        )}
        {change.isError && errors.new_email === undefined && errors.code === undefined && (
          <Failed what="Not changed" error={change.error} />
        )}
        <DialogButtons
          verb={sent ? 'Change' : 'Send the code'}
          busy={change.isPending}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}

/** Corrects the birth date from a document. The console never shows the present one (P65). */
export function CorrectBirthdate({ of, onClose }: Props) {
  const [date, setDate] = useState('');
  const correcting = useChange(() => correctBirthdate(of.email, date), {
    stale: [playerKey(of.id)],
    onDone: onClose,
  });
  const errors = fieldsOf(correcting.error);
  return (
    <Dialog title="Correct the birth date" onClose={onClose}>
      <form
        className="form mt3"
        onSubmit={(event) => {
          event.preventDefault();
          if (!correcting.isPending) correcting.mutate(undefined);
        }}
      >
        <Field
          label="Date on the document"
          type="date"
          value={date}
          error={errors.date_of_birth}
          help="Look at a document first. Who sees the name may change with it."
          data-first
          onChange={(event) => setDate(event.target.value)}
        />
        {correcting.isError && errors.date_of_birth === undefined && (
          <Failed what="Not corrected" error={correcting.error} />
        )}
        <DialogButtons verb="Correct" busy={correcting.isPending} onClose={onClose} />
      </form>
    </Dialog>
  );
}

/** Deletes the account, once its name is typed. */
export function DeleteAccount({ of, onClose }: Props) {
  const [typed, setTyped] = useState('');
  const name = of.username ?? of.email;
  const right = typed.trim().toLowerCase() === name.toLowerCase();
  const deleting = useChange(() => deletePlayer(of.email), {
    stale: [PLAYERS],
    onDone: () => {
      onClose();
      navigate('/console/players');
    },
  });
  return (
    <Dialog title={`Delete ${name}`} onClose={onClose}>
      <form
        className="form mt3"
        onSubmit={(event) => {
          event.preventDefault();
          if (right && !deleting.isPending) deleting.mutate(undefined);
        }}
      >
        <p>
          The account, its code and its achievements are gone for good, and a restored backup
          deletes them again. The {of.games_played.toLocaleString('en')} games stay without a name,
          so that the totals of teams stay right.
        </p>
        <Field
          label={`Type ${name} to delete it`}
          value={typed}
          autoComplete="off"
          spellCheck={false}
          data-first
          onChange={(event) => setTyped(event.target.value)}
        />
        {deleting.isError && <Failed what="Not deleted" error={deleting.error} />}
        <DialogButtons
          verb="Delete for good"
          look={right ? 'danger' : 'quiet'}
          busy={!right || deleting.isPending}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}
