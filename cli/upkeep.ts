import type { Command } from 'commander';
import { checkLine, partAnswer, restoreLine, uploadAnswer } from '#contract/wire/backups.ts';
import { demoLine, rebuildLine } from '#contract/wire/system.ts';
import { type AskingOptions, api, askingLeaf, leaf, type Options } from './command.ts';
import { exists, inFolder, parts, saveBackup } from './files.ts';
import {
  answer,
  bold,
  confirm,
  count,
  inert,
  localTime,
  progressBar,
  requireTerminal,
  sizeText,
} from './terminal.ts';

/** The commands for long work, with progress. */
export function upkeepCommands(program: Command): void {
  leaf(
    program,
    'rebuild',
    'Recomputes statistics, weeks and achievements from the games, and reports what was wrong. On a healthy database it changes nothing.',
    'rebuild',
  ).action(async ({ json }: Options) => {
    const bar = progressBar(!!json);
    const result = await api().follow(rebuildLine, 'rebuild/', {}, bar.update).finally(bar.end);
    answer(!!json, result, ({ games, players, changed }) => {
      const wrong = Object.entries(changed).filter(([, rows]) => rows > 0);
      const fixed = wrong.map(([what, rows]) => `${rows} of ${what.replace('_', ' ')}`).join(', ');
      const from = `Rebuilt from ${count(games, 'game')} of ${count(players, 'player')}`;
      return `${from}: ${fixed === '' ? 'nothing had to change' : `fixed ${fixed}`}.`;
    });
  });

  askingLeaf(
    program,
    'backup <file>',
    'Saves the whole database to one file while the server runs, without sessions and codes. Keep the file safe: it holds addresses and password hashes.',
    `backup backboard-2027-01-04.gz
     restore backboard-2027-01-04.gz`,
  ).action(async (typed: string, { json, yes }: AskingOptions) => {
    const path = inFolder(typed);
    if (await exists(path)) await confirm(!!yes, `Replace the file ${typed}?`);
    const bar = progressBar(!!json);
    const saved = await saveBackup(() => api().download('backup/'), path, bar.update).finally(
      bar.end,
    );
    answer(
      !!json,
      { file: path, ...saved },
      ({ bytes, rows }) => `Saved ${count(rows, 'row')} in ${inert(typed)} (${sizeText(bytes)}).`,
    );
  });

  askingLeaf(
    program,
    'restore <file>',
    'Replaces everything in the database with a backup. The whole file is checked first: a file that is incomplete, damaged, not a backup or from a newer version changes nothing. Everybody is signed out; accounts deleted since then stay deleted.',
    `restore backboard-2027-01-04.gz
     restore backboard-2027-01-04.gz --yes`,
  ).action(async (typed: string, { json, yes }: AskingOptions) => {
    requireTerminal(!!yes, 'Replace everything in the database?');
    const server = api();
    const bar = progressBar(!!json);
    const { id } = await server.post(uploadAnswer, 'restores/', {});
    try {
      let part = 0;
      for await (const { bytes, done, total } of parts(inFolder(typed))) {
        await server.put(partAnswer, `restores/${id}/parts/${part}/`, bytes);
        bar.update({ step: 'sending', done, total });
        part += 1;
      }
      const found = await server.follow(checkLine, `restores/${id}/check/`, {}, bar.update);
      bar.end();
      await confirm(
        !!yes,
        `Replace everything in the database with the backup of ${localTime(found.made_at)} (${count(found.rows, 'row')})?`,
      );
      const result = await server.follow(restoreLine, `restores/${id}/run/`, {}, bar.update);
      bar.end();
      answer(!!json, result, ({ rows, made_at, deleted_again }) =>
        [
          `Restored ${count(rows, 'row')} of ${localTime(made_at)}; everybody has to sign in again.`,
          ...(deleted_again > 0 ? [`Deleted again: ${count(deleted_again, 'account')}.`] : []),
        ].join(' '),
      );
    } finally {
      bar.end();
      await server.remove(`restores/${id}/`).catch(() => undefined);
    }
  });

  askingLeaf(
    program,
    'demo',
    'Fills the database with a league of six teams in its fifth week, and a demo account. A database with players is not touched without --beside.',
    `demo
     demo --beside --yes`,
  )
    .option('--beside', 'even if there are players already')
    .action(async ({ json, yes, beside }: AskingOptions & { beside?: true }) => {
      if (beside) await confirm(!!yes, 'Add made-up players and games to the real ones?');
      const bar = progressBar(!!json);
      const result = await api()
        .follow(demoLine, 'demo/', { beside: !!beside }, bar.update)
        .finally(bar.end);
      answer(
        !!json,
        result,
        ({ league, players, games, email, password }) =>
          `${inert(league)}: ${count(players, 'player')}, ${count(games, 'game')}.\nSign in as ${bold(inert(email))} with the password ${bold(inert(password))}`,
      );
    });
}
