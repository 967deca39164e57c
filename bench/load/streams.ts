import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMsOf } from '../processes.ts';
import { figure, median } from '../report.ts';
import { type Acknowledged, proveExactlyOnce, reportedGames } from './games.ts';
import { load, request } from './load.ts';
import { CONNECTIONS, type TestBed } from './test-bed.ts';
import { type Part, withTestBed } from './turns.ts';

const STREAMS = 4_000;
const PROCESSES = 4;
/** Some forty games a second. */
const REPORTING = { connections: 4, restMs: 90 };
/** After this pause, a burst of connections costs the server nothing more. */
const REST_MS = 3_000;

function openStream(bed: TestBed, onText: (text: string) => void): Promise<Socket> {
  return new Promise((open, fail) => {
    const socket = connect(bed.app.port, '127.0.0.1');
    socket.setEncoding('latin1');
    const headers = { authorization: `Bearer ${bed.token()}` };
    socket.write(request('GET', '/api/users/profile/events/', headers));
    socket.once('error', fail);
    socket.once('data', (head: string) => {
      if (!head.startsWith('HTTP/1.1 200')) return fail(new Error(head));
      socket.on('data', onText);
      open(socket);
    });
  });
}

/** Opens an event stream for each of `count` players. `onText` gets the text of their bodies. */
export async function openStreams(
  bed: TestBed,
  count: number,
  onText: (text: string) => void = () => undefined,
): Promise<Socket[]> {
  const open: Socket[] = [];
  while (open.length < count)
    open.push(
      ...(await Promise.all(Array.from({ length: CONNECTIONS }, () => openStream(bed, onText)))),
    );
  return open;
}

/** Measures the server's CPU time for a game, with and without open event streams, in turns. */
export const streams: Part = (settings, say) =>
  withTestBed(
    settings,
    async (bed) => {
      const acknowledged: Acknowledged = new Map();
      const since = new Date();
      const next = reportedGames(bed.size, acknowledged, 1, true);
      const costOf = async () => {
        await sleep(REST_MS);
        const [games, cpu] = [acknowledged.size, cpuMsOf(bed.app.pid)];
        await load({ port: bed.app.port, ...REPORTING, seconds: settings.seconds, next });
        return (cpuMsOf(bed.app.pid) - cpu) / (acknowledged.size - games);
      };
      const costs: { without: number; with: number }[] = [];
      let events = 0;
      for (let round = 0; round <= settings.rounds; round += 1) {
        await bed.refreshTokens();
        const without = await costOf();
        const open = await openStreams(bed, STREAMS, (text) => {
          events += text.split('event: game').length - 1;
        });
        const cost = { without, with: await costOf() };
        if (open.some(({ destroyed }) => destroyed)) throw new Error('a stream has ended');
        for (const socket of open) socket.destroy();
        say(
          `round ${round} of ${settings.rounds}: ${figure(cost.without)} ms a game, ${figure(cost.with)} with ${open.length} streams`,
        );
        // The first round warms up.
        if (round > 0) costs.push(cost);
      }
      if (events === 0) throw new Error('no stream reported a game');
      return [
        {
          work: `A game beside ${STREAMS} event streams, of one without`,
          figures: `server's CPU time in ${PROCESSES} processes: ${figure(median(costs.map((cost) => cost.with)))} ms a game, without streams ${figure(median(costs.map(({ without }) => without)))} ms; ${events} events of games; ${await proveExactlyOnce(bed.database, since, acknowledged)}`,
          values: costs.map((cost) => cost.with / cost.without),
          unit: '×',
          goal: { most: 2 },
        },
      ];
    },
    { name: 'streams', env: { WEB_PROCESSES: `${PROCESSES}` }, cpus: null },
  );
