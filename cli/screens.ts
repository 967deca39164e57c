import { type Command, InvalidArgumentError } from 'commander';
import {
  defaultSeconds,
  NOTICE_MAX,
  SECONDS_MAX,
  SECONDS_MIN,
  SLIDES,
  type SlideName,
  type SlideSetting,
} from '#contract/rules/screens.ts';
import {
  type NoticeAnswer,
  noticeAnswer,
  type ScreenRow,
  screenRow,
  screensAnswer,
} from '#contract/wire/screens.ts';
import {
  type AskingOptions,
  api,
  askingLeaf,
  group,
  leaf,
  type Options,
  rowNamed,
} from './command.ts';
import { answer, confirm, inert, localTime, table, timeAt } from './terminal.ts';

const slideText = ({ slide, seconds }: SlideSetting) =>
  seconds === defaultSeconds(slide) ? slide : `${slide}:${seconds}`;
const slidesText = (slides: SlideSetting[]) =>
  slides
    .filter(({ on }) => on)
    .map(slideText)
    .join(' ');

/** Parses a slide with optional seconds: `week:20`. */
function slideSetting(typed: string): SlideSetting {
  const [name = '', given] = typed.split(':', 2);
  const slide = SLIDES.find((known): known is SlideName => known === name);
  if (slide === undefined)
    throw new InvalidArgumentError(`“${name}” is no slide. Slides: ${SLIDES.join(', ')}.`);
  const seconds = given === undefined ? defaultSeconds(slide) : Number(given);
  if (!Number.isInteger(seconds) || seconds < SECONDS_MIN || seconds > SECONDS_MAX)
    throw new InvalidArgumentError(`Give ${SECONDS_MIN} to ${SECONDS_MAX} whole seconds.`);
  return { slide, on: true, seconds };
}

const stateText = ({ paired, live, last_seen_at }: ScreenRow) => {
  if (!paired) return 'waits for the television';
  if (live) return 'on';
  return last_seen_at === null ? 'never seen' : `away since ${localTime(last_seen_at)}`;
};

const screenText = (row: ScreenRow) =>
  `${inert(row.name)} at ${inert(row.venue)} shows: ${slidesText(row.slides)}${row.still ? ' (without motion)' : ''}`;

type NoticeOptions = { screen?: boolean; from?: string; until?: string; weekly?: string };

function noticeText(set: NoticeAnswer): string {
  const { venue, screen, timezone, notice, notice_from, notice_until, notice_weekly } = set;
  const [who, has, show] =
    screen === null
      ? [`The screens of ${inert(venue)}`, 'have', 'show']
      : [inert(screen), 'has', 'shows'];
  if (notice === null) return `${who} ${has} no notice${screen === null ? '' : ' of its own'}.`;
  const from = notice_from === null ? '' : ` from ${timeAt(notice_from, timezone)}`;
  const until = notice_until === null ? '' : ` until ${timeAt(notice_until, timezone)}`;
  const weekly = notice_weekly === null ? '' : ` every week, ${notice_weekly}`;
  return `${who} ${show}${from}${until}${weekly}: ${inert(notice)}`;
}

