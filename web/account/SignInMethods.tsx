import { type FormEvent, useEffect, useRef, useState } from 'react';
import { CHOOSE_PASSWORD_FIRST, PASSWORD_REQUIRED } from '#contract/password.ts';
import type { User } from '#contract/profile.ts';
import { removeGoogle } from '../api/calls.ts';
import { CannotReach } from '../api/client.ts';
import { fieldMessage, messageFor } from '../api/message.ts';
import { useAuth } from '../session/AuthProvider.tsx';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { Modal, ModalButtons } from '../ui/Modal.tsx';
import { FormError, Notice } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';
import styles from './Account.module.css';
import { Consequences } from './Consequences.tsx';

type RemoveGoogleProps = {
  email: string;
  onClose: () => void;
  /** The server has removed Google. */
  onDone: () => void;
};

type Problems = { field?: string; form?: { message: string; noSignal: boolean } };

/** Asks for the password, the only way to sign in after Google is removed (P29c). */
function RemoveGoogle({ email, onClose, onDone }: RemoveGoogleProps) {
  const { api } = useAuth();
  const [password, setPassword] = useState('');
  const [problems, setProblems] = useState<Problems>({});
  const [removing, setRemoving] = useState(false);
  const field = useRef<HTMLInputElement>(null);

  function showField(message: string) {
    setProblems({ field: message });
    field.current?.focus();
  }

  async function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (removing) return;
    if (password === '') return showField(PASSWORD_REQUIRED);
    setRemoving(true);
    setProblems({});
    try {
      await removeGoogle(api, password);
      onDone();
    } catch (failure) {
      const wrong = fieldMessage('password', failure);
      if (wrong !== null) showField(wrong);
      else
        setProblems({
          form: {
            message: messageFor('anything', failure),
            noSignal: failure instanceof CannotReach,
          },
        });
    }
    setRemoving(false);
  }

  return (
    <Modal title="Remove Google?" onClose={onClose}>
      <form className={styles.dialog} noValidate onSubmit={onSubmit}>
        <p>From then on you sign in with your password.</p>
        <Consequences
          lost={['Signing in to this account with Google']}
          kept={['Your password, games, figures, team and jersey stay']}
        />
        <div>
          {/* Password managers read the account name here. */}
          <input hidden type="email" autoComplete="username" value={email} readOnly />
          <Field
            ref={field}
            label="Password"
            type="password"
            autoComplete="current-password"
            required
            value={password}
            error={problems.field}
            onChange={(event) => {
              setPassword(event.target.value);
              setProblems({});
            }}
          />
        </div>
        {problems.form && (
          <FormError noSignal={problems.form.noSignal}>{problems.form.message}</FormError>
        )}
        <ModalButtons>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" aria-disabled={removing}>
            Remove
          </Button>
        </ModalButtons>
      </form>
    </Modal>
  );
}

/** How a player who uses Google signs in. Google can be removed (PROD-54). */
export function SignInMethods({ user }: { user: User }) {
  const { readProfile } = useAuth();
  const [isOpen, setOpen] = useState(false);
  const [isRemoved, setRemoved] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  // The focused button is gone. Wait until the dialog has closed.
  useEffect(() => {
    if (isRemoved) heading.current?.focus();
  }, [isRemoved]);
  const byPassword = user.sign_in_methods.includes('password');
  const byGoogle = user.sign_in_methods.includes('google') && !isRemoved;
  if (!byGoogle && !isRemoved) return null;

  function onDone() {
    setOpen(false);
    setRemoved(true);
    // Store the new sign-in methods. If this read fails, the next one stores them.
    readProfile().catch(() => {});
  }

  return (
    <Panel title="How I sign in" heading={heading}>
      <div className={styles.body}>
        <p>{methodsText(byPassword, byGoogle)}</p>
        <div className={styles.notes}>
          <Notice>{isRemoved ? 'Google was removed.' : null}</Notice>
        </div>
        {byGoogle &&
          (byPassword ? (
            <Button look="quiet" onClick={() => setOpen(true)}>
              Remove Google
            </Button>
          ) : (
            <p className={styles.small}>{CHOOSE_PASSWORD_FIRST}</p>
          ))}
      </div>
      {isOpen && <RemoveGoogle email={user.email} onClose={() => setOpen(false)} onDone={onDone} />}
    </Panel>
  );
}

function methodsText(byPassword: boolean, byGoogle: boolean): string {
  if (byPassword && byGoogle) return 'With your password or with Google.';
  return byGoogle ? 'With Google.' : 'With your password.';
}
