import { useState } from 'react';
import type { LeaguePage, Joining as Word } from '#contract/wire/leagues.ts';
import { readLeague, renameLeague, setJoining, setLeagueVenue } from '../api/calls.ts';
import { fieldsOf } from '../api/client.ts';
import { LEAGUES, leagueKey, TEAMS, TONIGHT, useChange, useRead } from '../api/queries.ts';
import { Link } from '../router.tsx';
import { useMay } from '../session/me.tsx';
import { Loaded } from '../shell/Loaded.tsx';
import { Page } from '../shell/Page.tsx';
import { seasonPath } from '../shell/paths.ts';
import { useMinutes } from '../shell/until.ts';
import { Button } from '../ui/Button.tsx';
import { COUNTING } from '../ui/counting.ts';
import { Select } from '../ui/Field.tsx';
import { NameDialog } from '../ui/FormDialog.tsx';
import { Matchups } from '../ui/Matchups.tsx';
import { spanOf } from '../ui/machine-words.ts';
import { Failed } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';
import { count } from '../ui/times.ts';
import { ZoneSelect } from '../ui/ZoneSelect.tsx';
import { AddTeams, Idle, Teams } from './LeagueTeams.tsx';
import { RunBy } from './RunBy.tsx';
import { resultsCsv } from './results.ts';
import { championsWords } from './season-words.ts';
import {
  JOINING_WORDS,
  JOININGS,
  longDay,
  nextWords,
  span,
  wantToJoin,
  weekWords,
} from './words.ts';

/** A league's page (STAFF-22). */
export function League({ id }: { id: string }) {
  const read = useRead(leagueKey(id), () => readLeague(id), ['weeks', 'games', 'held']);
  const [open, setOpen] = useState<'teams' | 'rename' | null>(null);
  const [added, setAdded] = useState(0);
  const league = read.data;
  const owner = useMay('owner');
  const close = () => setOpen(null);
  return (
    <Page
      title={league?.name ?? 'League'}
      about={
        league &&
        [
          weekWords(league),
          ...(league.next === null ? [] : [nextWords(league.next)]),
          `Time zone ${league.timezone}`,
        ].join('. ')
      }
      back={{ to: '/console/leagues', name: 'Leagues' }}
      actions={
        league && (
          <>
            <Link className="btn" to={`/console/leagues/${id}/season`}>
              Season
            </Link>
            <Link className="btn" to={`/console/leagues/${id}/weeks`}>
              Weeks
            </Link>
            <Link className="btn" to={`/console/leagues/${id}/import`}>
              Import
            </Link>
            <Button onClick={() => setOpen('rename')}>Name and zone</Button>
            <Button onClick={() => setOpen('teams')}>Add teams</Button>
          </>
        )
      }
    >
      <Loaded read={read} what="the league">
        {(page) => (
          <div className="cols cols--wide">
            <div className="col">
              {page.idle && <Idle league={id} idle={page.idle} />}
              <ThisWeek league={page} />
              {page.won && <Won league={id} won={page.won} />}
              <Teams league={page} added={added} />
            </div>
            <div className="col">
              <Standings league={page} />
              <Joining league={page} />
              {owner && <Venue league={page} />}
              {page.schedule.length > 0 && <Results league={page} />}
            </div>
          </div>
        )}
      </Loaded>
      {open === 'teams' && <AddTeams league={id} onAdded={setAdded} onClose={close} />}
      {league && open === 'rename' && <Rename league={league} onClose={close} />}
    </Page>
  );
}

function ThisWeek({
  league: { now: week, weeks, week: number, ended, starts_on, teams, id, season_id, next },
}: {
  league: LeaguePage;
}) {
  const now = useMinutes();
  if (week === null && weeks > 0 && ended === weeks)
    return (
      <Panel title="This week">
        <p className="sm">
          All {count(weeks, 'week')} are over. {next !== null && `${nextWords(next)}. `}
          <Link to={seasonPath(id, season_id)}>Who won, and what comes next</Link>
        </p>
      </Panel>
    );
  if (week === null) {
    const why =
      weeks === 0
        ? 'No schedule yet.'
        : number === 0
          ? `The league begins on ${longDay(starts_on)}. Its weeks are made.`
          : 'No matchups this week.';
    return (
      <Panel title="This week">
        <p className="sm">
          {why}{' '}
          {weeks === 0 && teams.length < 2 ? (
            'Add at least two teams. Then you can make the weeks.'
          ) : (
            <Link to={`/console/leagues/${id}/weeks`}>
              {weeks === 0 ? 'Make the weeks' : 'See the weeks'}
            </Link>
          )}
        </p>
      </Panel>
    );
  }
  return (
    <Panel title="This week" flush>
      <p className="sm">
        {span(week.from, week.to)}, closes in {spanOf(now.toISOString(), new Date(week.closes_at))}.
        {week.held > 0 && (
          <>
            {' '}
            <b>{count(week.held, 'held game')} may change this week’s result:</b>{' '}
            <Link to="/console/inbox">decide {week.held === 1 ? 'it' : 'them'}</Link>.
          </>
        )}
      </p>
      <Matchups matchups={week.matchups} />
      <p className="xs mt2 mb3">
        {COUNTING} Below each team: games played, of those that can count.
      </p>
    </Panel>
  );
}

