import type { ComponentProps } from 'react';
import styles from './Button.module.css';

type Look = 'primary' | 'quiet' | 'play';

export function buttonClass(look: Look): string {
  return `${styles.button} ${styles[look]}`;
}

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  /**
   * A view has at most one `primary` button; the others are `quiet`. `play` is only for Let's Play!
   * (LOOK-11).
   */
  look?: Look;
}

/** Disable it with `aria-disabled`, which keeps the focus; `disabled` loses the focus. */
export function Button({ look = 'primary', type = 'button', ...rest }: ButtonProps) {
  return <button className={buttonClass(look)} type={type} {...rest} />;
}
