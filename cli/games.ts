import { Argument, type Command, InvalidArgumentError } from 'commander';
import { GAMES_COUNT_MAX } from '#contract/rules/games.ts';
import {
  gameAnswer,
  gamesListAnswer,
  type HeldReason,
  heldAnswer,
  type ManyAnswer,
  manyAnswer,
  type ReportReason,
  reportsAnswer,
  type Verdict,
  verdict,
} from '#contract/wire/games.ts';
import { machineRow } from '#contract/wire/machines.ts';
import {
  type AskingOptions,
  api,
  askingLeaf,
  gameNumber,
  group,
  leaf,
  moment,
  type Options,
} from './command.ts';
import { answer, confirm, count, inert, localTime, table } from './terminal.ts';

/** Why a game is held (GAME-07). */
const REASONS: Record<HeldReason, string> = {
  over_max_score: 'higher than a score can be',
  too_many_games: 'more games in an hour than time allows',
  two_machines: 'on two machines at once',
};

type Game = (typeof gameAnswer)['_output'];

const COLUMNS = ['GAME', 'PLAYER', 'MACHINE', 'PLAYED', 'SCORE'];
type Listed = Pick<Game, 'game' | 'player' | 'machine' | 'played_at' | 'score'>;
const cellsOf = ({ game, player, machine, played_at, score }: Listed) => [
  game,
  player ?? '(deleted)',
  machine,
  localTime(played_at),
  score,
];

const named = (game: Game) =>
  `the game of ${game.player ?? 'a deleted account'} on ${game.machine}, ${localTime(game.played_at)}, ${count(game.score, 'point')}`;

const gameText = (what: string) => (game: Game) => `T${inert(named(game).slice(1))}, ${what}.`;

const STATES: Record<Game['state'], string> = {
  counted: 'counts',
  held: 'held',
  void: 'void',
  discarded: 'discarded',
};

/**
 * The machine with this name or id. Read it before a question about its games, to name it there and
 * to refuse a mistyped name (OPS-04).
 */
const findMachine = (machine: string) => api().get(machineRow, 'machines/show/', { machine });

/** Calls until no game is left. Each call changes the games of some players. */
async function inBatches(call: () => Promise<ManyAnswer>): Promise<Omit<ManyAnswer, 'left'>> {
  const all = { games: 0, players: 0 };
  for (;;) {
    const { games, players, left } = await call();
    all.games += games;
    all.players += players;
    if (left === 0 || games === 0) return all;
  }
}

const manyText =
  (what: string) =>
  ({ games, players }: Omit<ManyAnswer, 'left'>) =>
    games === 0
      ? 'No game fits.'
      : `${count(games, 'game')} of ${count(players, 'player')}: ${what}.`;

