import { join } from 'node:path';
import { stdout } from 'node:process';
import type { Settings } from '../config.ts';
import { DEMO_EMAIL, DEMO_PASSWORD } from '../demo/demo.ts';
import type { Deps } from '../deps.ts';
import { hasDevelopmentPages } from '../http/local.ts';

const ROOT = join(import.meta.dirname, '../..');
const DEFAULT_PORT = 3000;

type Progress = { step: string; done: number; total: number };

/** Prints progress: on a terminal, each step on the same line. */
export function progress(): ((now: Progress) => void) & { end(): void } {
  let last = '';
  const report = ({ step, done, total }: Progress) => {
    const line = `  A demo league: ${step}`;
    if (stdout.isTTY) stdout.write(`\r\u001b[K${line} ${Math.floor((100 * done) / total)} %`);
    else if (step !== last) console.log(line);
    last = step;
  };
  return Object.assign(report, {
    end: () => {
      if (stdout.isTTY) stdout.write('\r\u001b[K');
    },
  });
}

/** Printed because the server cannot detect every proxy (P46). */
export const NOT_BEHIND_A_PROXY =
  'This is for trying on this computer. Do not put a proxy or a tunnel in front of it: others could then read the mailbox. For others, set NODE_ENV=production.';

const quoted = (text: string) =>
  /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** The command that runs `./backboard` with `args` against this server. */
export function commandLine(
  { port, data_dir }: Pick<Settings, 'port' | 'data_dir'>,
  args: string,
): string {
  return [
    ...(port === DEFAULT_PORT ? [] : [`BACKBOARD_URL=http://127.0.0.1:${port}`]),
    ...(data_dir === join(ROOT, 'data') ? [] : [`DATA_DIR=${quoted(data_dir)}`]),
    `./backboard ${args}`,
  ].join(' ');
}

/** Prints the addresses and the demo account; nothing in production. */
export async function greet({ config, db }: Pick<Deps, 'config' | 'db'>): Promise<void> {
  if (config.production) return;
  const demo = await db
    .selectFrom('players')
    .select('id')
    .where('email', '=', DEMO_EMAIL)
    .executeTakeFirst()
    // The server is running: a failed query must not end it.
    .catch(() => undefined);
  const rows: [string, string][] = [[config.brand, config.public_url]];
  if (demo) rows.push(['Demo account', `${DEMO_EMAIL}, password ${DEMO_PASSWORD}`]);
  if (hasDevelopmentPages(config))
    rows.push(
      ['Court', `${config.public_url}/dev/court  (play a game here)`],
      ['Mailbox', `${config.public_url}/dev/mailbox`],
    );
  const link = commandLine(config, 'staff add YOUR-NAME --role owner');
  rows.push(['Console', `${config.public_url}/console/  (for a link: ${link})`]);
  rows.push(['Data', config.database_url === null ? config.data_dir : 'in DATABASE_URL']);
  rows.push(['Stop', 'Ctrl-C']);
  console.log(`\n${rows.map(([name, value]) => `  ${name.padEnd(14)}${value}`).join('\n')}\n`);
  if (hasDevelopmentPages(config)) console.log(`  ${NOT_BEHIND_A_PROXY}\n`);
}
