import type { Command } from 'commander';
import { type VenueRow, venueRow, venuesAnswer } from '#contract/wire/venues.ts';
import { api, group, leaf, type Options } from './command.ts';
import { answer, inert, table } from './terminal.ts';

const hoursOf = ({ hours }: VenueRow) => hours ?? 'always (no hours entered)';

/** Where machines stand: time zones and opening hours. */
export function venueCommands(program: Command): void {
  const venue = group(
    program,
    'venue',
    'Venues: the places where machines stand. Opening hours decide when a silent machine is missed.',
    `venue add "Hoop House" --timezone Europe/Berlin
     venue hours "Hoop House" "mon-thu 15:00-23:00, fri-sat 12:00-01:00"`,
  );

  leaf(venue, 'add <name>', 'Adds a venue.', 'venue add "Hoop House" --timezone Europe/Berlin')
    .requiredOption('--timezone <zone>', 'its time zone, such as Europe/Berlin')
    .action(async (name: string, { json, timezone }: Options & { timezone: string }) => {
      const added = await api().post(venueRow, 'venues/', { name, timezone });
      answer(!!json, added, (row) => `${inert(row.name)} is added, in ${row.timezone}.`);
    });

  leaf(venue, 'list', 'Lists the venues with their opening hours.', 'venue list').action(
    async ({ json }: Options) => {
      const { results } = await api().get(venuesAnswer, 'venues/');
      answer(!!json, results, (rows) =>
        table(
          ['ID', 'NAME', 'TIME ZONE', 'OPEN'],
          rows.map((row) => [row.id, row.name, row.timezone, hoursOf(row)]),
          'No venues yet. Add one: ./backboard venue add "Hoop House" --timezone Europe/Berlin',
        ),
      );
    },
  );

  leaf(
    venue,
    'hours <venue> <hours>',
    'Sets the opening hours of a venue, in its time zone; “always” removes them. A night may end after midnight.',
    `venue hours "Hoop House" "mon-thu 15:00-23:00, fri-sat 12:00-01:00, sun 12:00-22:00"
     venue hours "Hoop House" always`,
  ).action(async (name: string, hours: string, { json }: Options) => {
    const changed = await api().post(venueRow, 'venues/change/', {
      venue: name,
      hours: hours.trim().toLowerCase() === 'always' ? null : hours,
    });
    answer(!!json, changed, (row) => `${inert(row.name)} is open ${hoursOf(row)}.`);
  });

  leaf(
    venue,
    'timezone <venue> <zone>',
    'Changes the time zone of a venue.',
    'venue timezone "Hoop House" Europe/Berlin',
  ).action(async (name: string, timezone: string, { json }: Options) => {
    const changed = await api().post(venueRow, 'venues/change/', { venue: name, timezone });
    answer(!!json, changed, (row) => `${inert(row.name)} is in ${row.timezone} now.`);
  });
}
