import type { Command } from 'commander';
import {
  birthdateAnswer,
  changeEmailAnswer,
  deletedAnswer,
  emailChangedAnswer,
  playerAnswer,
  playersFound,
  signedOutAnswer,
} from '#contract/wire/players.ts';
import { searchAnswer } from '#contract/wire/search.ts';
import { type AskingOptions, api, askingLeaf, day, group, leaf, type Options } from './command.ts';
import { answer, bold, confirm, count, inert, localTime, table } from './terminal.ts';

/** An account's number, as `player search` lists it, or an address. */
const accountOf = (typed: string) => (/^\d+$/.test(typed) ? { account: typed } : { email: typed });

const PROVIDER_NAMES = { google: 'Google', oidc: 'the other identity provider' };

/** Finds anything by its name. */
export function searchCommand(program: Command): void {
  leaf(
    program,
    'search <text>',
    'Finds players, teams, machines, leagues and screens by letters of the name, at most 5 of each.',
    `search hoop
     search ana@example.com`,
  ).action(async (text: string, { json }: Options) => {
    const found = await api().post(searchAnswer, 'search/', { text });
    answer(!!json, found, ({ results }) =>
      table(
        ['WHAT', 'ID', 'NAME', 'OF'],
        results.map(({ kind, id, name, about }) => [kind, id, name, about]),
        `Nothing called “${inert(text)}”.`,
      ),
    );
  });
}

