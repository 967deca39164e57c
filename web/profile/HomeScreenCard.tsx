import { useId } from 'react';
import { install, putOff } from '../session/home-screen.ts';
import { Button } from '../ui/Button.tsx';
import panel from '../ui/Panel.module.css';
import { serverDate } from '../ui/server-clock.ts';
import styles from './HomeScreenCard.module.css';
import offer from './Question.module.css';

/** The card that offers the home screen, with the app's picture as it looks there (HAND-98). */
export function HomeScreenCard({ onAnswered }: { onAnswered: () => void }) {
  const id = useId();
  const now = () => serverDate().getTime();
  return (
    <section className={`${panel.panel} ${styles.card}`} aria-labelledby={id}>
      <div className={styles.head}>
        <span className={styles.icon}>
          <img src="/apple-touch-icon.png" alt="" width="48" height="48" />
        </span>
        <h2 id={id} className="display">
          Put your code on the home screen?
        </h2>
      </div>
      <p className={offer.about}>
        One tap to the code, also where the signal is bad. It takes less space than a photo.
      </p>
      <div className={offer.buttons}>
        <Button
          look="quiet"
          onClick={() => {
            putOff(now());
            onAnswered();
          }}
        >
          Not now
        </Button>
        <Button
          onClick={() => {
            install(now()).catch((error: unknown) =>
              console.error('The app was not installed.', error),
            );
            onAnswered();
          }}
        >
          Add it
        </Button>
      </div>
    </section>
  );
}
