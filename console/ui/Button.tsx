import type { ComponentProps } from 'react';

type Look = 'txt' | 'iconb' | 'primary' | 'danger' | 'full' | 'primary full' | 'primary lg full';

/**
 * A button, by default with a frame; `txt` is a bare word, `iconb` an icon. While `busy`, it stays
 * focusable and ignores clicks. It does not stop the submission of its form.
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