/** Shows, corrects, signs out and deletes accounts. */
export function playerCommands(program: Command): void {
  const player = group(
    program,
    'player',
    "Players' accounts, by e-mail address.",
    `player search ana
     player show ana@example.com`,
  );

  leaf(
    player,
    'search [text]',
    'Finds players by letters anywhere in the name, by the whole address, or by the code. Without a text it lists who played last. Addresses are masked; “player show” shows the whole address.',
    `player search ana
     player search ana@example.com
     player search`,
  ).action(async (text: string | undefined, { json }: Options) => {
    const found = await api().post(playersFound, 'players/search/', { text });
    answer(!!json, found, ({ results, more }) => {
      const rows = table(
        ['ID', 'NAME', 'EMAIL', 'TEAM', 'GAMES', 'HIGH SCORE', 'LAST GAME'],
        results.map((row) => [
          row.id,
          row.username,
          row.address,
          row.team,
          row.games_played,
          row.highscore,
          row.last_played_at === null
            ? 'never'
            : `${localTime(row.last_played_at)} on ${row.last_machine}`,
        ]),
        'No player matches.',
      );
      return more && text !== undefined ? `${rows}\nThere are more: type more of the name.` : rows;
    });
  });

  leaf(
    player,
    'show <player>',
    'Shows an account, by its address or the id that player search lists: how it signs in, its team, its figures.',
    `player show ana@example.com
     player show 12`,
  ).action(async (typed: string, { json }: Options) => {
    const found = await api().post(playerAnswer, 'players/show/', accountOf(typed));
    answer(!!json, found, (value) => {
      const facts: [string, string][] = [
        ['E-mail', `${inert(value.email)}${value.verified ? '' : ' (not verified)'}`],
        ['Profile', value.profile_setup_complete ? 'complete' : 'not finished'],
        ['Signs in by', value.sign_in_methods.join(' and ') || 'nothing yet'],
        ['Since', localTime(value.created_at)],
        ['Sessions', String(value.sessions)],
        ['Team', value.team ? `${inert(value.team.name)} (${inert(value.team.league)})` : 'none'],
        ['League mode', value.league_mode_enabled ? 'on' : 'off'],
        ['Games', `${value.games_played}${value.held_games ? `, ${value.held_games} held` : ''}`],
        ['High score', String(value.highscore)],
        ['Average', String(value.avg_score)],
      ];
      return [
        bold(inert(value.username ?? '(no username yet)')),
        ...facts.map(([name, fact]) => `${name.padEnd(12)}${fact}`),
      ].join('\n');
    });
  });

  askingLeaf(
    player,
    'sign-out [email]',
    'Ends all sessions of a player, or of everybody with --all: each device has to sign in again.',
    `player sign-out ana@example.com
     player sign-out --all`,
  )
    .option('--all', 'sign everybody out')
    .action(async (email: string | undefined, options: AskingOptions & { all?: true }, command) => {
      const { json, yes, all } = options;
      if ((email === undefined) === (all === undefined))
        command.error('error: give the address of a player, or --all', { exitCode: 2 });
      if (all) await confirm(!!yes, 'Sign everybody out?');
      const body = all ? { all } : { email };
      const ended = await api().post(signedOutAnswer, 'players/sign-out/', body);
      const who = inert(ended.email ?? 'Everybody');
      answer(
        !!json,
        ended,
        () => `${who} is signed out (${count(ended.sessions_ended, 'session')}).`,
      );
    });

  leaf(
    player,
    'change-email <email> <new-email>',
    'Mails a code to the new address of an account. Nothing changes until the player gives you the code and you confirm it.',
    `player change-email ana@example.com ana@new.example
     player confirm-email ana@example.com ana@new.example 482913`,
  ).action(async (email: string, new_email: string, { json }: Options) => {
    const body = { email, new_email };
    const sent = await api().post(changeEmailAnswer, 'players/change-email/', body);
    answer(!!json, sent, (value) =>
      [
        `A code is on its way to ${inert(value.new_email)}; it works until ${localTime(value.valid_until)}.`,
        `Next: ./backboard player confirm-email ${inert(value.email)} ${inert(value.new_email)} CODE`,
      ].join('\n'),
    );
  });

  leaf(
    player,
    'confirm-email <email> <new-email> <code>',
    'Moves an account to a new address with the code that was mailed there. All sessions end, links in mails stop working, a Google account is unlinked, and the old address is notified.',
    'player confirm-email ana@example.com ana@new.example 482913',
  ).action(async (email: string, new_email: string, code: string, { json }: Options) => {
    const body = { email, new_email, code };
    const moved = await api().post(emailChangedAnswer, 'players/confirm-email/', body);
    answer(
      !!json,
      moved,
      (value) =>
        `The account now has the address ${inert(value.email)} and is signed out (${count(value.sessions_ended, 'session')})${value.providers_unlinked.map((id) => `; ${PROVIDER_NAMES[id]} is unlinked`).join('')}.`,
    );
  });

  leaf(
    player,
    'birthdate <email>',
    'Corrects a birth date, which players can set only once. A date that makes the player too young is refused: delete the account instead.',
    'player birthdate ana@example.com 2004-09-14',
  )
    .argument('<date>', 'YYYY-MM-DD', day)
    .option('--reason <text>', 'the reason, for the audit')
    .action(
      async (email: string, date_of_birth: string, options: Options & { reason?: string }) => {
        const { json, reason } = options;
        const body = { email, date_of_birth, reason };
        const changed = await api().post(birthdateAnswer, 'players/birthdate/', body);
        answer(
          !!json,
          changed,
          (value) => `The birth date of ${inert(value.email)} is now ${value.date_of_birth}.`,
        );
      },
    );

  askingLeaf(
    player,
    'delete <email>',
    'Deletes an account and everything personal permanently; a later restore does not bring it back. Its games stay without a person, so that team totals do not change.',
    'player delete ana@example.com --yes',
  ).action(async (email: string, { json, yes }: AskingOptions) => {
    // Read the account first, to show it in the question and to refuse a mistyped address.
    const found = await api().post(playerAnswer, 'players/show/', { email });
    const name = found.username === null ? '' : `“${found.username}”, `;
    const team = found.team === null ? '' : `, on “${found.team.name}”`;
    await confirm(
      !!yes,
      `Delete the account of ${name}${found.email}, ${count(found.games_played, 'game')}${team}? The games stay without a person. This cannot be undone.`,
    );
    const gone = await api().post(deletedAnswer, 'players/delete/', { email });
    answer(
      !!json,
      gone,
      (value) =>
        `The account of ${inert(value.email)} is deleted; ${count(value.games_kept, 'game')} kept without a person.`,
    );
  });
}
