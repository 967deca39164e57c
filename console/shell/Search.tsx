import {
  Fragment,
  type KeyboardEvent,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { SEARCH_LEAST } from '#contract/rules/players.ts';
import type { Found } from '#contract/wire/search.ts';
import { searchAll } from '../api/calls.ts';
import { useRead } from '../api/queries.ts';
import { Link, useLocation } from '../router.tsx';
import { useMay } from '../session/me.tsx';
import { SEARCH_MS, useLater } from '../ui/later.ts';
import { Failed } from '../ui/Notice.tsx';

const KINDS: Record<Found['kind'], { title: string; path: string }> = {
  player: { title: 'Players', path: '/console/players' },
  team: { title: 'Teams', path: '/console/leagues/teams' },
  machine: { title: 'Machines', path: '/console/machines' },
  league: { title: 'Leagues', path: '/console/leagues' },
  screen: { title: 'Screens', path: '/console/screens' },
};

/** Whether a key press goes to something that takes text, or to a dialog. */
const isTaken = ({ target }: Event) =>
  document.querySelector('dialog[open]') !== null ||
  (target instanceof Element && target.closest('input, textarea, select') !== null);

/**
 * Searches by name among what the person may reach. `/` leads here from anywhere (HAND-C12). The
 * arrow keys move through the results, Esc ends the search.
 */
export function Search({ className }: { className: string }) {
  const [typed, setTyped] = useState('');
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const manager = useMay('manager');
  const wanted = typed.trim();
  const text = useLater(wanted, SEARCH_MS);
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      // The rail and the page More both have a field, but only one is visible.
      if (isTaken(event) || !field.current?.checkVisibility()) return;
      event.preventDefault();
      field.current.focus();
      field.current.select();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  const enough = text.length >= SEARCH_LEAST;
  const read = useRead(['search', text], () => searchAll(text), [], enough, true);
  const results = read.data?.results ?? [];
  const shown = open && enough && wanted.length >= SEARCH_LEAST;

  const end = useCallback(() => {
    setTyped('');
    setOpen(false);
  }, []);
  const location = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page ends the search
  useEffect(end, [location]);
  const walk = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      field.current?.focus();
      end();
      return;
    }
    const down =
      event.key === 'ArrowDown' || (event.key === 'Enter' && event.target === field.current);
    if (!down && event.key !== 'ArrowUp') return;
    event.preventDefault();
    const links = [...(root.current?.querySelectorAll<HTMLElement>('.found a') ?? [])];
    const at = links.indexOf(document.activeElement as HTMLElement);
    (down ? links[at + 1] : (links[at - 1] ?? field.current))?.focus();
  };
  const said =
    !shown || read.data === undefined || read.isPlaceholderData
      ? ''
      : results.length === 0
        ? `Nothing called “${text}”.`
        : `${results.length} found`;
  return (
    <search
      ref={root}
      className={`find ${className}`}
      onKeyDown={walk}
      onBlur={({ relatedTarget }) => {
        if (!root.current?.contains(relatedTarget)) setOpen(false);
      }}
    >
      <label className="sr" htmlFor={id}>
        {manager ? 'Search players, teams, machines, leagues, screens' : 'Search machines'}
      </label>
      <input
        ref={field}
        id={id}
        className="input"
        type="search"
        placeholder="Search"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        aria-keyshortcuts="/"
        value={typed}
        onFocus={() => setOpen(true)}
        onChange={(event) => {
          setTyped(event.target.value);
          setOpen(true);
        }}
      />
      {typed === '' && (
        <span className="find__key" aria-hidden="true">
          /
        </span>
      )}
      <p className="sr" role="status">
        {said}
      </p>
      {shown && (read.data !== undefined || read.isError) && (
        // biome-ignore lint/a11y/noStaticElementInteractions: keeps the focus, does nothing else
        <div
          className="found"
          // Safari does not focus a clicked link: the list would close before the click arrives.
          onMouseDown={(event) => event.preventDefault()}
        >
          {read.isError && (
            <Failed what="Not searched" error={read.error} onAgain={() => void read.refetch()} />
          )}
          {results.length === 0 && !read.isError && <p className="sm">{said}</p>}
          {[...Map.groupBy(results, ({ kind }) => kind)].map(([kind, found]) => (
            <Fragment key={kind}>
              <h2 id={`${id}-${kind}`}>{KINDS[kind].title}</h2>
              <ul aria-labelledby={`${id}-${kind}`}>
                {found.map(({ id: of, name, about }) => (
                  <li key={of}>
                    <Link to={`${KINDS[kind].path}/${of}`}>
                      {name ?? 'Without a name'}
                      {about !== null && <small>{about}</small>}
                    </Link>
                  </li>
                ))}
              </ul>
            </Fragment>
          ))}
        </div>
      )}
    </search>
  );
}
