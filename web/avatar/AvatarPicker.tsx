import type { CSSProperties } from 'react';
import {
  avatarColor,
  DEFAULT_AVATAR_COLOR,
  DEFAULT_JERSEY_NUMBER,
  jerseyNumber,
} from '#contract/rules/jersey.ts';
import styles from './AvatarPicker.module.css';
import { ColourSlider } from './ColourSlider.tsx';
import { Jersey } from './Jersey.tsx';
import { NumberStepper } from './NumberStepper.tsx';

type AvatarPickerProps = {
  /** The result of `usePassedName`; empty if there is none. */
  username: string;
  /** `#RRGGBB` */
  color: string;
  number: string;
  /** The colour is `#RRGGBB`, the number two digits. */
  onChange: (avatar: { color: string; number: string }) => void;
};

export function AvatarPicker({ username, onChange, ...given }: AvatarPickerProps) {
  const color = avatarColor(given.color) ?? DEFAULT_AVATAR_COLOR;
  const number = jerseyNumber(given.number) ?? DEFAULT_JERSEY_NUMBER;
  return (
    <fieldset
      className={styles.picker}
      aria-label="Avatar"
      data-player
      style={{ '--player': color } as CSSProperties}
    >
      <Jersey username={username} color={color} number={number} className={styles.jersey} />
      <div className={styles.number}>
        <NumberStepper value={number} onChange={(next) => onChange({ color, number: next })} />
      </div>
      <div className={styles.colour}>
        <ColourSlider color={color} onChange={(next) => onChange({ color: next, number })} />
      </div>
    </fieldset>
  );
}
