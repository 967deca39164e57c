import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { JERSEY_NUMBER_MAX, jerseyNumber } from '#contract/rules/jersey.ts';
import styles from './NumberStepper.module.css';

/** A button held this long starts to repeat. */
const HOLD_DELAY_MS = 400;
const HOLD_EVERY_MS = 90;

type Direction = 1 | -1;

export function stepNumber(number: string, by: Direction): string {
  const next = Math.min(JERSEY_NUMBER_MAX, Math.max(0, Number(number) + by));
  return String(next).padStart(2, '0');
}

/** The first two digits of a text, or fewer (ACC-14). */
export function cleanNumber(typed: string): string {
  return typed.replace(/[^0-9]/g, '').slice(0, 2);
}

type NumberStepperProps = {
  value: string;
  /** Two digits, even if the player has typed one. */
  onChange: (value: string) => void;
};

/** An input between two buttons that repeat while held. */
export function NumberStepper({ value, onChange }: NumberStepperProps) {
  const id = useId();
  // The typed text, perhaps empty. While it is null, the box shows `value`.
  const [draft, setDraft] = useState<string | null>(null);
  const [held, setHeld] = useState<Direction | null>(null);
  const [announced, setAnnounced] = useState('');
  const repeated = useRef(false);

  function step(by: Direction) {
    const next = stepNumber(value, by);
    setDraft(null);
    setAnnounced(next);
    if (next !== value) onChange(next);
  }

  const repeat = useEffectEvent((by: Direction) => {
    repeated.current = true;
    step(by);
  });
  useEffect(() => {
    if (held === null) return;
    let timer = setTimeout(function again() {
      repeat(held);
      timer = setTimeout(again, HOLD_EVERY_MS);
    }, HOLD_DELAY_MS);
    return () => clearTimeout(timer);
  }, [held]);

  const button = (by: Direction, label: string, icon: string) => (
    <button
      type="button"
      aria-label={label}
      aria-disabled={stepNumber(value, by) === value}
      onPointerDown={(event) => {
        repeated.current = false;
        if (event.button === 0) setHeld(by);
      }}
      onPointerUp={() => setHeld(null)}
      onPointerLeave={() => setHeld(null)}
      onPointerCancel={() => setHeld(null)}
      onClick={(event) => {
        // Ignore the click that ends a hold, but never one by keyboard (detail 0).
        if (event.detail === 0 || !repeated.current) step(by);
      }}
    >
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <path d={icon} />
      </svg>
    </button>
  );

  return (
    <div>
      <label className={styles.label} htmlFor={id}>
        Jersey number
      </label>
      <div className={styles.stepper}>
        {button(-1, 'Decrease jersey number', 'M4 10h12')}
        <input
          id={id}
          role="spinbutton"
          aria-valuemin={0}
          aria-valuemax={JERSEY_NUMBER_MAX}
          aria-valuenow={Number(value)}
          aria-valuetext={value}
          inputMode="numeric"
          autoComplete="off"
          maxLength={2}
          value={draft ?? value}
          onFocus={(event) => event.target.select()}
          onChange={(event) => {
            const typed = cleanNumber(event.target.value);
            setDraft(typed);
            const number = jerseyNumber(typed);
            if (number !== null) onChange(number);
          }}
          onBlur={() => setDraft(null)}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
            event.preventDefault();
            step(event.key === 'ArrowUp' ? 1 : -1);
          }}
        />
        {button(1, 'Increase jersey number', 'M4 10h12M10 4v12')}
      </div>
      <span role="status" className="sr">
        {announced}
      </span>
    </div>
  );
}
