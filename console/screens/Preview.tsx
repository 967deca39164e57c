import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { NoticeTime } from '#contract/rules/screens.ts';
import type { ScreenAnswer } from '#contract/wire/screens.ts';
import { previewScreen } from '../api/calls.ts';
import { useRead } from '../api/queries.ts';
import { useUntil } from '../shell/until.ts';
import { Button } from '../ui/Button.tsx';
import { SCREENS } from './keys.ts';

/** When a notice next begins or ends after `now`; null: never. */
function nextChange(times: readonly NoticeTime[], now: string): string | null {
  const all = times.flatMap(({ from, until }) => [from, until]);
  return all.filter((at) => at !== null && at > now).sort()[0] ?? null;
}

/** What a screen shows, read again when a notice begins or ends (SCREEN-08). */
export function useShown(screen: string): UseQueryResult<ScreenAnswer> {
  const read = useRead([...SCREENS, 'preview', screen], () => previewScreen(screen), [
    'screens',
    'games',
  ]);
  useUntil(
    read.data && {
      server_time: read.data.now,
      until: nextChange(read.data.notices, read.data.now),
    },
    () => void read.refetch(),
  );
  return read;
}

type Told = { ready: true } | { pages: number; page: number; title: string };

export function Preview({ payload, steps = false }: { payload: ScreenAnswer; steps?: boolean }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [ready, setReady] = useState(false);
  const [page, setPage] = useState(0);
  const [shown, setShown] = useState({ pages: 1, page: 0, title: '' });

  useEffect(() => {
    const listen = ({ source, origin, data }: MessageEvent<Told>) => {
      if (source !== frame.current?.contentWindow || origin !== window.location.origin) return;
      // Ignore strings, which a browser extension or a test may post.
      if (typeof data !== 'object') return;
      if ('ready' in data) setReady(true);
      else setShown(data);
    };
    window.addEventListener('message', listen);
    return () => window.removeEventListener('message', listen);
  }, []);
  useEffect(() => {
    if (ready) frame.current?.contentWindow?.postMessage({ payload, page }, window.location.origin);
  }, [ready, payload, page]);

  const turn = (by: number) => setPage((shown.page + by + shown.pages) % shown.pages);
  return (
    <>
      <div className="tv">
        <iframe
          ref={frame}
          className="tv__frame"
          src="/screen"
          title={`What the screen shows${shown.title === '' ? '' : `: ${shown.title}`}`}
          tabIndex={-1}
        />
      </div>
      {steps && (
        <div className="acts mt3 tv__steps">
          <span className="sm" role="status">
            {shown.page + 1} of {shown.pages}, {shown.title}
          </span>
          <span className="acts">
            <Button onClick={() => turn(-1)}>
              Earlier<span className="sr"> slide</span>
            </Button>
            <Button onClick={() => turn(1)}>
              Next<span className="sr"> slide</span>
            </Button>
          </span>
        </div>
      )}
    </>
  );
}
