import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { type Rehearsal, rehearsalLine } from '#contract/wire/backups.ts';
import type { Progress } from '#contract/wire/system.ts';
import { leaf, type Options } from './command.ts';
import { inFolder } from './files.ts';
import {
  answer,
  bold,
  count,
  Failure,
  localTime,
  progressBar,
  sizeText,
  table,
} from './terminal.ts';

/** The rehearsal is a process of its own, because the commands import no server code. */
const REHEARSAL = fileURLToPath(new URL('../server/rehearsal/main.ts', import.meta.url));

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Runs the rehearsal in a child, which ends with this process. */
async function run(args: string[], onProgress: (progress: Progress) => void): Promise<Rehearsal> {
  const child = spawn(process.execPath, [REHEARSAL, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  // On SIGINT, the child first removes its folder.
  const stop = () => void child.kill('SIGINT');
  for (const signal of SIGNALS) process.on(signal, stop);
  try {
    for await (const text of createInterface({ input: child.stdout })) {
      const line = rehearsalLine.parse(JSON.parse(text));
      if ('result' in line) return line.result;
      if ('error' in line) throw new Failure(line.error);
      onProgress(line.progress);
    }
    throw new Failure('The rehearsal was stopped.');
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
  }
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

function figuresText({ games, players, changed }: Rehearsal['figures']): string {
  const wrong = Object.entries(changed).filter(([, rows]) => rows > 0);
  if (wrong.length === 0)
    return `The figures agree with the games: ${count(games, 'game')} of ${count(players, 'player')}.`;
  const list = wrong.map(([what, rows]) => `${rows} of ${what.replace('_', ' ')}`).join(', ');
  return `The figures do not agree with the games (${list}). After the upgrade run: ./backboard rebuild`;
}

/** The changed places as text; null if leagues already had seasons before the upgrade. */
function placesText({ places }: Rehearsal): string | null {
  if (places === null) return null;
  const { leagues, changed } = places;
  if (changed.length === 0)
    return `The tables stay as they are: every team of ${count(leagues, 'league')} keeps its place.`;
  return [
    'These places change, because teams that are level on wins and points now stand by their own matchups:',
    table(
      ['league', 'team', 'place before', 'place after'],
      changed.map(({ league, team, before, after }) => [league, team, before, after]),
      '',
    ),
  ].join('\n');
}

function wayBackText({ way_back }: Rehearsal): string {
  return way_back === 'open'
    ? 'The way back is open: the earlier version runs on the upgraded database.'
    : 'The way back is this backup: the earlier version refuses the upgraded database. What is recorded after the backup is lost on the way back, so make a new one just before the upgrade.';
}

/** A rehearsal's result as text. */
export function rehearsalText(found: Rehearsal): string {
  const { migrations, tables, disk } = found;
  const changed = tables.filter(({ before, after }) => before !== after);
  const total = migrations.reduce((sum, { ms }) => sum + ms, 0);
  return [
    `Backup of ${localTime(found.made_at)}: schema ${found.from ?? 'none'} → ${found.to}.`,
    '',
    table(
      ['migration', 'time', 'blocks all use of', 'blocks writes to', 'grows', 'WAL'],
      migrations.map(({ name, ms, blocked, grown_bytes, wal_bytes }) => {
        const of = (what: 'reads' | 'writes') =>
          blocked.flatMap((one) => (one.for === what ? [one.table] : [])).join(', ') || null;
        return [
          name,
          seconds(ms),
          of('reads'),
          of('writes'),
          sizeText(grown_bytes),
          sizeText(wal_bytes),
        ];
      }),
      'No migration: the schema stays as it is.',
    ),
    '',
    table(
      ['table', 'rows before', 'rows after'],
      changed.map(({ table: name, before, after }) => [name, before, after]),
      `No table gains or loses rows (${count(tables.length, 'table')}).`,
    ),
    '',
    ...[placesText(found) ?? []].flat(),
    figuresText(found.figures),
    `The migrations take ${seconds(total)}, and the new version starts in ${seconds(found.start_ms)}.`,
    `The database has ${sizeText(disk.before)} before and ${sizeText(disk.after)} after; the upgrade needs ${sizeText(disk.needed)} of free disk.`,
    wayBackText(found),
    bold('Your database and your server were not touched.'),
  ].join('\n');
}

/** Tries an upgrade on a copy of a backup. */
export function rehearseCommand(program: Command): void {
  leaf(
    program,
    'rehearse <file>',
    'Tries the upgrade to this version on a copy of a backup: which migrations run, how long they take and what they block, the rows before and after, whether the figures agree and every team keeps its place, the disk space needed, and the way back. Works without a server, and does not touch a running one. It exits with 1 if it fails or the figures do not agree.',
    `rehearse backboard-2027-01-04.gz
     rehearse backboard-2027-01-04.gz --folder /srv/tmp`,
  )
    .option('--folder <folder>', 'the folder for the copy (default: the temporary folder)')
    .action(async (typed: string, { json, folder }: Options & { folder?: string }) => {
      const bar = progressBar(!!json);
      const args = [inFolder(typed), ...(folder === undefined ? [] : [inFolder(folder)])];
      const found = await run(args, bar.update).finally(bar.end);
      answer(!!json, found, rehearsalText);
      const { statistics, high_scores, league_weeks, achievements } = found.figures.changed;
      if (statistics + high_scores + league_weeks + achievements > 0)
        throw new Failure('The figures of the upgraded copy do not agree with its games.');
    });
}
