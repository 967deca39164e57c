import { useState } from 'react';
import type { Joining, LeaguesAnswer } from '#contract/wire/leagues.ts';
import { listLeagues, makeLeague } from '../api/calls.ts';
import { fieldsOf } from '../api/client.ts';
import { LEAGUES, useChange, useRead } from '../api/queries.ts';
import { Link, navigate } from '../router.tsx';
import { useMe } from '../session/me.tsx';
import { useVenue } from '../session/venue.tsx';
import { Loaded } from '../shell/Loaded.tsx';
import { Page } from '../shell/Page.tsx';
import { Button } from '../ui/Button.tsx';
import { Field, Select } from '../ui/Field.tsx';
import { Failed, Note } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';
import { ACTIONS, Table } from '../ui/Table.tsx';
import { count } from '../ui/times.ts';
import { ZONE_HERE, ZoneSelect } from '../ui/ZoneSelect.tsx';
import { RunBy } from './RunBy.tsx';
import { fullDay, JOINING_WORDS, JOININGS, nextMonday, nextWords, weekWords } from './words.ts';

type LeagueRow = LeaguesAnswer['results'][number];

const isOver = ({ week, weeks }: LeagueRow) => weeks > 0 && week > weeks;
/** Whether a league is over and has no next season. */
const hasEnded = (league: LeagueRow) => isOver(league) && league.next === null;
const sum = (leagues: readonly LeagueRow[], of: 'teams' | 'players') =>
  leagues.reduce((total, league) => total + league[of], 0);

/** The running and past leagues, and a form for a new one. */
export function Leagues() {
  const read = useRead(LEAGUES, listLeagues, ['weeks']);
  const all = read.data?.results;
  return (
    <Page
      title="Leagues"
      about={
        all &&
        `${count(all.length, 'league')}, ${count(sum(all, 'teams'), 'team')}, ${count(sum(all, 'players'), 'player')}`
      }
    >
      <div className="cols">
        <div className="col">
          <Loaded read={read} what="the leagues">
            {({ results }) => <Lists leagues={results} />}
          </Loaded>
        </div>
        <div className="col">
          <NewLeague />
        </div>
      </div>
    </Page>
  );
}

function Lists({ leagues }: { leagues: LeagueRow[] }) {
  const over = leagues.filter(hasEnded);
  const running = leagues.filter((league) => !hasEnded(league));
  return (
    <>
      {leagues.length === 0 && (
        <Note>No league yet. Make one here; teams and weeks follow on its page.</Note>
      )}
      {running.length > 0 && (
        <Panel title="Running" flush>
          <Table
            caption="Leagues"
            columns={['League', 'Week', ['Teams', 'r'], ['Players', 'r'], 'Time zone', ACTIONS]}
          >
            {running.map((league) => (
              <tr key={league.id}>
                <th scope="row">
                  {league.name} <Champions league={league} />
                </th>
                <td data-l="Week">
                  {isOver(league) && league.next
                    ? nextWords(league.next)
                    : weekWords(league).replace(/^Week /, '')}
                </td>
                <td className="r" data-l="Teams">
                  {league.teams}
                </td>
                <td className="r" data-l="Players">
                  {league.players}
                </td>
                <td data-l="Time zone">{league.timezone}</td>
                <td className="full" data-l="">
                  <div className="acts">
                    <Link className="btn" to={`/console/leagues/${league.id}`}>
                      Open<span className="sr"> {league.name}</span>
                    </Link>
                  </div>
                </td>
              </tr>
            ))}
          </Table>
        </Panel>
      )}
      {over.length > 0 && (
        <Panel title="Over" flush>
          <Table caption="Leagues that are over" columns={['League', 'Weeks', 'Ended', ACTIONS]}>
            {over.map((league) => (
              <tr key={league.id}>
                <th scope="row">
                  {league.name}
                  <Champions league={league} />
                </th>
                <td data-l="Weeks">{league.weeks}</td>
                <td data-l="Ended">{league.last_day === null ? '–' : fullDay(league.last_day)}</td>
                <td className="full" data-l="">
                  <div className="acts">
                    <Link className="btn" to={`/console/leagues/${league.id}`}>
                      Open<span className="sr"> {league.name}</span>
                    </Link>
                  </div>
                </td>
              </tr>
            ))}
          </Table>
        </Panel>
      )}
    </>
  );
}

const Champions = ({ league: { champions } }: { league: LeagueRow }) =>
  champions.length > 0 && <p className="sm">Won by {champions.join(' and ')}</p>;

function NewLeague() {
  const leagues = useRead(LEAGUES, listLeagues, ['weeks']).data?.results;
  const [zone, setZone] = useState<string>();
  const timezone = zone ?? leagues?.at(-1)?.timezone ?? ZONE_HERE;
  const [form, setForm] = useState({ name: '', joining: 'ask' as Joining });
  const [day, setDay] = useState<string>();
  const starts = day ?? nextMonday(timezone);
  const { venues, limited } = useMe();
  const [at, setAt] = useState(
    useVenue().venue ?? (venues.length === 1 ? venues[0]?.id : null) ?? null,
  );
  const making = useChange(makeLeague, {
    stale: [LEAGUES],
    onDone: ({ id }) => navigate(`/console/leagues/${id}`),
  });
  const errors = fieldsOf(making.error);
  return (
    <Panel title="New league">
      <form
        className="form mt3"
        onSubmit={(event) => {
          event.preventDefault();
          // Without a venue, the server tells a limited manager to choose one (STAFF-39).
          const venue = at ?? (limited ? undefined : null);
          if (!making.isPending) making.mutate({ ...form, starts, timezone, venue });
        }}
      >
        <Field
          label="Name"
          value={form.name}
          error={errors.name}
          autoComplete="off"
          onChange={(event) => setForm({ ...form, name: event.target.value })}
        />
        <ZoneSelect
          value={timezone}
          error={errors.timezone}
          help="Its weeks run from Monday 00:00 to Monday 00:00 there."
          onChange={setZone}
        />
        <RunBy value={at} error={errors.venue} onChange={setAt} />
        <Field
          label="First week begins"
          type="date"
          value={starts}
          error={errors.starts}
          help="Any day of that week."
          onChange={(event) => setDay(event.target.value)}
        />
        <Select
          label="When a player enters a team’s code"
          value={form.joining}
          help={JOINING_WORDS[form.joining].about}
          onChange={(event) => setForm({ ...form, joining: event.target.value as Joining })}
        >
          {JOININGS.map((word) => (
            <option key={word} value={word}>
              {JOINING_WORDS[word].name}
            </option>
          ))}
        </Select>
        {making.isError && Object.keys(errors).length === 0 && (
          <Failed what="Not made" error={making.error} />
        )}
        <Button look="primary" type="submit" busy={making.isPending}>
          Make the league
        </Button>
      </form>
    </Panel>
  );
}
