import { useState } from 'react';
import { needsHomeScreen } from '../session/push.ts';
import { HomeScreenSteps } from '../shell/HomeScreenSteps.tsx';
import { Button } from '../ui/Button.tsx';
import styles from './ThisPhone.module.css';

/** Says on an iPhone or iPad how to put the app on the home screen (HAND-98). */
export function HomeScreenRow() {
  const [shown, setShown] = useState(false);
  if (!needsHomeScreen()) return null;
  return (
    <div className={styles.row}>
      <Button look="quiet" onClick={() => setShown(true)}>
        Put it on your home screen
      </Button>
      {shown && <HomeScreenSteps from="account" onClose={() => setShown(false)} />}
    </div>
  );
}
