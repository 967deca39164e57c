import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { webKitPrograms } from '#testing/phone-browsers.ts';
import { freePort } from '#testing/ports.ts';
import type { PhoneBrowser, Tab } from './phone.ts';

const START_PATIENCE_MS = 20_000;

async function startDisplay(program: string): Promise<[ChildProcess, string]> {
  const args = ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'];
  const display = spawn(program, args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const [number] = await once(display.stdio[3] as NodeJS.ReadableStream, 'data');
  return [display, `:${String(number).trim()}`];
}

async function waitForDriver(url: string): Promise<void> {
  const until = Date.now() + START_PATIENCE_MS;
  while (!(await fetch(`${url}/status`).catch(() => null))?.ok) {
    if (Date.now() > until) throw new Error('WebKitWebDriver does not start.');
    await new Promise((done) => setTimeout(done, 50));
  }
}

/**
 * Starts WebKitGTK's MiniBrowser with its own profile, controlled by WebKitWebDriver.
 * @throws Error if a command fails, with the driver's message
 */
export async function startWebKit(): Promise<PhoneBrowser> {
  const programs = webKitPrograms();
  if (!programs) throw new Error('WebKit is not installed.');
  const [display, name] = await startDisplay(programs.display);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const driver = spawn(programs.driver, ['-p', String(port)], {
    stdio: 'ignore',
    env: {
      ...process.env,
      DISPLAY: name,
      // This environment has no accessibility bus.
      NO_AT_BRIDGE: '1',
      // Containers refuse the sandbox's user namespaces. Only our own pages are opened.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    },
  });
  await waitForDriver(url);

  async function call(method: 'POST' | 'GET' | 'DELETE', path: string, body?: unknown) {
    const answer = await fetch(url + path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { value } = await answer.json();
    if (!answer.ok) throw new Error(`WebKit, ${method} ${path}: ${value?.error} ${value?.message}`);
    return value;
  }

  const { sessionId } = await call('POST', '/session', {
    capabilities: {
      alwaysMatch: {
        // Full screen hides the toolbar: the page is as large as the window.
        'webkitgtk:browserOptions': {
          binary: programs.browser,
          args: ['--automation', '--full-screen'],
        },
      },
    },
  });
  const session = `/session/${sessionId}`;
  let current: string = await call('GET', `${session}/window`);

  function tab(handle: string): Tab {
    async function here(method: 'POST' | 'GET' | 'DELETE', path: string, body?: unknown) {
      if (current !== handle) await call('POST', `${session}/window`, { handle });
      current = handle;
      return call(method, session + path, body);
    }
    return {
      goto: (address) => here('POST', '/url', { url: address }),
      run: (code, args) =>
        here('POST', '/execute/sync', { script: `return (${code})(...arguments)`, args }),
      act: (actions) => here('POST', '/actions', { actions }),
      screenshot: async () => Buffer.from(await here('GET', '/screenshot'), 'base64'),
      resize: (width, height) => here('POST', '/window/rect', { x: 0, y: 0, width, height }),
    };
  }

  return {
    tab: tab(current),
    newTab: async () => tab((await call('POST', `${session}/window/new`, { type: 'tab' })).handle),
    close: async () => {
      await call('DELETE', session).catch(() => {});
      driver.kill();
      display.kill();
    },
  };
}
