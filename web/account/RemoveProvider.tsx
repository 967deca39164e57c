import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { PASSWORD_REQUIRED } from '#contract/rules/password.ts';
import { removeProvider } from '../api/calls.ts';
import { fieldMessage } from '../api/message.ts';
import { useAuth } from '../session/AuthProvider.tsx';
import type { Provider } from '../session/openid.ts';
import { Failure } from '../shell/Failure.tsx';
import { Button } from '../ui/Button.tsx';
import { Modal, ModalButtons } from '../ui/Modal.tsx';
import styles from './Account.module.css';
import { Consequences } from './Consequences.tsx';
import { CurrentPassword } from './CurrentPassword.tsx';

type RemoveProviderProps = {
  provider: Pick<Provider, 'id' | 'name'>;
  email: string;
  onClose: () => void;
  onDone: () => void;
};

type Problems = { field?: string; form?: ReactNode };

/**
 * The dialog “Remove Google?” It asks for the password, so that a way to sign in remains (P29c).
 */
export function RemoveProvider({ provider, email, onClose, onDone }: RemoveProviderProps) {
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
      await removeProvider(api, provider.id, password);
      onDone();
    } catch (failure) {
      const wrong = fieldMessage('password', failure);
      if (wrong !== null) showField(wrong);
      else setProblems({ form: <Failure error={failure} /> });
    }
    setRemoving(false);
  }

  return (
    <Modal title={`Remove ${provider.name}?`} onClose={onClose}>
      <form className={styles.dialog} noValidate onSubmit={onSubmit}>
        <p>From then on you sign in with your password.</p>
        <Consequences
          lost={[`Signing in to this account with ${provider.name}`]}
          kept={['Your password, games, figures, team and jersey stay']}
        />
        <div>
          <CurrentPassword
            ref={field}
            email={email}
            value={password}
            error={problems.field}
            onChange={(typed) => {
              setPassword(typed);
              setProblems({});
            }}
          />
        </div>
        {problems.form}
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
