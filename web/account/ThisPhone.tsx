import { useState } from 'react';
import { THEMES, type Theme, useTheme } from '../shell/theme.ts';
import { canBuzz, readBuzz, writeBuzz } from '../slip/mark.ts';
import { FormError } from '../ui/FormError.tsx';
import { Panel } from '../ui/Panel.tsx';
import { Segments } from '../ui/Segments.tsx';
import toggle from '../ui/Switch.module.css';
import { NOT_KEPT } from '../ui/storage.ts';
import { HomeScreenRow } from './HomeScreenRow.tsx';
import styles from './ThisPhone.module.css';

const NAMES: Record<Theme, string> = { auto: 'As phone', light: 'Light', dark: 'Dark' };

function Vibrate() {
  const [on, setOn] = useState(readBuzz() === 'on');
  return (
    <label className={styles.row}>
      <span>
        <b>Vibrate</b>
        <small id="vibrate-caption">A short buzz when a game lands.</small>
      </span>
      <input
        type="checkbox"
        role="switch"
        className={toggle.switch}
        aria-checked={on}
        aria-label="Vibrate"
        aria-describedby="vibrate-caption"
        checked={on}
        onChange={({ target }) => {
          writeBuzz(target.checked);
          setOn(target.checked);
        }}
      />
    </label>
  );
}

/**
 * The settings of this device only: light or dark (HAND-97), vibration (HAND-22), the home screen
 * (HAND-98).
 */
export function ThisPhone() {
  const [theme, choose, kept] = useTheme();
  return (
    <Panel title="This phone">
      <div className={styles.theme}>
        <Segments
          legend="Light or dark"
          names={NAMES}
          values={THEMES}
          value={theme}
          onChoose={choose}
        />
      </div>
      {!kept && <FormError>{NOT_KEPT}</FormError>}
      <p className={styles.note}>The code page always stays white.</p>
      {canBuzz() && <Vibrate />}
      <HomeScreenRow />
    </Panel>
  );
}
