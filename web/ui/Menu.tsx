import { type KeyboardEvent, useRef, useState } from 'react';
import styles from './Menu.module.css';

const BARS = 'M4 8h16M4 16h10';
const CROSS = 'm6 6 12 12M18 6 6 18';

/** The item that gets the focus after `key` at `from`; null for other keys. */
export function menuMove(key: string, from: number, count: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return (from + 1) % count;
    case 'ArrowUp':
      return (from - 1 + count) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}

export type MenuItem = {
  label: string;
  /** An outline on a 24 x 24 grid. */
  icon: string;
  run: () => void;
};

export function Menu({ items }: { items: MenuItem[] }) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const entries = useRef<(HTMLButtonElement | null)[]>([]);

  function close() {
    setOpen(false);
    button.current?.focus();
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape' && open) return close();
    const focused = entries.current.findIndex((entry) => entry?.matches(':focus'));
    // From the button, ArrowDown goes to the first item, ArrowUp to the last.
    const from = focused === -1 && event.key === 'ArrowUp' ? 0 : focused;
    const to = open ? menuMove(event.key, from, items.length) : null;
    if (to === null) return;
    event.preventDefault();
    entries.current[to]?.focus();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of the button and the items inside
    <div
      className={styles.place}
      onKeyDown={onKeyDown}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false);
      }}
    >
      <button
        ref={button}
        type="button"
        className={styles.button}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls="menu"
        aria-label="Menu"
        onClick={() => setOpen(!open)}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d={open ? CROSS : BARS} />
        </svg>
      </button>
      {open && (
        <div
          className={styles.menu}
          id="menu"
          role="menu"
          aria-label="Menu"
          // Safari does not focus a tapped button: the menu would close before the tap arrives.
          onMouseDown={(event) => event.preventDefault()}
        >
          {items.map(({ label, icon, run }, at) => (
            <button
              key={label}
              ref={(entry) => {
                entries.current[at] = entry;
                if (at === 0 && document.activeElement === button.current) entry?.focus();
              }}
              type="button"
              role="menuitem"
              onClick={() => {
                // Close the menu first, so that a dialog that `run` opens returns the focus to the
                // menu button.
                close();
                run();
              }}
            >
              <svg viewBox="0 0 24 24" aria-hidden="true">
                <path d={icon} />
              </svg>
              {label}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
