import { QRCodeSVG } from 'qrcode.react';
import styles from './QrCode.module.css';
import type { Mode } from './team.ts';

/** White modules around the code; readers need this many (spec 2). */
const MARGIN = 4;
/** A uuid at level H takes 37 modules; with the margin a code is this many wide. */
export const MODULES = 37 + 2 * MARGIN;

const MODE_WORDS: Record<Mode, string> = {
  on: 'League mode on',
  off: 'League mode off',
  'no-team': 'No team yet',
};

/** The code alone: the uuid, level H, with its margin, in the colour of the text around it. */
export function Code({ uuid }: { uuid: string }) {
  return (
    <QRCodeSVG
      value={uuid}
      level="H"
      marginSize={MARGIN}
      fgColor="currentColor"
      bgColor="transparent"
      role="img"
      aria-label="Player QR code"
    />
  );
}

/** The mode in words, so that nobody has to tell the code's colours apart. */
export function ModeWords({ mode }: { mode: Mode }) {
  return (
    <p className={styles.mode} data-league={mode === 'on'}>
      {MODE_WORDS[mode]}
    </p>
  );
}

type QrCodeProps = {
  uuid: string;
  mode: Mode;
  /** Shows the code full screen. */
  onShow: () => void;
};

/** The player's code: navy when league mode is active, deep red otherwise. A tap enlarges it. */
export function QrCode({ uuid, mode, onShow }: QrCodeProps) {
  return (
    <>
      <div className={styles.code} data-league={mode === 'on'}>
        <Code uuid={uuid} />
        <button
          type="button"
          className={styles.show}
          aria-label="Show the code full screen"
          onClick={onShow}
        />
      </div>
      <div className={styles.words}>
        <ModeWords mode={mode} />
      </div>
    </>
  );
}
