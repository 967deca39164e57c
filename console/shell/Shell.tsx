import { type ReactNode, useEffect, useState } from 'react';
import wordmark from '#brand/wordmark.svg';
import wordmarkReverse from '#brand/wordmark-reverse.svg';
import { reaches } from '#contract/rules/staff.ts';
import { useServerTime } from '../../web/ui/server-time.ts';
import { Link, useLocation } from '../router.tsx';
import { roleWords, useMe } from '../session/me.tsx';
import { MoreIcon, NoSignalIcon } from '../ui/Icon.tsx';
import { clockTime } from '../ui/times.ts';
import { onAnnounce } from './announce.ts';
import { useAnnouncedCases, useBall } from './ball.ts';
import { useConnection } from './connection.tsx';
import { NAV, type NavEntry, roleOf } from './nav.tsx';
import { Search } from './Search.tsx';

const MORE = '/console/more';
const CLOCK_EVERY_MS = 10_000;

/** `Live 22:04`, or `As of 20:14` without a connection. */
function LiveTime({ top = false }: { top?: boolean }) {
  const { live, heardAt } = useConnection();
  const now = new Date(useServerTime(CLOCK_EVERY_MS));
  return (
    <span className={top ? 'live live--top' : 'live'} data-off={live ? undefined : ''}>
      <i />
      {live ? `Live ${clockTime(now)}` : `As of ${clockTime(heardAt)}`}
    </span>
  );
}

function Ball() {
  const number = useBall();
  if (number === 0) return null;
  return (
    <span className="cnt">
      <span aria-hidden="true">{number}</span>
      <span className="sr">
        {number === 1 ? '1 thing needs a hand' : `${number} things need a hand`}
      </span>
    </span>
  );
}

function isAt({ path, below }: NavEntry, current: string): boolean {
  return (
    current === path ||
    (path !== '/console/' && current.startsWith(`${path}/`)) ||
    (below !== undefined && current.startsWith(below))
  );
}

function NavLink({ entry, gap }: { entry: NavEntry; gap: boolean }) {
  const { path: current } = useLocation();
  const inBar = entry.icon !== undefined;
  return (
    <li className={inBar ? undefined : gap ? 'w-only gap' : 'w-only'}>
      <Link to={entry.path} aria-current={isAt(entry, current) ? 'page' : undefined}>
        {entry.icon}
        <span>{entry.name}</span>
        {entry.ball && <Ball />}
      </Link>
    </li>
  );
}

function StatusRegion() {
  const [sentence, setSentence] = useState('');
  useEffect(() => onAnnounce(setSentence), []);
  return (
    <p className="sr" role="status">
      {sentence}
    </p>
  );
}

/**
 * Says that there is no connection. Always mounted: screen readers skip a status region that
 * appears with its text.
 */
function OfflineStrip() {
  const { live, heardAt } = useConnection();
  return (
    <div role="status">
      {!live && (
        <div className="strip">
          <NoSignalIcon />
          <div>
            <b>No connection. As of {clockTime(heardAt)}.</b>{' '}
            <span className="ink2">
              What you see is from then. What you press now is not sent; what you typed stays.
            </span>
          </div>
        </div>
      )}
    </div>
  );
}

/** The frame of every page. */
export function Shell({ children }: { children: ReactNode }) {
  const me = useMe();
  const { path } = useLocation();
  useAnnouncedCases();
  const entries = NAV.filter((entry) => !entry.onlyInMore && reaches(me.role, roleOf(entry)));
  const firstBelow = entries.find(({ icon, daily }) => icon === undefined && !daily);
  const inBar = entries.some((entry) => entry.icon !== undefined && isAt(entry, path));
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <div className="shell">
        <div className="side">
          <div className="side__in">
            <header>
              <Link to="/console/">
                <img className="brand brand--phone" src={wordmark} alt={`${me.brand} console`} />
                <img
                  className="brand brand--wide"
                  src={wordmarkReverse}
                  alt={`${me.brand} console`}
                />
              </Link>
              <span className="where w-only">Venue console</span>
              <LiveTime top />
            </header>
            <Search className="w-only" />
            <nav className="nav" aria-label="Console">
              <ul>
                {entries.map((entry) => (
                  <NavLink key={entry.path} entry={entry} gap={entry === firstBelow} />
                ))}
                <li className="p-only">
                  <Link to={MORE} aria-current={inBar ? undefined : 'page'}>
                    <MoreIcon />
                    <span>More</span>
                  </Link>
                </li>
              </ul>
            </nav>
            <section className="me" aria-label="You">
              <LiveTime />
              <Link className="mt1" to={MORE} aria-current={path === MORE ? 'page' : undefined}>
                {me.name}
                <small>{roleWords(me)}</small>
              </Link>
            </section>
          </div>
        </div>
        <main className="main" id="main">
          <OfflineStrip />
          {children}
        </main>
      </div>
      <StatusRegion />
    </>
  );
}
