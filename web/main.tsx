import { createRoot, hydrateRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { setConfig } from './api/config.ts';
import { removeBoxes } from './paint/boxes.ts';
import { arrive } from './router.tsx';
import { hasSession } from './session/session.ts';
import './styles/tokens.css';
import './styles/global.css';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');

const config = document.querySelector<HTMLMetaElement>('meta[name="backboard-config"]');
if (config) setConfig(JSON.parse(config.content));
removeBoxes(root);

const start = arrive();
const app = <App start={start} />;
// The server sends /login painted for a newcomer (paint/prerender.tsx). Anybody who comes back or is
// signed in sees another step, so that is rendered from scratch. The painted card is inert, because
// what is typed into it would be lost; LoginStep.tsx ends that.
if (root.hasChildNodes() && start.state === null && !hasSession() && isSecureContext)
  hydrateRoot(root, app);
else {
  root.inert = false;
  createRoot(root).render(app);
}
