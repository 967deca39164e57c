import type { Ref } from 'react';
import { Link } from '../router.tsx';
import { Chevron } from '../ui/Chevron.tsx';
import { PlayerCode } from '../ui/PlayerCode.tsx';
import styles from './QrCode.module.css';
import type { Mode } from './team.ts';

const MODE_WORDS: Record<Mode, string> = {
  on: 'League mode on',
  off: 'League mode off',
  'no-team': 'No team yet',
};

/** Leads to the field for a team's code (HAND-40). */
function NoTeamYet() {
  return (
    <Link to="/league" className={styles.none}>
      {MODE_WORDS['no-team']}
      <Chevron />
    </Link>
  );
}

/** The mode in words, because colour alone must never carry a meaning (LOOK-14). */
export function ModeWords({ mode }: { mode: Mode }) {
  return (
    <p className={mode === 'no-team' ? styles.plain : styles.mode} data-league={mode === 'on'}>
      {MODE_WORDS[mode]}
    </p>
  );
}

type QrCodeProps = {
  uuid: string;
  mode: Mode;
  onShow: () => void;
  opener: Ref<HTMLButtonElement>;
};

/** The code, in the mode's colour (PROD-32). */
export function QrCode({ uuid, mode, onShow, opener }: QrCodeProps) {
  return (
    <>
      <div className={styles.code} data-league={mode === 'on'}>
        <PlayerCode uuid={uuid} />
        <button
          ref={opener}
          type="button"
          className={styles.show}
          aria-label="Show the code full screen"
          onClick={onShow}
        />
      </div>
      <div className={styles.words}>
        {mode === 'no-team' ? <NoTeamYet /> : <ModeWords mode={mode} />}
      </div>
    </>
  );
}