/** Games that wait for the operator's decision. */
export function heldCommands(program: Command): void {
  const held = group(
    program,
    'held',
    'Held games: stored, but implausible; they count nowhere until you decide.',
    `held list
     held release 48213`,
  );

  leaf(
    held,
    'list',
    'Lists the held games, oldest first, and why each is held.',
    'held list',
  ).action(async ({ json }: Options) => {
    const found = await api().get(heldAnswer, 'held/');
    answer(!!json, found, ({ results, total }) => {
      const rows = table(
        [...COLUMNS, 'WHY'],
        results.map((game) => [...cellsOf(game), REASONS[game.reason]]),
        'No game is held.',
      );
      const more = total - results.length;
      return more > 0 ? `${rows}\n… and ${count(more, 'more game')}` : rows;
    });
  });

  leaf(
    held,
    'release',
    'Accepts a held game: it counts from now on, in the week when it was played.',
    'held release 48213',
  )
    .argument('<game>', 'its number', gameNumber)
    .action(async (game: string, { json }: Options) => {
      const released = await api().post(gameAnswer, 'held/release/', { game });
      answer(!!json, released, gameText('counts now'));
    });

  leaf(
    held,
    'return',
    'Holds a game again that was released or discarded, for another decision.',
    'held return 48213',
  )
    .argument('<game>', 'its number', gameNumber)
    .action(async (game: string, { json }: Options) => {
      const returned = await api().post(gameAnswer, 'held/return/', { game });
      answer(!!json, returned, gameText('is held again'));
    });

  askingLeaf(
    held,
    'discard',
    'Discards a held game: it stays on record and counts nowhere. "held return" brings it back. With --machine alone, all held games of a machine, such as after its key was stolen.',
    `held discard 48213 --yes
     held discard --machine "Court 1" --since 2027-01-04T18:00`,
  )
    .argument('[game]', 'its number', gameNumber)
    .option('--machine <machine>', 'name or id of a machine: all its held games')
    .option('--since <time>', 'only games played since then, such as 2027-01-04, 90m or 2d', moment)
    .action(
      async (
        game: string | undefined,
        { json, yes, machine, since }: AskingOptions & { machine?: string; since?: string },
      ) => {
        if (game === undefined) {
          if (machine === undefined) throw new InvalidArgumentError('Name a game, or --machine.');
          const which = since === undefined ? '' : ` since ${localTime(since)}`;
          const { name } = await findMachine(machine);
          const ask = `Discard all held games of “${name}”${which}? They then count nowhere.`;
          await confirm(!!yes, ask);
          const done = await inBatches(() =>
            api().post(manyAnswer, 'held/discard-many/', { machine, since }),
          );
          return answer(!!json, done, manyText('discarded'));
        }
        if (machine !== undefined || since !== undefined)
          throw new InvalidArgumentError('Name a game or --machine, not both.');
        // Read the game first, to name it in the question and to refuse a wrong id.
        const found = await api().get(gameAnswer, 'games/show/', { game });
        await confirm(!!yes, `Discard ${named(found)}? It then counts nowhere.`);
        const discarded = await api().post(gameAnswer, 'held/discard/', { game });
        answer(!!json, discarded, gameText('is discarded'));
      },
    );
}

/** Takes a recorded game out of every figure, or puts it back. */
export function gameCommands(program: Command): void {
  const game = group(
    program,
    'game',
    'Recorded games. A game never changes, but it can be removed from every figure.',
    `game list --player ana@example.com
     game void 48213`,
  );

  leaf(
    game,
    'list',
    'Lists games with their numbers, newest first: all games of the last 7 days, or the games of a player, of a machine, or since a time.',
    `game list --player ana@example.com
     game list --machine "Court 1" --since 2h
     game list --since 2027-01-04
     game list --id 0190c3f2-7d1a-7c55-9f00-2f6f5a8c1b11`,
  )
    .option('--player <player>', 'e-mail address or username')
    .option('--machine <machine>', 'name or id')
    .option('--since <time>', 'such as 2027-01-04, 2027-01-04T18:00, 90m, 3h or 2d', moment)
    .option('--id <id>', 'the id that the machine and the player have for the game')
    .action(
      async (options: Options & Partial<Record<'player' | 'machine' | 'since' | 'id', string>>) => {
        const { json, player, machine, id } = options;
        const all = player === undefined && machine === undefined && id === undefined;
        const since = options.since ?? (all ? moment('7d') : undefined);
        const found = await api().post(gamesListAnswer, 'games/list/', {
          player,
          machine,
          since,
          id,
        });
        answer(!!json, found, ({ results, total }) => {
          const rows = table(
            [...COLUMNS, 'STATE'],
            results.map((one) => [...cellsOf(one), STATES[one.state]]),
            'No game fits.',
          );
          const more = total - results.length;
          const least = total === GAMES_COUNT_MAX ? 'at least ' : '';
          return more > 0
            ? `${rows}\n… and ${least}${count(more, 'older game')}: narrow it by --player, --machine or --since.`
            : rows;
        });
      },
    );

  askingLeaf(
    game,
    'void',
    'Removes a game from every figure: statistics, league, achievements. "game restore" brings it back. With --machine, --from and --to, all games of a machine between two times, such as after a broken sensor.',
    `game void 48213
     game void --machine "Court 1" --from 2027-01-04T18:00 --to 2027-01-04T20:00`,
  )
    .argument('[game]', 'its number', gameNumber)
    .option('--machine <machine>', 'name or id of a machine: all its games between two times')
    .option('--from <time>', 'void the games played from this time on', moment)
    .option('--to <time>', 'void the games played before this time', moment)
    .action(
      async (
        number: string | undefined,
        {
          json,
          yes,
          machine,
          from,
          to,
        }: AskingOptions & { machine?: string; from?: string; to?: string },
      ) => {
        if (number === undefined) {
          if (machine === undefined || from === undefined || to === undefined)
            throw new InvalidArgumentError('Name a game, or --machine, --from and --to.');
          const when = `${localTime(from)} to ${localTime(to)}`;
          const { name } = await findMachine(machine);
          await confirm(!!yes, `Void all games of “${name}” from ${when}?`);
          const done = await inBatches(() =>
            api().post(manyAnswer, 'games/void-many/', { machine, from, to }),
          );
          return answer(!!json, done, manyText('void'));
        }
        if (machine !== undefined || from !== undefined || to !== undefined)
          throw new InvalidArgumentError('Name a game or --machine, not both.');
        const changed = await api().post(gameAnswer, 'games/void/', { game: number });
        answer(!!json, changed, gameText('is void'));
      },
    );

  leaf(game, 'restore', 'Restores a void game to every figure.', 'game restore 48213')
    .argument('<game>', 'its number', gameNumber)
    .action(async (game: string, { json }: Options) => {
      const changed = await api().post(gameAnswer, 'games/restore/', { game });
      answer(!!json, changed, gameText('counts again'));
    });
}

