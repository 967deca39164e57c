import { useEffect, useState } from 'react';
import { openWords } from '#contract/rules/leagues.ts';
import type { LeaguePage } from '#contract/wire/leagues.ts';
import type { SeasonForStaff, SeasonListed } from '#contract/wire/seasons.ts';
import { listSeasons, readLeague, readSeason } from '../api/calls.ts';
import { leagueKey, seasonKey, useRead } from '../api/queries.ts';
import { Link, navigate, useLocation } from '../router.tsx';
import { Loaded } from '../shell/Loaded.tsx';
import { Page } from '../shell/Page.tsx';
import { seasonPath } from '../shell/paths.ts';
import { useSaid } from '../ui/ask.tsx';
import { Button } from '../ui/Button.tsx';
import { Note } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';
import { HeldIcon, ReportIcon, WellDrawing } from '../ui/State.tsx';
import { count, dayAndTime } from '../ui/times.ts';
import { Correct } from './Correct.tsx';
import { Entries } from './Entries.tsx';
import { Awards, FinalTable } from './FinalTable.tsx';
import { SeasonWeeks } from './SeasonWeeks.tsx';
import { DropSeason, EndSeason, Settings } from './season-settings.tsx';
import {
  championsWords,
  currentOf,
  endWords,
  isPast,
  latestEnd,
  stateWords,
  stepsOf,
} from './season-words.ts';
import { shortDay } from './words.ts';

