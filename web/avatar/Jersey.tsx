import { type CSSProperties, useId } from 'react';
import { GREY_JERSEY, jerseyColours } from '#brand/jersey-colour.ts';
import {
  ALONE,
  BODY,
  DIGITS,
  FOLD,
  nameSize,
  SECOND_DIGIT,
  SIDES,
  TRIM,
  UNDER_THE_NAME,
} from '#brand/jersey-shape.ts';
import { useChange } from '../ui/change.ts';
import '../../brand/jersey.css';
import styles from './Jersey.module.css';

function Glyph({ digit }: { digit: string }) {
  const shape = DIGITS[Number(digit)];
  return (
    <>
      <path d={shape} className="jersey__cut" />
      <path d={shape} className="jersey__num" />
    </>
  );
}

/** Flips when it changes (LOOK-33). Without animations, CSS hides the old digit. */
function Digit({ digit, x }: { digit: string; x: number }) {
  const [flip] = useChange(digit);
  return (
    <g transform={`translate(${x} 0)`}>
      {flip.from !== null && (
        <g key={`out ${flip.from}`} className={styles.flipOut}>
          <Glyph digit={flip.from} />
        </g>
      )}
      <g key={flip.to} className={flip.from === null ? undefined : styles.flipIn}>
        <Glyph digit={flip.to} />
      </g>
    </g>
  );
}

type JerseyProps = {
  /** The name is shown in upper case, and may be empty. */
  username: string;
  color: string;
  number: string;
  /** Draws a larger number and no name, for widths under 96 px. */
  small?: boolean;
  className?: string | undefined;
};

/** A player's jersey, announced as "Jersey 07, MAYA_BANKS" (LOOK-23). */
export function Jersey({ username, color, number, small = false, className }: JerseyProps) {
  const clip = useId();
  const name = username.toUpperCase();
  const showName = name !== '' && !small;
  const { ink, trim } = jerseyColours(color);
  const digits = showName ? UNDER_THE_NAME : ALONE;
  const colours = {
    '--jersey-body': color,
    '--jersey-ink': ink,
    '--jersey-trim': trim,
  } as CSSProperties;
  return (
    <svg
      className={`${styles.jersey} ${className ?? ''}`}
      viewBox="0 0 200 220"
      role="img"
      aria-label={name === '' ? `Jersey ${number}` : `Jersey ${number}, ${name}`}
      style={colours}
    >
      <clipPath id={clip}>
        <path d={BODY} />
      </clipPath>
      <g clipPath={`url(#${clip})`}>
        <path className="jersey__body" d={BODY} />
        <path className="jersey__side" d={SIDES} />
        <path className="jersey__fold" d={FOLD} />
        <path className="jersey__trim" d={TRIM} />
      </g>
      <path className="jersey__edge" d={BODY} />
      {showName && (
        <text className="jersey__name" x="100" y="84" textAnchor="middle" fontSize={nameSize(name)}>
          {name}
        </text>
      )}
      <g transform={`translate(${digits.x} ${digits.y}) scale(${digits.scale})`}>
        <Digit digit={number.charAt(0)} x={0} />
        <Digit digit={number.charAt(1)} x={SECOND_DIGIT} />
      </g>
    </svg>
  );
}

/** The grey jersey of a player without a name (LOOK-23). */
export function BlankJersey({ className }: { className?: string | undefined }) {
  return (
    <svg
      className={`${styles.blank} ${className ?? ''}`}
      viewBox="0 0 200 220"
      role="img"
      aria-label="No avatar yet"
    >
      <path d={BODY} />
    </svg>
  );
}

/**
 * The jersey of a player whom the viewer may not see (LOOK-70). Screen readers skip it, so write
 * `A_PLAYER` beside it.
 */
export function GreyJersey() {
  const clip = useId();
  const colours = {
    '--jersey-body': GREY_JERSEY.body,
    '--jersey-trim': GREY_JERSEY.trim,
  } as CSSProperties;
  return (
    <svg className={styles.jersey} viewBox="0 0 200 220" aria-hidden="true" style={colours}>
      <clipPath id={clip}>
        <path d={BODY} />
      </clipPath>
      <g clipPath={`url(#${clip})`}>
        <path className="jersey__body" d={BODY} />
        <path className="jersey__trim" d={TRIM} />
      </g>
      <path className="jersey__edge" d={BODY} />
    </svg>
  );
}
