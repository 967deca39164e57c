import type { ComponentProps } from 'react';
import styles from './Button.module.css';
import { useHydrated } from './hydrated.ts';

type Look = 'primary' | 'quiet' | 'play';

export function buttonClass(look: Look): string {
  return `${styles.button} ${styles[look]}`;
}

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className' | 'disabled'> {
  /**
   * A view has at most one `primary` button; the others are `quiet`. `play` is only for Let's Play!
   * (LOOK-11).
   */
  look?: Look;
}

/**
 * To disable a button, pass `aria-disabled`: `disabled` would lose the focus. A prerendered button
 * is disabled until React has hydrated it (PROD-163).
 */
export function Button({ look = 'primary', type = 'button', ...rest }: ButtonProps) {
  const hydrated = useHydrated();
  return <button className={buttonClass(look)} type={type} {...rest} disabled={!hydrated} />;
}
