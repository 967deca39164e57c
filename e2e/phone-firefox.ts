import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { firefoxProgram } from '#testing/phone-browsers.ts';
import type { PhoneBrowser, Tab } from './phone.ts';

/** Scroll bars without width, as on phones. */
const PREFERENCES = `user_pref('intl.accept_languages', 'en-GB');
user_pref('ui.useOverlayScrollbars', 1);
`;

type Answer = { id?: number; result?: Record<string, unknown>; error?: string; message?: string };

async function connect(address: string) {
  const socket = new WebSocket(address);
  const waiting = new Map<number, (answer: Answer) => void>();
  socket.addEventListener('message', ({ data }) => {
    const answer: Answer = JSON.parse(String(data));
    waiting.get(answer.id ?? 0)?.(answer);
    waiting.delete(answer.id ?? 0);
  });
  await once(socket, 'open');
  let last = 0;
  // biome-ignore lint/suspicious/noExplicitAny: the result depends on the method
  return async (method: string, params: Record<string, unknown>): Promise<any> => {
    last += 1;
    const answered = new Promise<Answer>((done) => waiting.set(last, done));
    socket.send(JSON.stringify({ id: last, method, params }));
    const { result, error, message } = await answered;
    if (error) throw new Error(`Firefox, ${method}: ${error} ${message}`);
    return result;
  };
}

async function addressIn(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface(output)) {
    const address = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1];
    if (address) return `${address}/session`;
  }
  throw new Error('Firefox ended at its start.');
}

/**
 * Starts Firefox without a window, with its own profile, controlled by WebDriver BiDi.
 * @throws Error if a command fails, with Firefox's message
 */
export async function startFirefox(): Promise<PhoneBrowser> {
  const program = firefoxProgram();
  if (!program) throw new Error('Firefox is not installed.');
  const profile = await mkdtemp(join(tmpdir(), 'backboard-firefox-'));
  await writeFile(join(profile, 'user.js'), PREFERENCES);
  const args = ['--headless', '--no-remote', '--remote-debugging-port=0', '--profile', profile];
  const firefox = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const call = await connect(await addressIn(firefox.stderr));
  firefox.stderr.resume();
  await call('session.new', { capabilities: {} });

  const tab = (context: string): Tab => ({
    goto: (url) => call('browsingContext.navigate', { context, url, wait: 'complete' }),
    run: async (code, args) => {
      // Pass values as JSON, because BiDi has its own format.
      const { result, exceptionDetails } = await call('script.callFunction', {
        functionDeclaration: `async (args) => JSON.stringify((await (${code})(...JSON.parse(args))) ?? null)`,
        arguments: [{ type: 'string', value: JSON.stringify(args) }],
        awaitPromise: true,
        target: { context },
      });
      if (exceptionDetails) throw new Error(`Firefox: ${exceptionDetails.text}`);
      return JSON.parse(result.value);
    },
    act: (actions) => call('input.performActions', { context, actions }),
    screenshot: async () =>
      Buffer.from((await call('browsingContext.captureScreenshot', { context })).data, 'base64'),
    resize: (width, height) =>
      call('browsingContext.setViewport', { context, viewport: { width, height } }),
  });

  const { contexts } = await call('browsingContext.getTree', {});
  return {
    tab: tab(contexts[0].context),
    newTab: async () => tab((await call('browsingContext.create', { type: 'tab' })).context),
    close: async () => {
      const gone = once(firefox, 'exit');
      await call('browser.close', {}).catch(() => firefox.kill());
      await gone;
      await rm(profile, { recursive: true, force: true });
    },
  };
}
