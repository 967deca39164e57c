import type { ComponentProps } from 'react';

type Look = 'txt' | 'iconb' | 'primary' | 'danger' | 'full' | 'primary full' | 'primary lg full';

/**
 * A button: a frame by default, a word (`txt`) or an icon (`iconb`). Pressing it while
 * `busy` does nothing, and it stays focusable; a form checks that it is not busy itself.
 */
export function Button({
  look,
  busy = false,
  className = '',
  type = 'button',
  onClick,
  ...rest
}: ComponentProps<'button'> & { look?: Look | undefined; busy?: boolean }) {
  const base =
    look === 'txt' || look === 'iconb' ? look : `btn ${look?.replace(/\w+/g, 'btn--$&') ?? ''}`;
  return (
    <button
      {...rest}
      className={`${base} ${className}`.trim()}
      type={type}
      aria-disabled={busy || undefined}
      onClick={busy ? undefined : onClick}
    />
  );
}