/** `screen …`: the televisions of venues. */
export function screenCommands(program: Command): void {
  const screen = group(
    program,
    'screen',
    'Televisions at venues. Open /screen on one: it shows the code that pairs it.',
    `screen add H7KQ4T --venue "Hoop House" --name "Bar"
     screen list`,
  );

  leaf(
    screen,
    'add <code>',
    'Pairs the television that shows this code with a venue. The television changes by itself within seconds.',
    `screen add H7KQ4T --venue "Hoop House"
     screen add H7K-Q4T --venue "Hoop House" --name "Bar"`,
  )
    .requiredOption('--venue <venue>', 'the venue whose games it shows')
    .option('--name <name>', 'what you call it (default: Screen 1, Screen 2, …)')
    .action(async (code: string, { json, ...more }: Options & { venue: string; name?: string }) => {
      const made = await api().post(screenRow, 'screens/', { code, ...more });
      answer(!!json, made, (row) => `${inert(row.name)} is paired with ${inert(row.venue)}.`);
    });

  leaf(
    screen,
    'list',
    'Lists the screens: where each is, whether it is on, and what it shows.',
    `screen list
     screen list --json`,
  ).action(async ({ json }: Options) => {
    const { results } = await api().get(screensAnswer, 'screens/');
    answer(!!json, results, (rows) =>
      table(
        ['ID', 'NAME', 'VENUE', 'STATE', 'SIZE', 'SHOWS'],
        rows.map((row) => [
          row.id,
          row.name,
          row.venue,
          stateText(row),
          row.width === null ? null : `${row.width} × ${row.height}`,
          slidesText(row.slides),
        ]),
        'No screens yet. Open /screen on a television and type the code that it shows: ./backboard screen add CODE --venue VENUE',
      ),
    );
  });

  leaf(
    screen,
    'change <screen>',
    'Changes the name of a screen, or moves it to another venue.',
    `screen change Bar --name "Bar left"
     screen change 2 --venue "Dockside Arcade"`,
  )
    .option('--name <name>', 'the new name')
    .option('--venue <venue>', 'the venue whose games it shows from now on')
    .action(
      async (
        screen: string,
        { json, name, venue }: Options & { name?: string; venue?: string },
        command: Command,
      ) => {
        if ((name ?? venue) === undefined)
          command.error('error: say what changes: --name or --venue', { exitCode: 2 });
        const changed = await api().post(screenRow, 'screens/change/', { screen, name, venue });
        answer(!!json, changed, screenText);
      },
    );

  leaf(
    screen,
    'slides <screen> <slides...>',
    `Sets the slides of a screen and their order: ${SLIDES.join(', ')}. Slides that you leave out are off. A number after a colon says for how many seconds a slide is shown.`,
    `screen slides Bar tonight week all matchups achievements join notice
     screen slides Bar tonight:20 matchups:30 join`,
  ).action(async (name: string, typed: string[], { json }: Options) => {
    const changed = await api().post(screenRow, 'screens/change/', {
      screen: name,
      slides: typed.map(slideSetting),
    });
    answer(!!json, changed, screenText);
  });

  leaf(
    screen,
    'still <screen> <on-or-off>',
    'Makes a screen still: with "on" nothing on it moves, with "off" it moves again.',
    `screen still Bar on
     screen still Bar off`,
  ).action(async (name: string, typed: string, { json }: Options) => {
    if (typed !== 'on' && typed !== 'off') throw new InvalidArgumentError('Write on or off.');
    const still = typed === 'on';
    const changed = await api().post(screenRow, 'screens/change/', { screen: name, still });
    answer(!!json, changed, screenText);
  });

  leaf(
    screen,
    'notice <venue-or-screen> [text]',
    `Shows a notice of at most ${NOTICE_MAX} characters on every screen of a venue, or on one screen in place of the venue's. Say when, or it stays until you take it away. Without a text it takes the notice away.`,
    `screen notice "Hoop House" "League night on Friday from 19:00."
     screen notice "Hoop House" "Kitchen closes at 22:00." --until closing
     screen notice "Hoop House" "Cup night." --from "2026-11-28 18:00" --until "2026-11-29 01:00"
     screen notice "Hoop House" "Happy hour." --weekly "mon-fri 17:00-19:00, sat 22:00-01:00"
     screen notice Bar "Order here." --screen
     screen notice "Hoop House"`,
  )
    .option('--screen', 'the name is that of a screen: show the notice on this screen only')
    .option('--from <time>', 'a day and time at the venue (default: now)')
    .option(
      '--until <time>',
      'closing, or a day and time at the venue (default: until you take it away)',
    )
    .option('--weekly <hours>', 'days of the week and hours at the venue, also past midnight')
    .action(
      async (
        place: string,
        text: string | undefined,
        { json, screen: isScreen, ...when }: Options & NoticeOptions,
      ) => {
        const set = await api().post(noticeAnswer, 'screens/notice/', {
          [isScreen ? 'screen' : 'venue']: place,
          notice: text === undefined || text.trim() === '' ? null : text,
          ...when,
        });
        answer(!!json, set, noticeText);
      },
    );

  askingLeaf(
    screen,
    'remove <screen>',
    'Removes a screen: its token stops working at once, and the television shows a code again.',
    `screen remove Bar
     screen remove 2 --yes`,
  ).action(async (name: string, { json, yes }: AskingOptions) => {
    const { results } = await api().get(screensAnswer, 'screens/');
    const found = rowNamed(results, name);
    const label = found ? `“${found.name}” in “${found.venue}”` : `“${name}”`;
    await confirm(!!yes, `Remove ${label}? Its television shows nothing of the venue any more.`);
    const removed = await api().post(screenRow, 'screens/remove/', { screen: name });
    answer(!!json, removed, (row) => `${inert(row.name)} is removed.`);
  });
}
