import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { PASSWORD_REQUIRED } from '#contract/rules/password.ts';
import type { User } from '#contract/wire/profile.ts';
import { ApiError } from '../api/client.ts';
import { fieldMessage } from '../api/message.ts';
import { removeWorker } from '../offline/remove.ts';
import { useAuth } from '../session/AuthProvider.tsx';
import { authorisationAddress, type Provider } from '../session/openid.ts';
import { canUseProviders, nameOf, useProviders } from '../session/providers.ts';
import { Failure } from '../shell/Failure.tsx';
import { Button } from '../ui/Button.tsx';
import { FieldError } from '../ui/Field.tsx';
import { FormError } from '../ui/FormError.tsx';
import { GoogleSign } from '../ui/Icon.tsx';
import { Modal, ModalButtons } from '../ui/Modal.tsx';
import styles from './Account.module.css';
import { Consequences } from './Consequences.tsx';
import { CurrentPassword } from './CurrentPassword.tsx';
import { useWonCount } from './queries.ts';

/** A provider returns to this address, which opens the dialog. */
const RETURN_PATH = '/account?delete';
const FRESH = 'You are signed in again. Delete within 5 minutes.';
const signInFirst = (names: string[]) => `Sign in with ${listed(names, 'or')} again first`;
const notAvailable = (names: string[]) =>
  `${listed(names)} sign-in is not available here. Set a password in Edit Profile, then delete.`;

function listed(parts: string[], last = 'and'): string {
  return parts.length < 2
    ? parts.join()
    : `${parts.slice(0, -1).join(', ')} ${last} ${parts.at(-1)}`;
}

/**
 * What a deletion removes and keeps (P30e). `won` is the number of achievements, if known; `linked`
 * has the names of providers.
 */
export function consequencesOf(
  { sign_in_methods: methods, team, user_stat }: User,
  won: number | undefined,
  linked: string[],
): { lost: string[]; kept: string[] } {
  const password = methods.includes('password') ? ['password'] : [];
  const links = linked.map((name) => `${name} link`);
  const number = won === undefined || won === 1 ? '' : `${won} `;
  const achieved = won === 0 ? [] : [`your ${number}achievement${won === 1 ? '' : 's'}`];
  const membership = team?.name ? [`your place on ${team.name}`] : [];
  const held = listed([...membership, ...achieved]);
  const games = user_stat.games_played;
  const scores = games === 1 ? '1 game score stays' : `${games} game scores stay`;
  return {
    lost: [
      `Your ${listed(['email', ...password, 'birth date', ...links])}`,
      'Your username, jersey and code; your printed cards stop working',
      ...(held === '' ? [] : [`${held.charAt(0).toUpperCase()}${held.slice(1)}`]),
    ],
    kept:
      games === 0
        ? []
        : [
            `${scores}${team?.name ? ' in team results' : ''}, with no name on ${games === 1 ? 'it' : 'them'}`,
          ],
  };
}

type DeleteAccountProps = {
  user: User;
  returned: boolean;
  problem: string | null;
  onClose: () => void;
};

type Problems = { field?: string; form?: ReactNode };

/** Says what is lost and kept, and asks for the password or a new sign-in (PROD-55). */
export function DeleteAccount({ user, returned, problem, onClose }: DeleteAccountProps) {
  const { deleteAccount } = useAuth();
  const providers = useProviders();
  const won = useWonCount();
  const [password, setPassword] = useState('');
  const [proven, setProven] = useState(returned && problem === null);
  const [problems, setProblems] = useState<Problems>({
    form: problem !== null && <FormError>{problem}</FormError>,
  });
  const [deleting, setDeleting] = useState(false);
  const proof = useRef<HTMLDivElement>(null);
  const byPassword = user.sign_in_methods.includes('password');
  const linked = user.sign_in_methods.filter((method) => method !== 'password');
  const names = linked.map((id) => nameOf(id, providers));
  const usable = providers.filter(({ id }) => linked.includes(id) && canUseProviders());

  function showField(message: string) {
    setProblems({ field: message });
    proof.current?.querySelector<HTMLElement>('input:not([hidden]), button')?.focus();
  }

  function showFailure(failure: unknown) {
    const wrong = fieldMessage('password', failure);
    if (wrong !== null) return showField(wrong);
    if (!byPassword && failure instanceof ApiError && failure.status === 403) {
      setProven(false);
      return setProblems({ field: signInFirst(names) });
    }
    setProblems({ form: <Failure error={failure} /> });
  }

  async function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (deleting) return;
    if (byPassword && password === '') return showField(PASSWORD_REQUIRED);
    if (!byPassword && !proven) return showField(signInFirst(names));
    setDeleting(true);
    setProblems({});
    try {
      await deleteAccount(byPassword ? password : undefined);
    } catch (failure) {
      showFailure(failure);
      return setDeleting(false);
    }
    sessionStorage.clear();
    await removeWorker();
    // A page load also clears the player's data from memory.
    window.location.replace('/login');
  }

  async function goTo(provider: Provider) {
    const purpose = { email: user.email };
    try {
      const address = await authorisationAddress(provider, RETURN_PATH, sessionStorage, purpose);
      window.location.assign(address);
    } catch (failure) {
      setProblems({ form: <Failure error={failure} /> });
    }
  }

  return (
    <Modal
      title="Delete my account?"
      onClose={() => {
        if (!deleting) onClose();
      }}
    >
      <form className={styles.dialog} noValidate onSubmit={onSubmit}>
        <p>For good. Nobody can bring it back.</p>
        <Consequences {...consequencesOf(user, won, names)} />
        <div ref={proof}>
          {byPassword ? (
            <CurrentPassword
              email={user.email}
              value={password}
              error={problems.field}
              onChange={(typed) => {
                setPassword(typed);
                setProblems({});
              }}
            />
          ) : proven ? (
            <p role="status">{FRESH}</p>
          ) : (
            <>
              {usable.map((provider) => (
                <Button
                  key={provider.id}
                  look="quiet"
                  aria-describedby={problems.field ? 'provider-first' : undefined}
                  onClick={() => void goTo(provider)}
                >
                  {provider.id === 'google' && <GoogleSign />}
                  {`Sign in with ${provider.name} again`}
                </Button>
              ))}
              {usable.length === 0 && <p>{notAvailable(names)}</p>}
              <div role="alert">
                {problems.field && <FieldError id="provider-first">{problems.field}</FieldError>}
              </div>
            </>
          )}
        </div>
        {problems.form}
        <ModalButtons>
          <Button look="quiet" aria-disabled={deleting} onClick={() => !deleting && onClose()}>
            Cancel
          </Button>
          <Button type="submit" aria-disabled={deleting}>
            Delete
          </Button>
        </ModalButtons>
      </form>
    </Modal>
  );
}