const REPORTED: Record<ReportReason, string> = {
  not_mine: 'not mine',
  machine: 'the machine',
  other: 'other',
};

/** `report …`: games that players report. */
export function reportCommands(program: Command): void {
  const report = group(
    program,
    'report',
    'Players’ reports: a game that is not theirs, or a faulty machine.',
    `report list
     report settle 48213 void`,
  );

  leaf(
    report,
    'list',
    'Lists the open reports, oldest first, and what each player wrote.',
    'report list',
  ).action(async ({ json }: Options) => {
    const found = await api().get(reportsAnswer, 'reports/');
    answer(!!json, found, ({ results, total }) => {
      const rows = table(
        [...COLUMNS, 'WHY', 'TEXT'],
        results.map((game) => [
          ...cellsOf(game),
          REPORTED[game.reason],
          (game.text ?? '').replaceAll('\n', ' '),
        ]),
        'No game is reported.',
      );
      const more = total - results.length;
      return more > 0 ? `${rows}\n… and ${count(more, 'more report')}` : rows;
    });
  });

  leaf(
    report,
    'settle',
    'Settles the report of a game: "void" removes the game from every figure, "stands" leaves it. The player sees the verdict.',
    `report settle 48213 stands`,
  )
    .argument('<game>', 'its number', gameNumber)
    .addArgument(new Argument('<verdict>').choices(verdict.options))
    .action(async (game: string, how: Verdict, { json }: Options) => {
      const body = { game, verdict: how };
      const text = how === 'void' ? 'counts nowhere now' : 'stands';
      answer(!!json, await api().post(gameAnswer, 'reports/settle/', body), gameText(text));
    });

  leaf(
    report,
    'reopen',
    'Opens the settled report of a game again. The game stays as it is.',
    'report reopen 48213',
  )
    .argument('<game>', 'its number', gameNumber)
    .action(async (game: string, { json }: Options) => {
      const opened = await api().post(gameAnswer, 'reports/reopen/', { game });
      answer(!!json, opened, gameText('is reported again'));
    });
}
