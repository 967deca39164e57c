import { type ReactNode, useState } from 'react';
import type { PlayerPage } from '#contract/wire/players.ts';
import {
  confirmAddress,
  correctBirthdate,
  deletePlayer,
  proposeAddress,
  showPlayer,
} from '../api/calls.ts';
import { fieldsOf } from '../api/client.ts';
import { playerKey, useChange } from '../api/queries.ts';
import { navigate } from '../router.tsx';
import { DialogButtons, Goes } from '../ui/ask.tsx';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Field } from '../ui/Field.tsx';
import { AlertIcon } from '../ui/Icon.tsx';
import { Failed } from '../ui/Notice.tsx';
import { clockTime } from '../ui/times.ts';
import { PLAYERS } from './keys.ts';
import { becomes } from './words.ts';

type Props = { of: PlayerPage; onClose: () => void };

const CODE_DIGITS = 6;

/** Asks for the new address, then for the code mailed to it (P30b). */
export function ChangeAddress({ of, onClose }: Props) {
  const [sent, setSent] = useState<{ to: string; until: string } | null>(null);
  return (
    <Dialog title={sent ? 'Enter the code' : 'Change the address'} onClose={onClose}>
      {sent ? (
        <EnterCode
          of={of}
          onClose={onClose}
          {...sent}
          onSent={(until) => setSent({ ...sent, until })}
        />
      ) : (
        <NewAddress of={of} onClose={onClose} onSent={(to, until) => setSent({ to, until })} />
      )}
    </Dialog>
  );
}

function NewAddress({
  of,
  onClose,
  onSent,
}: Props & { onSent: (to: string, until: string) => void }) {
  const [address, setAddress] = useState('');
  const proposing = useChange((to: string) => proposeAddress(of.id, to), {
    onDone: ({ valid_until }) => onSent(address.trim(), valid_until),
  });
  const errors = fieldsOf(proposing.error);
  return (
    <Form
      verb="Send the code"
      busy={proposing.isPending}
      onSubmit={() => proposing.mutate(address.trim())}
      onClose={onClose}
    >
      <p>A code goes to the new address. The player reads it to you.</p>
      <Field
        label="New address"
        type="email"
        value={address}
        error={errors.new_email}
        autoComplete="off"
        data-first
        onChange={(event) => setAddress(event.target.value)}
      />
      {proposing.isError && errors.new_email === undefined && (
        <Failed what="Not sent" error={proposing.error} />
      )}
    </Form>
  );
}

function EnterCode({
  of,
  onClose,
  to,
  until,
  onSent,
}: Props & { to: string; until: string; onSent: (until: string) => void }) {
  const [code, setCode] = useState('');
  const again = useChange(() => proposeAddress(of.id, to), {
    onDone: ({ valid_until }) => {
      setCode('');
      onSent(valid_until);
    },
  });
  const confirming = useChange((typed: string) => confirmAddress(of.id, to, typed), {
    stale: [playerKey(of.id), PLAYERS],
    onDone: onClose,
  });
  const errors = fieldsOf(confirming.error);
  const complete = code.length === CODE_DIGITS;
  return (
    <Form
      verb="Move to this address"
      busy={confirming.isPending || !complete}
      onSubmit={() => confirming.mutate(code)}
      onClose={onClose}
    >
      <p>
        A code went to <b>{to}</b>. Ask {of.username ?? 'the player'} for it; it works until{' '}
        {clockTime(until)}.{' '}
        <Button look="txt" busy={again.isPending} onClick={() => again.mutate(undefined)}>
          Send another code
        </Button>
        <span role="status">{again.isSuccess && ' Sent; the one before stopped working.'}</span>
      </p>
      {again.isError && <Failed what="Not sent" error={again.error} />}
      <div className="field">
        <label htmlFor="code">{CODE_DIGITS}-digit code</label>
        <input
          className="input codein"
          id="code"
          ref={(input) => input?.focus()}
          inputMode="numeric"
          autoComplete="off"
          value={code}
          aria-invalid={errors.code ? true : undefined}
          aria-describedby={errors.code ? 'code-error' : undefined}
          onChange={(event) => setCode(event.target.value.replace(/\D/g, '').slice(0, CODE_DIGITS))}
        />
        {errors.code && (
          <p className="err" id="code-error" role="alert">
            <AlertIcon />
            <span>{errors.code}</span>
          </p>
        )}
      </div>
      <Goes
        stops={[
          'Signed out everywhere; links in old mails stop',
          ...(of.sign_in_methods.includes('google') ? ['Google is unlinked'] : []),
        ]}
        stays={['The old address is told', 'Games, team, jersey and code stay']}
      />
      {confirming.isError && errors.code === undefined && (
        <Failed what="Not changed" error={confirming.error} />
      )}
    </Form>
  );
}

