import { type ReactNode, useState } from 'react';
import wordmark from '#brand/wordmark.svg';
import type { Joining } from '#contract/wire/leagues.ts';
import type { TeamPoster } from '#contract/wire/teams.ts';
import { CANNOT_PRINT, printPage } from '../../web/ui/copy.ts';
import { readPoster, readPosters, setJoining } from '../api/calls.ts';
import { LEAGUES, leagueKey, TEAMS, teamKey, useChange, useRead } from '../api/queries.ts';
import { useMay, useMe } from '../session/me.tsx';
import { Loaded } from '../shell/Loaded.tsx';
import { Page } from '../shell/Page.tsx';
import { Button } from '../ui/Button.tsx';
import { PrintIcon } from '../ui/Icon.tsx';
import { Failed, Note } from '../ui/Notice.tsx';
import { nameSize } from '../ui/name-size.ts';
import { PosterSquare } from '../ui/PosterSquare.tsx';
import { count } from '../ui/times.ts';
import { longDay } from './words.ts';

/** A team's A4 poster. */
export function Poster({ id }: { id: string }) {
  const read = useRead([...teamKey(id), 'poster'], () => readPoster(id), ['weeks']);
  const manager = useMay('manager');
  const name = read.data?.team ?? 'Team';
  return (
    <Sheets
      title="Poster"
      about="One A4 page. Print at 100 %, in colour or black."
      back={
        manager
          ? { to: `/console/leagues/teams/${id}`, name }
          : { to: '/console/', name: 'Tonight' }
      }
      posters={read.data && [read.data]}
    >
      <Loaded read={read} what="the poster">
        {(poster) => <Sheet poster={poster} />}
      </Loaded>
    </Sheets>
  );
}

/** The posters of all teams of a league, one sheet each (HAND-C9). */
export function Posters({ id }: { id: string }) {
  const read = useRead([...leagueKey(id), 'posters'], () => readPosters(id), ['weeks']);
  const posters = read.data?.results;
  return (
    <Sheets
      title="Posters"
      about={`${posters ? count(posters.length, 'A4 page') : 'A4 pages'}, one for each team. Print at 100 %, in colour or black.`}
      back={{ to: `/console/leagues/${id}`, name: posters?.[0]?.league ?? 'League' }}
      posters={posters}
    >
      <Loaded read={read} what="the posters">
        {({ results }) =>
          results.length === 0 ? (
            <Note>The league has no team yet.</Note>
          ) : (
            results.map((poster) => <Sheet key={poster.id} poster={poster} />)
          )
        }
      </Loaded>
    </Sheets>
  );
}

/** A page of sheets with a button to print them. While joining is closed, offers to open it. */
function Sheets({
  title,
  about,
  back,
  posters,
  children,
}: {
  title: string;
  about: string;
  back: { to: string; name: string };
  posters: TeamPoster[] | undefined;
  children: ReactNode;
}) {
  const [cannotPrint, setCannotPrint] = useState(false);
  const closed = posters?.find(({ joining }) => joining === 'closed');
  return (
    <div className="sheetwrap">
      <div className="noprint">
        <Page
          title={title}
          about={about}
          back={back}
          actions={
            <Button
              look="primary"
              busy={posters === undefined || posters.length === 0}
              onClick={() => setCannotPrint(!printPage())}
            >
              <PrintIcon />
              Print
            </Button>
          }
        >
          <div role="status">{cannotPrint && <Note>{CANNOT_PRINT}</Note>}</div>
          {closed && <Closed league={closed.league_id} />}
        </Page>
      </div>
      {children}
    </div>
  );
}

/** Opens joining, without which the codes do not work (HAND-C8). */
function Closed({ league }: { league: string }) {
  const manager = useMay('manager');
  const opening = useChange((joining: Joining) => setJoining(league, joining), {
    stale: [leagueKey(league), LEAGUES, TEAMS],
  });
  if (!manager) return <Note>Joining is closed: no code works until a manager opens it.</Note>;
  return (
    <>
      <Note>
        Joining is closed, so no code of the league works. Open it?
        <span className="acts mt2">
          <Button busy={opening.isPending} onClick={() => opening.mutate('open')}>
            Open to everybody
          </Button>
          <Button busy={opening.isPending} onClick={() => opening.mutate('ask')}>
            Ask a manager each time
          </Button>
        </span>
      </Note>
      {opening.isError && <Failed what="Not opened" error={opening.error} />}
    </>
  );
}

function Sheet({ poster }: { poster: TeamPoster }) {
  const { team, league, venue, code, url, season_ends_on } = poster;
  const { brand } = useMe();
  const until = season_ends_on === null ? '' : ` until ${longDay(season_ends_on)}`;
  return (
    <article className="a4" aria-label={`Poster of ${team}, A4`}>
      <div className="a4__in">
        <p className="over">
          {league}, every week{until}
        </p>
        <h2 className="a4__name" style={{ fontSize: `${nameSize(team)}cqw` }}>
          {team}
        </h2>
        <PosterSquare url={url} />
        <div className="a4__code">
          <p>
            Join us. Your code:
            <span className="num">{code}</span>
          </p>
          <p>
            Scan, or go to
            <br />
            <b>
              {url.replace(/^https?:\/\//, '').slice(0, -code.length)}
              <wbr />
              <span className="nw">{code}</span>
            </b>
          </p>
        </div>
        <ol>
          <Step number={1} what="Join" how="Scan the square and make your account. It is free." />
          <Step
            number={2}
            what="Hold your code up to a machine"
            how="Your phone shows it. The machine says hello."
          />
          <Step
            number={3}
            what="Play for the team"
            how="Eight games a week count, your best four make the total."
          />
        </ol>
        <div className="a4__f">
          <img src={wordmark} alt={brand} />
          <span>
            {venue !== null && (
              <>
                <b>{venue}</b>
                <br />
              </>
            )}
            Ask at the bar for help
          </span>
        </div>
      </div>
    </article>
  );
}

const Step = ({ number, what, how }: { number: number; what: string; how: string }) => (
  <li>
    <span>{number}</span>
    <span>
      <b>{what}</b>
      {how}
    </span>
  </li>
);
