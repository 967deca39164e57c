import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Duel } from '#contract/wire/duels.ts';
import { blockFriend, removeFriend } from '../api/calls.ts';
import { KEYS } from '../api/queries.ts';
import { useAuth } from '../session/AuthProvider.tsx';
import { Button } from '../ui/Button.tsx';
import { Modal, ModalButtons } from '../ui/Modal.tsx';
import styles from './EndFriendship.module.css';
import { Failure } from './Failure.tsx';

export type Ending = 'remove' | 'block';
const ENDINGS: Record<Ending, { title: (name: string) => string; text: string; button: string }> = {
  remove: {
    title: (name) => `Remove ${name}?`,
    text: 'You stop seeing each other here, at once. Nobody is told. You can meet and add each other again.',
    button: 'Remove',
  },
  block: {
    title: (name) => `Block ${name}?`,
    text: 'You stop being friends, at once. Your codes do not work for each other, and neither can offer a duel, until you unblock them in Account. Nobody is told. Tables of a league stay as they are.',
    button: 'Block',
  },
};

/** The sheet that says what the end of a friendship does, and ends it. */
export function EndFriendship({
  n,
  name,
  how,
  duel,
  onClose,
  onEnded,
}: {
  n: string;
  name: string;
  how: Ending;
  /** The open duel of the two, which a block ends (DUEL-10). */
  duel: Duel | undefined;
  onClose: () => void;
  onEnded: () => void;
}) {
  const { api } = useAuth();
  const client = useQueryClient();
  const end = useMutation({
    mutationFn: () => (how === 'block' ? blockFriend(api, n) : removeFriend(api, n)),
    // `exact`, because a removed friend has no comparison to read again. `all`, so that the list is
    // new before its page opens.
    onSettled: () =>
      client.invalidateQueries({ queryKey: KEYS.friends, exact: true, refetchType: 'all' }),
    meta: { failure: 'The friends were not changed.' },
  });
  const { title, text, button } = ENDINGS[how];
  return (
    <Modal title={title(name)} onClose={onClose}>
      <p className={styles.about}>{text}</p>
      {how === 'block' && duel && (
        <p className={styles.about}>
          <b>
            {duel.state === 'running'
              ? `Your duel with ${name} ends, without a result.`
              : `The open offer of a duel with ${name} ends.`}
          </b>
        </p>
      )}
      {end.isError && <Failure error={end.error} />}
      <ModalButtons>
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button
          aria-disabled={end.isPending}
          onClick={() => {
            if (!end.isPending) end.mutate(undefined, { onSuccess: onEnded });
          }}
        >
          {button}
        </Button>
      </ModalButtons>
    </Modal>
  );
}
