import { seasonAddress } from '#contract/rules/addresses.ts';
import { AWARD_WORDS } from '#contract/rules/awards.ts';
import type { OwnSeason } from '#contract/wire/seasons.ts';
import { Link } from '../router.tsx';
import { placeWords } from '../session/season.ts';
import { Loaded } from '../shell/Loaded.tsx';
import { ShowMyCode } from '../shell/ToProfile.tsx';
import { Total } from '../shell/Total.tsx';
import { buttonClass } from '../ui/Button.tsx';
import { dayAndLongMonth, dayRange } from '../ui/dates.ts';
import { useDelayed } from '../ui/delayed.ts';
import { Empty, PanelPage } from '../ui/PanelPage.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { useSeasons } from './queries.ts';
import styles from './Seasons.module.css';

const isOver = ({ state }: OwnSeason) => state === 'final' || state === 'grace';

/** "Brick City Bankers, 2nd of 6" */
function teamWords(season: OwnSeason): string {
  const { team, place, teams } = season;
  if (!isOver(season) || place === null) return team;
  return season.champion ? `${team}, champions` : `${team}, ${placeWords(place, teams)}`;
}

function Card({ season }: { season: OwnSeason }) {
  const { id, league, name, place, state, starts_on, ends_on, games, average, best_game } = season;
  const chips = [
    ...(season.champion ? ['Champion'] : []),
    ...season.awards.map((key) => AWARD_WORDS[key]),
  ];
  return (
    <li className={styles.card}>
      <div className={styles.top}>
        <Square place={place} />
        <div>
          <h2 className="display">{name}</h2>
          <p>{teamWords(season)}</p>
          <p className={styles.days}>
            {league}
            {state === 'running' && `, since ${dayAndLongMonth(starts_on)}`}
            {state === 'grace' && ', not final yet'}
            {isOver(season) && ends_on !== null && `, ${dayRange(starts_on, ends_on)}`}
          </p>
        </div>
      </div>
      <dl className={styles.facts}>
        <div>
          <dt>games</dt>
          <dd>
            <Total of={games} />
          </dd>
        </div>
        <div>
          <dt>average</dt>
          <dd>{average}</dd>
        </div>
        <div>
          <dt>best game</dt>
          <dd>{best_game}</dd>
        </div>
      </dl>
      {chips.length > 0 && (
        <p className={styles.chips}>
          {chips.map((chip) => (
            <span key={chip}>{chip}</span>
          ))}
        </p>
      )}
      <Link className="textlink" to={seasonAddress(id)}>
        {state === 'final' ? 'Final table' : 'This season'}
        <span className="sr">, {name}</span>
      </Link>
    </li>
  );
}

/** The place in the painted square; a team that withdrew has no ball (SEASON-41). */
function Square({ place }: { place: number | null }) {
  return (
    <span className={styles.square}>
      <svg viewBox="0 0 84 73" aria-hidden="true">
        <path d="M76 44V14a10 10 0 0 0-10-10H14A10 10 0 0 0 4 14v42a10 10 0 0 0 10 10H58" />
        {place !== null && <circle cx="73" cy="61" r="11.5" />}
      </svg>
      <b>
        <span className="sr">Place </span>
        {place ?? '–'}
      </b>
    </span>
  );
}

/** The player's own seasons (SEASON-41). */
export function Seasons() {
  const query = useSeasons();
  const waiting = useDelayed(query.isPending);
  const all = waiting ? undefined : query.data;
  const games = all?.reduce((sum, season) => sum + season.games, 0) ?? 0;
  return (
    <PanelPage
      title="Seasons"
      lead={
        all &&
        all.length > 0 &&
        `${all.length} ${all.length === 1 ? 'season' : 'seasons'}, ${games} ${games === 1 ? 'game' : 'games'} for a team`
      }
      aria-busy={query.isPending}
    >
      <Loaded
        query={query}
        data={query.data === undefined ? undefined : query.data.length === 0 ? null : query.data}
        waiting={waiting}
        skeleton={<Skeleton height="14rem" radius="var(--r-xl)" />}
        empty={
          <Empty title="No season yet" text="Your first game for a team begins your first season.">
            <ShowMyCode className={buttonClass('primary')} />
          </Empty>
        }
        safe="Your games are safe. The seasons will be here when you have a signal again."
      >
        {(seasons) => (
          <ul className={styles.seasons}>
            {seasons.map((season) => (
              <Card key={season.id} season={season} />
            ))}
          </ul>
        )}
      </Loaded>
    </PanelPage>
  );
}
