import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import { freePort } from '#testing/ports.ts';
import { repeatRequest } from './load.ts';
import { type Finish, type Report, Site } from './site.ts';

/** A call that does not need the failed service must end within this time. */
const CALL_MAX_MS = 2_000;
/** All mails must arrive within this time (REL-11). */
const ALL_SENT_MS = 5 * 60_000;
/** The longest allowed callback while Google fails (P29d), with some slack. */
const GOOGLE_MAX_MS = 7_000;
const CALLERS = 5;

async function badServer(port: number, talk: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    talk(socket);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  };
}

const silent = () => undefined;
const slow = (socket: Socket) => {
  const greeting = '220 mail.example ESMTP of a very slow server that takes its time\r\n';
  let at = 0;
  const timer = setInterval(() => socket.write(greeting[at++ % greeting.length] ?? ''), 2_000);
  socket.on('close', () => clearInterval(timer));
};

const broken = (socket: Socket) =>
  socket.on('data', () => socket.end('HTTP/1.1 500 Oops\r\ncontent-length: 4\r\n\r\nOops'));

/**
 * REL-11: the mail server is down, slow and silent for `seconds` each, while people sign up.
 * Afterwards each code must arrive once.
 */
export async function mailFaults(
  root: string,
  seconds: number,
  report: Report,
  finish: Finish,
): Promise<void> {
  const port = await freePort();
  const site = new Site(join(root, 'mail'), { SMTP_URL: `smtp://127.0.0.1:${port}` });
  await site.start();
  await site.play();
  const wrong: string[] = [];
  let people = 0;
  let longest = 0;
  const phases: [string, (() => Promise<() => Promise<void>>) | null][] = [
    ['down', null],
    ['slow', () => badServer(port, slow)],
    ['half open', () => badServer(port, silent)],
  ];
  for (const [name, begin] of phases) {
    const end = await begin?.();
    const callers = Array.from({ length: CALLERS }, () =>
      repeatRequest(async () => {
        people += 1;
        const body = { email: `person${people}@mail.example`, profile_setup_complete: false };
        const answer = await site.post('/api/users/auth/register/', body);
        await answer.arrayBuffer();
        return answer.status;
      }, 400),
    );
    await sleep(seconds * 1000);
    const sent = (await Promise.all(callers.map((caller) => caller.stop()))).flat();
    longest = Math.max(longest, ...sent.map(({ begun, ended }) => ended - begun));
    const statuses = [...new Set(sent.map(({ status }) => status))];
    if (statuses.some((status) => status >= 300 || status === 0))
      wrong.push(`${name}: sign-ups were answered ${statuses}`);
    await end?.();
  }
  const received = new Map<string, number>();
  const sink = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    onData: (stream, session, done) => {
      stream.resume().on('end', () => {
        const to = session.envelope.rcptTo[0]?.address ?? '';
        received.set(to, (received.get(to) ?? 0) + 1);
        done();
      });
    },
  });
  sink.on('error', () => undefined);
  await new Promise<void>((done) => sink.listen(port, '127.0.0.1', done));
  const back = performance.now();
  while (received.size < people && performance.now() - back < ALL_SENT_MS) await sleep(50);
  const took = performance.now() - back;
  const twice = [...received.values()].filter((count) => count > 1).length;
  if (received.size !== people) wrong.push(`${received.size} of ${people} codes arrived`);
  if (twice > 0) wrong.push(`${twice} codes arrived twice`);
  if (longest > CALL_MAX_MS) wrong.push('a sign-up was slow');
  report({
    fault: `No mail server: ${phases.map(([name]) => name).join(', ')}, ${seconds} s each`,
    times: phases.length,
    seen: [
      `${people} sign-ups, the longest ${Math.round(longest)} ms`,
      `all ${received.size} codes arrived within ${(took / 1000).toFixed(1)} s of its return, ${twice} twice`,
    ],
    wrong,
  });
  await finish(site, 'the mail server');
  await new Promise<void>((done) => sink.close(done));
}

/** REL-12: Google is down, then silent, then broken. Sign-ins by password must work. */
export async function googleFaults(root: string, report: Report, finish: Finish): Promise<void> {
  const port = await freePort();
  const site = new Site(join(root, 'google'), { GOOGLE_ISSUER: `http://localhost:${port}` });
  await site.start();
  await site.play();
  const wrong: string[] = [];
  const seen: string[] = [];
  const phases: [string, ((socket: Socket) => void) | null][] = [
    ['down', null],
    ['silent', silent],
    ['broken', broken],
  ];
  for (const [name, talk] of phases) {
    const end = talk && (await badServer(port, talk));
    // Wait until the app asks Google again: it caches a failure for 5 s.
    await sleep(6_000);
    const signIns = repeatRequest(() => site.signIn(), 100);
    const begun = performance.now();
    const callback = await site.post('/api/users/auth/google/callback/', { code: 'made-up' });
    await callback.arrayBuffer();
    const took = performance.now() - begun;
    await sleep(1_000);
    const sent = await signIns.stop();
    const longest = Math.max(...sent.map(({ begun: from, ended }) => ended - from));
    const statuses = [...new Set(sent.map(({ status }) => status))];
    if (String(statuses) !== '200') wrong.push(`${name}: sign-ins were answered ${statuses}`);
    if (longest > CALL_MAX_MS) wrong.push(`${name}: a sign-in took ${Math.round(longest)} ms`);
    if (callback.status !== 503 || took > GOOGLE_MAX_MS)
      wrong.push(
        `${name}: its callback was answered ${callback.status} after ${Math.round(took)} ms`,
      );
    seen.push(
      `${name}: callback ${callback.status} after ${(took / 1000).toFixed(1)} s, ${sent.length} sign-ins by password, the longest ${Math.round(longest)} ms`,
    );
    await end?.();
  }
  report({ fault: 'No Google: down, silent, broken', times: phases.length, seen, wrong });
  await finish(site, 'Google');
}