/** Corrects the birth date from a document, without showing the stored date (P65). */
export function CorrectBirthdate({ of, onClose }: Props) {
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  const correcting = useChange(() => correctBirthdate(of.id, typed, reason), {
    stale: [playerKey(of.id)],
    onDone: onClose,
  });
  const errors = fieldsOf(correcting.error);
  const then = becomes(typed, of);
  return (
    <Dialog title="Correct the birth date" onClose={onClose}>
      <Form
        verb="Correct it"
        busy={correcting.isPending}
        onSubmit={() => correcting.mutate(undefined)}
        onClose={onClose}
      >
        <p>
          The date on record is not shown here, only the age: <b>{of.age}</b>. Ask for a document,
          then type what it says.
        </p>
        <Field
          label="Birth date"
          type="date"
          value={typed}
          error={errors.date_of_birth}
          help={then ? `Makes the age ${then.age}: ${then.effect}.` : undefined}
          data-first
          onChange={(event) => setTyped(event.target.value)}
        />
        <Field
          label="Why"
          value={reason}
          error={errors.reason}
          help="For the audit. The date itself is not written there."
          autoComplete="off"
          onChange={(event) => setReason(event.target.value)}
        />
        {correcting.isError && !errors.date_of_birth && !errors.reason && (
          <Failed what="Not corrected" error={correcting.error} />
        )}
      </Form>
    </Dialog>
  );
}

/** Deletes the account once its name has been typed, or its e-mail address if it has no name. */
export function DeleteAccount({ of, onClose }: Props) {
  const [typed, setTyped] = useState('');
  const showing = useChange(() => showPlayer(of.id), { stale: [playerKey(of.id)] });
  const deleting = useChange(() => deletePlayer(of.id), {
    stale: [PLAYERS],
    onDone: () => navigate('/console/players'),
  });
  const name = of.username ?? showing.data?.email ?? null;
  const right = name !== null && typed.trim().toLowerCase() === name.toLowerCase();
  const many = of.achievements.length;
  const places = [
    ...(of.team === null ? [] : [`Place on ${of.team.name}`]),
    ...(many === 0 ? [] : [`${many} ${many === 1 ? 'achievement' : 'achievements'}`]),
  ].join(', ');
  return (
    <Dialog title="Delete this account?" onClose={onClose}>
      <Form
        verb="Delete for good"
        danger={right}
        busy={!right || deleting.isPending}
        onSubmit={() => deleting.mutate(undefined)}
        onClose={onClose}
      >
        <p>
          <b>{name ?? `Without a name, ${of.address}`}</b>. For good: nobody can bring it back, and
          a restored backup deletes it again.
        </p>
        <Goes
          stops={[
            'Address, password, birth date, Google link',
            'Name, jersey, code; printed cards stop working',
            ...(places === '' ? [] : [places]),
          ]}
          stays={[
            `${of.games_played.toLocaleString('en')} scores stay in team results, as “Former player”`,
          ]}
        />
        {name === null ? (
          <Button data-first busy={showing.isPending} onClick={() => showing.mutate(undefined)}>
            Show the address to type
          </Button>
        ) : (
          <Field
            label={`Type the ${of.username === null ? 'address' : 'name'}: ${name}`}
            value={typed}
            autoComplete="off"
            spellCheck={false}
            data-first
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
        {showing.isError && <Failed what="Not shown" error={showing.error} />}
        {deleting.isError && <Failed what="Not deleted" error={deleting.error} />}
      </Form>
    </Dialog>
  );
}

function Form({
  verb,
  danger = false,
  busy,
  onSubmit,
  onClose,
  children,
}: {
  verb: string;
  danger?: boolean;
  busy: boolean;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  return (
    <form
      className="form mt2"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) onSubmit();
      }}
    >
      {children}
      <DialogButtons
        verb={verb}
        look={danger ? 'danger' : 'primary'}
        busy={busy}
        onClose={onClose}
      />
    </form>
  );
}