/** Who won the latest final season (SEASON-24). */
function Won({ league, won }: { league: string; won: NonNullable<LeaguePage['won']> }) {
  const { season_id, season } = won;
  return (
    <Panel title={`Champions of ${season}`}>
      <p className="mt1">
        <b>{championsWords(won)}</b>
      </p>
      <p className="sm mt1">
        <Link to={seasonPath(league, season_id)}>Its table and awards</Link>
      </p>
    </Panel>
  );
}

function Standings({ league: { standings, ended, weeks, teams } }: { league: LeaguePage }) {
  if (standings.length === 0) return null;
  const ids = new Map(teams.map(({ id, name }) => [name, id]));
  return (
    <Panel title="Standings" flush>
      <p className="sm">
        {ended === 0
          ? 'No week has ended yet.'
          : ended === weeks
            ? `After week ${ended}, the last one.`
            : `After week ${ended}. This week isn’t in the table yet.`}
      </p>
      <table className="t t--stand">
        <caption className="sr">Standings</caption>
        <thead>
          <tr>
            <th scope="col">
              <span aria-hidden="true">#</span>
              <span className="sr">Place</span>
            </th>
            <th scope="col">Team</th>
            {['Won', 'Drawn', 'Lost'].map((word) => (
              <th key={word} scope="col" className="r">
                <abbr title={word}>{word[0]}</abbr>
              </th>
            ))}
            <th scope="col" className="r">
              Total
            </th>
          </tr>
        </thead>
        <tbody>
          {standings.map(({ place, team, won, drawn, lost, total }) => (
            <tr key={team}>
              <td data-l="#">{place}</td>
              <th scope="row">
                {ids.has(team) ? (
                  <Link to={`/console/leagues/teams/${ids.get(team)}`}>{team}</Link>
                ) : (
                  // A final season keeps a name that its team no longer has.
                  team
                )}
              </th>
              <td className="r" data-l="Won">
                {won}
              </td>
              <td className="r" data-l="Drawn">
                {drawn}
              </td>
              <td className="r" data-l="Lost">
                {lost}
              </td>
              <td className="r" data-l="Total">
                {total.toLocaleString('en')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

function Joining({ league }: { league: LeaguePage }) {
  const setting = useChange((joining: Word) => setJoining(league.id, joining), {
    stale: [leagueKey(league.id), LEAGUES],
  });
  const chosen = setting.isPending ? setting.variables : league.joining;
  const waiting = league.teams.reduce((sum, team) => sum + team.waiting, 0);
  return (
    <Panel title="Joining by code">
      <div className="form mt3">
        <Select
          label="When a player enters a team’s code"
          value={chosen}
          help={JOINING_WORDS[chosen].about}
          onChange={(event) => setting.mutate(event.target.value as Word)}
        >
          {JOININGS.map((word) => (
            <option key={word} value={word}>
              {JOINING_WORDS[word].name}
            </option>
          ))}
        </Select>
        {setting.isError && (
          <Failed
            what="Not changed"
            error={setting.error}
            onAgain={() => setting.mutate(setting.variables)}
          />
        )}
        <p className="sm" role="status">
          {setting.isSuccess && `Saved for every team of ${league.name}.`}{' '}
          {waiting === 0 ? (
            'Nobody is waiting for an answer.'
          ) : (
            <Link to="/console/inbox?show=requests">{wantToJoin(waiting)}</Link>
          )}
        </p>
      </div>
    </Panel>
  );
}

function Venue({ league }: { league: LeaguePage }) {
  const setting = useChange((venue: string | null) => setLeagueVenue(league.id, venue), {
    stale: [leagueKey(league.id), LEAGUES],
  });
  return (
    <Panel title="Venue">
      <div className="form mt3">
        <RunBy
          value={setting.isPending ? setting.variables : league.venue_id}
          onChange={setting.mutate}
        />
        {setting.isError && (
          <Failed
            what="Not changed"
            error={setting.error}
            onAgain={() => setting.mutate(setting.variables)}
          />
        )}
        <p className="sm" role="status">
          {setting.isSuccess && 'Saved.'}
        </p>
      </div>
    </Panel>
  );
}

function Results({ league: { name, schedule } }: { league: LeaguePage }) {
  const save = () => {
    const file = new Blob(['\ufeff', resultsCsv(schedule)], { type: 'text/csv;charset=utf-8' });
    const link = document.createElement('a');
    link.href = URL.createObjectURL(file);
    link.download = `${name}.csv`;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <Panel title="Keep the results" flush>
      <ul className="rows mt2">
        <li>
          <span>
            <b>Results</b>
            <small>Every week as a CSV file</small>
          </span>
          <Button onClick={save}>
            Save<span className="sr"> results as a file</span>
          </Button>
        </li>
      </ul>
    </Panel>
  );
}

function Rename({ league, onClose }: { league: LeaguePage; onClose: () => void }) {
  const [before] = useState(league.timezone);
  const [timezone, setTimezone] = useState(before);
  const renaming = useChange(
    (wanted: string) => renameLeague(league.id, wanted, timezone === before ? undefined : timezone),
    { stale: [LEAGUES, TEAMS, TONIGHT], onDone: onClose },
  );
  return (
    <NameDialog
      title={`Change ${league.name}`}
      name={league.name}
      verb="Save"
      failed="Not changed"
      change={renaming}
      onClose={onClose}
    >
      <ZoneSelect
        value={timezone}
        error={fieldsOf(renaming.error).timezone}
        help="The zone is fixed once the league has a game."
        onChange={setTimezone}
      />
    </NameDialog>
  );
}
