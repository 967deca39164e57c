import { stdout } from 'node:process';
import { DEMO_EMAIL, DEMO_PASSWORD } from '../demo/demo.ts';
import type { Deps } from '../deps.ts';
import { hasDevelopmentPages } from '../http/local.ts';

type Progress = { step: string; done: number; total: number };

/** Prints progress: one overwritten line on a terminal, else one line per step. */
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

/** Prints addresses and the demo account once Backboard answers. Prints nothing in production. */
export async function greet({ config, db }: Pick<Deps, 'config' | 'db'>): Promise<void> {
  if (config.production) return;
  const demo = await db
    .selectFrom('players')
    .select('id')
    .where('email', '=', DEMO_EMAIL)
    .executeTakeFirst()
    // Backboard already serves: a failed query must not end it.
    .catch(() => undefined);
  const rows: [string, string][] = [[config.brand, config.public_url]];
  if (demo) rows.push(['Demo account', `${DEMO_EMAIL}, password ${DEMO_PASSWORD}`]);
  if (hasDevelopmentPages(config))
    rows.push(
      ['Court', `${config.public_url}/dev/court  (play a game here)`],
      ['Mailbox', `${config.public_url}/dev/mailbox`],
    );
  rows.push([
    'Console',
    `${config.public_url}/console/  (for a link: ./backboard staff add YOUR-NAME --role owner)`,
  ]);
  rows.push(['Data', config.database_url === null ? config.data_dir : 'in DATABASE_URL']);
  rows.push(['Stop', 'Ctrl-C']);
  console.log(`\n${rows.map(([name, value]) => `  ${name.padEnd(14)}${value}`).join('\n')}\n`);
}
