import type { ComponentProps } from 'react';
import styles from './Button.module.css';

type Look = 'primary' | 'quiet' | 'play';

/** The classes of a button, for a link that looks like one (Google, Back to login). */
export function buttonClass(look: Look): string {
  return `${styles.button} ${styles[look]}`;
}

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  /** One primary a view; quiet for the others; play for Let's Play! alone. */
  look?: Look;
}

/** A button over the full width. Say `aria-disabled` rather than `disabled`: it keeps its focus. */
export function Button({ look = 'primary', type = 'button', ...rest }: ButtonProps) {
  return <button className={buttonClass(look)} type={type} {...rest} />;
}
