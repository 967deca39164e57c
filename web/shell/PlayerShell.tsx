import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { navigate, useLocation } from '../router.tsx';
import { useAuth } from '../session/AuthProvider.tsx';
import { formerTeam } from '../session/former-team.ts';
import { keepPrompts } from '../session/home-screen.ts';
import { visitBy } from '../session/visit.ts';
import { SlipProvider, useSlip } from '../slip/SlipProvider.tsx';
import { useBrowserPush } from './browser-push.ts';
import { markKeys } from './by-key.ts';
import { LiveQueries, ProfileRead } from './LiveQueries.tsx';
import { Rooms } from './Rooms.tsx';
import { type Room, roomAt } from './rooms.ts';
import { SkipLink } from './SkipLink.tsx';
import { usePaintedTheme } from './theme.ts';

/** How far each room was scrolled when the player left it in this visit (HAND-36). */
const left = new Map<string, number>();

/** Whether the slip is in view: on the pass, and not scrolled away (HAND-08). */
function useInView(path: string): boolean {
  const { slip } = useSlip();
  const { state } = useLocation();
  const [seen, setSeen] = useState(true);
  // The code page has a state of its own. It takes the slip's paper off the pass.
  const onPass = path === '/profile' && state === null;
  useEffect(() => {
    const paper = onPass && slip !== null ? document.querySelector('[data-paper]') : null;
    if (paper === null) return;
    const watch = new IntersectionObserver(([entry]) => setSeen(entry?.isIntersecting ?? true));
    watch.observe(paper);
    return () => watch.disconnect();
  }, [slip, onPass]);
  return onPass && seen;
}

function Bar() {
  const { path } = useLocation();
  const { slip } = useSlip();
  const inView = useInView(path);
  const hasScore = slip !== null && !inView;
  const restore = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (restore.current !== null && roomAt(path) !== null) window.scrollTo(0, restore.current);
    restore.current = null;
  }, [path]);

  function go(room: Room) {
    // A tap on the current room, or on a new score, leads to the top. While the page of an earlier
    // tap still loads, the address is ahead of `path`.
    if (room === window.location.pathname) return window.scrollTo({ top: 0, behavior: 'smooth' });
    left.set(path, window.scrollY);
    restore.current = room === '/profile' && slip !== null ? 0 : (left.get(room) ?? 0);
    navigate(room);
  }
  return <Rooms hasScore={hasScore} onRoom={go} />;
}

/** What surrounds every page of a signed-in player, and outlives a change of page. */
export function PlayerShell({ children }: { children: ReactNode }) {
  const { api, user } = useAuth();
  const { path } = useLocation();
  if (user !== null) {
    visitBy(user.email);
    // The pass says it, but the player may lose the team in another room.
    formerTeam(user);
  }
  usePaintedTheme();
  useBrowserPush(api, user?.profile_setup_complete ?? false);
  useEffect(keepPrompts, []);
  useEffect(markKeys, []);
  return (
    <LiveQueries>
      <ProfileRead>
        <SlipProvider>
          <SkipLink />
          {user?.profile_setup_complete && roomAt(path) !== null && <Bar />}
          {children}
        </SlipProvider>
      </ProfileRead>
    </LiveQueries>
  );
}
