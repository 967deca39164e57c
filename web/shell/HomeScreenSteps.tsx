import { Button } from '../ui/Button.tsx';
import { brand } from '../ui/brand.ts';
import { Modal, ModalButtons } from '../ui/Modal.tsx';
import styles from './HomeScreenSteps.module.css';

type HomeScreenStepsProps = {
  /** Where the steps were opened, which decides the reason that they give. */
  from: 'push' | 'account';
  onClose: () => void;
  onLater?: () => void;
};

const TITLES = { push: 'First, to the home screen', account: 'Put it on your home screen' };
const REASONS = {
  push: 'iPhone and iPad show notifications only of apps on the home screen. It takes three taps.',
  account: 'One tap to the code, also where the signal is bad. It takes three taps.',
};
const THEN = {
  push: 'Sign in once more, then turn it on here. The question comes back by itself.',
  account: 'Sign in there once more.',
};

/** How to put the app on an iPhone's or iPad's home screen, in three steps (PUSH-34, HAND-98). */
export function HomeScreenSteps({ from, onClose, onLater }: HomeScreenStepsProps) {
  return (
    <Modal title={TITLES[from]} onClose={onClose}>
      <p className={styles.about}>{REASONS[from]}</p>
      <ol className={styles.steps}>
        <li>
          <span className={styles.picture}>
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d="M12 14.5V3.5M8 7l4-4 4 4M8 10H6a2 2 0 0 0-2 2v7a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-7a2 2 0 0 0-2-2h-2" />
            </svg>
          </span>
          <p>
            <b>Tap Share</b>
            <small>
              In the bar of Safari: a box with an arrow. It may be behind the three dots.
            </small>
          </p>
        </li>
        <li>
          <span className={styles.picture}>
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <rect x="3.5" y="3.5" width="17" height="17" rx="4.5" />
              <path d="M12 8v8M8 12h8" />
            </svg>
          </span>
          <p>
            <b>Choose “Add to Home Screen”</b>
            <small>Scroll down a little in the list. Leave “Open as Web App” on.</small>
          </p>
        </li>
        <li>
          <span className={styles.picture}>
            <img src="/apple-touch-icon.png" alt="" width="52" height="52" />
          </span>
          <p>
            <b>Open {brand} there</b>
            <small>{THEN[from]}</small>
          </p>
        </li>
      </ol>
      <ModalButtons>
        {onLater && (
          <Button look="quiet" onClick={onLater}>
            Not now
          </Button>
        )}
        <Button onClick={onClose}>Got it</Button>
      </ModalButtons>
    </Modal>
  );
}
