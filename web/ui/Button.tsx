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

const no = () => false;

/**
 * Disable it with `aria-disabled`, which keeps the focus; `disabled` loses the focus. In a
 * prerendered page it is disabled until React has hydrated the page (PROD-163).
 */
export function Button({ look = 'primary', type = 'button', ...rest }: ButtonProps) {
  const waits = useHydrated(no, true);
  return <button className={buttonClass(look)} type={type} {...rest} disabled={waits} />;
}
