import { createRoot, hydrateRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { tellConfig } from './api/config.ts';
import { arrive } from './router.tsx';
import { hasSession } from './session/session.ts';
import './styles/tokens.css';
import './styles/global.css';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');

const told = document.querySelector<HTMLMetaElement>('meta[name="backboard-config"]');
if (told) tellConfig(JSON.parse(told.content));

// /profile comes with its empty boxes painted beside the root: they stay until there is a page.
const frame = document.getElementById('frame');
if (frame)
  new MutationObserver((_, watch) => {
    if (root.querySelector('main') === null) return;
    watch.disconnect();
    frame.remove();
  }).observe(root, { childList: true, subtree: true });

const start = arrive();
const app = <App start={start} />;
// The server sends /login painted already (prerender.tsx), for somebody who has just come to it.
// Whoever is here again, or is signed in, sees another step: that is painted anew. The painted card
// is inert, because what is typed into it would be lost; its step (LoginStep.tsx) ends that.
if (root.hasChildNodes() && start.state === null && !hasSession() && isSecureContext)
  hydrateRoot(root, app);
else {
  root.inert = false;
  createRoot(root).render(app);
}