/** A league's current season, or the one that `?season=` names (SEASON-20 to 37). */
export function Season({ id }: { id: string }) {
  const { query } = useLocation();
  const league = useRead(leagueKey(id), () => readLeague(id), ['weeks']);
  const seasons = useRead(seasonKey(id), () => listSeasons(id), ['weeks']);
  const all = seasons.data?.results;
  const shown = all && (all.find((one) => one.id === query.get('season')) ?? currentOf(all));
  const { say, said } = useSaid();
  const made = query.has('made') && shown?.id === query.get('season') ? shown : undefined;
  useEffect(() => {
    if (made === undefined) return;
    say(`${made.name} is made. It begins Mon ${shortDay(made.starts_on)}.`);
    navigate(seasonPath(id, made.id), { replace: true });
  }, [id, made, say]);
  const name = league.data?.name ?? 'League';
  return (
    <Page
      title={shown?.name ?? 'Season'}
      about={shown && `${name}. ${stateWords(shown)}`}
      back={{ to: `/console/leagues/${id}`, name }}
    >
      <Loaded read={seasons} what="the seasons">
        {({ results }) => (
          <>
            {said}
            {shown && (
              <One
                key={shown.id}
                league={id}
                teams={league.data?.teams ?? []}
                seasons={results}
                shown={shown}
                say={say}
              />
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

type OneProps = {
  league: string;
  teams: LeaguePage['teams'];
  seasons: SeasonListed[];
  shown: SeasonListed;
  say: (sentence: string) => void;
};

function One({ league, teams, seasons, shown, say }: OneProps) {
  const asked = Number(useLocation().query.get('version'));
  const version = asked > 0 && asked < shown.version ? asked : shown.version;
  const earlier = version < shown.version;
  const read = useRead(
    seasonKey(league, shown.id, String(version)),
    () => readSeason(shown.id, earlier ? String(version) : undefined),
    ['weeks', 'games', 'held', 'reports'],
  );
  return (
    <Loaded read={read} what="the season">
      {(page) => (
        <div className="cols cols--wide">
          <div className="col">
            {earlier && (
              <Note>
                The table as it was before a correction: version {version} of {shown.version}.{' '}
                <Link to={seasonPath(league, shown.id)}>Show the newest</Link>
              </Note>
            )}
            {page.season.state === 'grace' && <Grace league={league} page={page} />}
            {!earlier && page.changes.length > 0 && <Correct page={page} say={say} />}
            <Champions page={page} />
            {page.season.state !== 'planned' && <FinalTable page={page} />}
            <SeasonWeeks league={league} page={page} />
            {page.awards.length > 0 && <Awards awards={page.awards} />}
          </div>
          <div className="col">
            <Next league={league} seasons={seasons} page={page} say={say} />
            {page.season.state !== 'final' && <Settings season={page.season} say={say} />}
            {page.season.state !== 'final' && (
              <Entries league={league} season={page.season} teams={teams} />
            )}
            {page.corrections.length > 0 && (
              <Corrections
                corrections={page.corrections}
                pathTo={(one) => `${seasonPath(league, shown.id)}&version=${one}`}
              />
            )}
            {seasons.length > 1 && <Archive league={league} seasons={seasons} shown={shown} />}
          </div>
        </div>
      )}
    </Loaded>
  );
}

/** Who won a final season (SEASON-24). */
function Champions({ page }: { page: SeasonForStaff }) {
  const { season, won_table } = page;
  if (season.state !== 'final') return null;
  return (
    <Panel title={championsWords(page)}>
      <p className="mt1">
        <b>Champions</b>
      </p>
      {won_table.length > 0 && <p className="sm mt1">Won the table: {won_table.join(' and ')}</p>}
      <p className="sm mt1">
        Players read it under League, Seasons. Televisions show it for two weeks.
      </p>
    </Panel>
  );
}

/** What keeps a season in grace open (SEASON-21). */
function Grace({ league, page: { season, open } }: { league: string; page: SeasonForStaff }) {
  const number = open.held + open.complaints;
  const back = `league=${league}&season=${season.id}`;
  return (
    <section className={number === 0 ? 'hand hand--quiet' : 'hand'} aria-labelledby="grace">
      <h2 id="grace">The season is about to end</h2>
      <p className="sm mt1">
        {season.settles_at !== null && !isPast(season.settles_at) && (
          <>Late games count until {dayAndTime(season.settles_at)}. </>
        )}
        {number > 0
          ? 'It ends by itself as soon as nothing is open.'
          : season.settles_at !== null && isPast(season.settles_at)
            ? 'It ends by itself within a minute.'
            : 'Then it ends by itself.'}
      </p>
      {number === 0 ? (
        <span className="hand__ball" aria-hidden="true">
          <WellDrawing size={44} />
        </span>
      ) : (
        <>
          <ul>
            {open.held > 0 && (
              <li>
                <HeldIcon />
                <div>
                  <b>{count(open.held, 'held game')}</b>
                  <span className="sm">Released, it counts in the week in which it was played</span>
                </div>
                <Link className="btn" to={`/console/inbox?show=held&${back}`}>
                  Decide<span className="sr"> the held games</span>
                </Link>
              </li>
            )}
            {open.complaints > 0 && (
              <li>
                <ReportIcon />
                <div>
                  <b>{count(open.complaints, 'report')}</b>
                  <span className="sm">A player has reported a game</span>
                </div>
                <Link className="btn" to={`/console/inbox?show=reports&${back}`}>
                  Read<span className="sr"> the reports</span>
                </Link>
              </li>
            )}
          </ul>
          <p className="hand__foot">
            {number === 1 ? 'It keeps' : 'They keep'} the season open
            {season.settles_at !== null &&
              `, until ${dayAndTime(latestEnd(season.settles_at))} at the latest`}
            .
          </p>
          <span className="hand__ball" aria-hidden="true">
            {number}
          </span>
        </>
      )}
    </section>
  );
}

function Next({
  league,
  seasons,
  page,
  say,
}: {
  league: string;
  seasons: SeasonListed[];
  page: SeasonForStaff;
  say: (sentence: string) => void;
}) {
  const [asked, setAsked] = useState<'end' | 'drop' | null>(null);
  const { season, open } = page;
  const planned = seasons.find(({ state }) => state === 'planned');
  const isOver = season.state === 'grace' || season.state === 'final';
  const steps = stepsOf(season, seasons);
  if (steps.length === 0) return null;
  const isFollowed = season.state !== 'planned' && !steps.includes('follow');
  const left = openWords(open);
  const done = (sentence: string) => {
    setAsked(null);
    say(sentence);
  };
  return (
    <Panel title="Next">
      <p className="sm mt1">
        {season.state === 'planned'
          ? 'It has not begun: you can change its settings, leave teams out, or drop it.'
          : isFollowed
            ? 'The next season has begun. This one ends by itself, or when you end it.'
            : planned
              ? `${planned.name} is made. ${stateWords(planned)}.`
              : isOver
                ? 'The teams, their players and posters can stay as they are.'
                : season.last_week === null
                  ? 'This season runs until you end it. To let it end with its last scheduled week, change “End” in the settings.'
                  : endWords(season, season.last_week)}
      </p>
      <div className="acts mt3">
        {isOver && !isFollowed && !planned && (
          <Link className="btn btn--primary btn--full" to={`/console/leagues/${league}/next`}>
            Make the next season
          </Link>
        )}
        {isOver && !isFollowed && page.won_table.length === 0 && (
          <Link
            className="btn btn--full"
            to={`/console/contests/cups/new?league=${league}&season=${season.id}`}
          >
            Make a cup from this table
          </Link>
        )}
        {season.state === 'running' && (
          <Link className="btn btn--full" to={`/console/contests/cups/new?league=${league}`}>
            Make a cup of its teams
          </Link>
        )}
        {steps.includes('end') && (
          <Button look="full" onClick={() => setAsked('end')}>
            End the season{season.state === 'grace' ? ' now' : ''}…
          </Button>
        )}
        {steps.includes('drop') && (
          <Button look="full" onClick={() => setAsked('drop')}>
            Drop this season…
          </Button>
        )}
      </div>
      {steps.includes('end') && season.state === 'grace' && left !== '' && (
        <p className="xs mt2">Ending now leaves {left} out.</p>
      )}
      {asked === 'end' && (
        <EndSeason
          league={league}
          page={page}
          isLast={planned === undefined}
          onClose={() => setAsked(null)}
          onDone={done}
        />
      )}
      {asked === 'drop' && (
        <DropSeason season={season} onClose={() => setAsked(null)} onDone={done} />
      )}
    </Panel>
  );
}

/** Each correction, with a link to the table as it was before it. */
const Corrections = ({
  corrections,
  pathTo,
}: Pick<SeasonForStaff, 'corrections'> & { pathTo: (version: number) => string }) => (
  <Panel title="Corrected" flush>
    <ul className="rows mt2">
      {corrections.map(({ version, at, reason, changes }) => (
        <li key={version}>
          <span>
            <b>
              Version {version}, {dayAndTime(at)}
            </b>
            <small>{reason}</small>
            {changes.map((text) => (
              <small key={text}>{text}</small>
            ))}
          </span>
          <Link className="txt" to={pathTo(version - 1)}>
            Before<span className="sr"> version {version}</span>
          </Link>
        </li>
      ))}
    </ul>
  </Panel>
);

function Archive({
  league,
  seasons,
  shown,
}: {
  league: string;
  seasons: SeasonListed[];
  shown: SeasonListed;
}) {
  return (
    <Panel title="All seasons" flush>
      <ul className="rows mt2">
        {seasons.toReversed().map((one) => (
          <li key={one.id}>
            <span>
              <b>{one.name}</b>
              <small>{one.touched ? 'Final. A late change would move it' : stateWords(one)}</small>
            </span>
            {one.id === shown.id ? (
              <span className="tag tag--line">On this page</span>
            ) : (
              <Link className="btn" to={seasonPath(league, one.id)}>
                Open<span className="sr"> {one.name}</span>
              </Link>
            )}
          </li>
        ))}
      </ul>
      {seasons.length === 1 && <Note>There is one season so far.</Note>}
    </Panel>
  );
}
