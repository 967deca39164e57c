import { createRoot, hydrateRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { setConfig } from './api/config.ts';
import { removeBoxes } from './paint/boxes.ts';
import { arrive, type Location } from './router.tsx';
import { loadProfile } from './routes.tsx';
import { hasSession } from './session/session.ts';
import { canStore } from './ui/storage.ts';
import '../brand/tokens.css';
import './styles/global.css';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');

const config = document.querySelector<HTMLMetaElement>('meta[name="backboard-config"]');
if (config) setConfig(JSON.parse(config.content));
removeBoxes(root);

/** The location, with what was typed into the prerendered /login for the page that replaces it. */
function arriveTyping(element: HTMLElement): Location {
  const email = element.querySelector('input')?.value;
  const location = arrive();
  return email ? { ...location, state: { ...Object(location.state), email } } : location;
}

const start = arrive();
// A new visitor's /login arrives prerendered (paint/prerender.tsx), and React hydrates it. With
// router state or a session the page may differ, so React renders from scratch.
if (!canStore())
  void import('./shell/StorageBlocked.tsx').then(({ StorageBlocked }) =>
    createRoot(root).render(<StorageBlocked />),
  );
else if (root.hasChildNodes() && start.state === null && !hasSession())
  hydrateRoot(root, <App start={start} />);
else {
  const ready = hasSession() && start.path === '/profile' ? loadProfile() : Promise.resolve();
  // Look at the address again: the player may have gone back meanwhile.
  void ready.then(() => createRoot(root).render(<App start={arriveTyping(root)} />));
}
