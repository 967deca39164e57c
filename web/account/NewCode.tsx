import { useState } from 'react';
import { useAuth } from '../session/AuthProvider.tsx';
import { Failure } from '../shell/Failure.tsx';
import { Button } from '../ui/Button.tsx';
import { Modal, ModalButtons } from '../ui/Modal.tsx';
import styles from './Account.module.css';
import { Consequences } from './Consequences.tsx';

type NewCodeProps = {
  onClose: () => void;
  /** Called after the code is replaced. The stored user then has the new code. */
  onDone: () => void;
};

/** Asks before replacing the code, because printed cards stop working (ACC-26). */
export function NewCode({ onClose, onDone }: NewCodeProps) {
  const { replaceCode } = useAuth();
  const [asking, setAsking] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);

  async function replace() {
    if (asking) return;
    setAsking(true);
    setFailure(null);
    await replaceCode().then(onDone, setFailure);
    setAsking(false);
  }

  return (
    <Modal title="Get a new code?" onClose={onClose}>
      <div className={styles.dialog}>
        <p>
          Your old code <strong>stops working at once</strong>, and this cannot be undone.
        </p>
        <Consequences
          lost={['Printed cards and screenshots of the old code']}
          kept={['Your games, figures, team and jersey stay']}
        />
        {failure !== null && <Failure error={failure} />}
        <ModalButtons>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button aria-disabled={asking} onClick={() => void replace()}>
            New code
          </Button>
        </ModalButtons>
      </div>
    </Modal>
  );
}
