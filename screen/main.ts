import { SCREEN_SILENCE_MS } from '#contract/rules/live.ts';
import { PAIRING_PATH } from '#contract/rules/screens.ts';
import type { ScreenAnswer } from '#contract/wire/screens.ts';
import { follow, pair } from './line.ts';
import { canKeep, forget, type Kept, keep, keepNow, recall } from './memory.ts';
import { installWorker } from './offline.ts';
import { pagesOf } from './pages.ts';
import '../brand/jersey.css';
import './styles/base.css';
import './styles/parts.css';
import './styles/games.css';
import './styles/season.css';
import './styles/tables.css';
import './styles/join.css';
import './styles/fit.css';
import './styles/slides.css';
import './styles/contests.css';
import './styles/cups.css';
import { atTime, comparable, landed, opening, type Show, turnTo, withGames } from './show.ts';
import { openStage } from './stage.ts';
import { nightlyUpdate } from './version.ts';
import { pairingView, viewOf } from './view.ts';

const TICK_MS = 250;
const VERSION_EVERY_MS = 60_000;

const root = document.getElementById('stage') as HTMLElement;
const stage = openStage(root);

async function pairNow(): Promise<string> {
  const url = location.origin + PAIRING_PATH;
  const keeps = canKeep();
  let [code, until] = ['', 0];
  const show = () => stage.show(pairingView(code, until - performance.now(), url, keeps));
  show();
  const timer = setInterval(show, 1_000);
  const token = await pair((next, life) => {
    code = next;
    until = performance.now() + life;
    show();
  });
  clearInterval(timer);
  return token;
}

async function run(kept: Kept): Promise<void> {
  let { payload, heardAt, skew } = kept;
  /** The last contact, by `performance.now()`. */
  let contactAt = Number.NEGATIVE_INFINITY;
  let show: Show = opening;
  const update = nightlyUpdate(() => location.reload());
  const serverNow = () => Date.now() + skew;

  const isOnline = () => performance.now() - contactAt < SCREEN_SILENCE_MS;
  const pagesNow = (of: ScreenAnswer) =>
    pagesOf(of, isOnline() ? 0 : serverNow() - heardAt, serverNow());

  function render(games: number = 0): void {
    if (payload === null) return;
    const pages = pagesNow(payload);
    show = atTime(show, pages, performance.now());
    const known = { payload, now: serverNow(), silentSince: isOnline() ? null : heardAt };
    stage.show(viewOf(known, pages, show), games > 0 && show.best === null);
  }

  function take(next: ScreenAnswer): void {
    const before = { payload, show, skew, heardAt };
    try {
      const earlier = comparable(payload, next);
      const games = landed(earlier === null ? null : earlier.tonight, next.tonight);
      payload = next;
      skew = Date.parse(next.now) - Date.now();
      heardAt = serverNow();
      const from = earlier === null ? opening : show;
      show = withGames(from, pagesOf(next), games, performance.now(), earlier, next);
      render(games.length);
    } catch (error) {
      // Keep the last answer that can be drawn.
      ({ payload, show, skew, heardAt } = before);
      throw error;
    }
    if (next.still) document.documentElement.setAttribute('data-still', '');
    else document.documentElement.removeAttribute('data-still');
    keep({ token: kept.token, payload, heardAt, skew });
  }

  function turn(by: number): void {
    if (payload === null) return;
    const pages = pagesNow(payload);
    const here = pages.findIndex(({ key }) => key === show.key);
    show = turnTo(show, pages, here + by, performance.now());
    render();
  }
  const onKey = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowRight') turn(1);
    if (key === 'ArrowLeft') turn(-1);
  };

  addEventListener('keydown', onKey);
  const ticks = setInterval(render, TICK_MS);
  const updates = setInterval(() => {
    if (payload !== null) void update(serverNow(), payload.venue);
  }, VERSION_EVERY_MS);
  try {
    render();
  } catch {
    // An earlier version kept an answer that this one cannot draw.
    payload = null;
  }
  await follow(kept.token, {
    onPayload: take,
    onContact: () => {
      contactAt = performance.now();
      heardAt = serverNow();
    },
  });
  clearInterval(ticks);
  clearInterval(updates);
  removeEventListener('keydown', onKey);
}

/** Shows payloads that the console posts to its frame. Makes no calls. */
function preview(): void {
  // Screen readers read the frame's title instead.
  root.setAttribute('aria-hidden', 'true');
  addEventListener('message', ({ origin, data }: MessageEvent) => {
    if (origin !== location.origin || typeof data !== 'object' || data === null) return;
    const { payload, page } = data as { payload: ScreenAnswer; page: number };
    const pages = pagesOf(payload);
    const show = turnTo(opening, pages, page, 0);
    const view = viewOf({ payload, now: Date.parse(payload.now), silentSince: null }, pages, show);
    stage.show(view);
    parent.postMessage(
      { pages: pages.length, page: view.frame.at, title: view.frame.title },
      location.origin,
    );
  });
  parent.postMessage({ ready: true }, location.origin);
}

/** Pairs the television and runs the screen; starts over after each removal. */
async function start(): Promise<void> {
  addEventListener('keydown', ({ key }) => {
    if (key === 'f' || key === 'F') void document.documentElement.requestFullscreen();
  });
  for (let kept = recall(); ; kept = null) {
    const state = kept ?? { token: await pairNow(), payload: null, heardAt: 0, skew: 0 };
    if (kept === null) keepNow(state);
    await run(state);
    forget();
    document.documentElement.removeAttribute('data-still');
  }
}

if (parent === window) {
  installWorker();
  void start();
} else preview();
