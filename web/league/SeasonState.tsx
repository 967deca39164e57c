import { seasonAddress } from '#contract/rules/addresses.ts';
import type { LeagueSeason, SeasonInView } from '#contract/wire/leagues.ts';
import { Link } from '../router.tsx';
import { lateWords } from '../session/season.ts';
import { weekdayAndDay } from '../ui/dates.ts';
import { Panel } from '../ui/Panel.tsx';
import { serverDate } from '../ui/server-clock.ts';
import styles from './League.module.css';
import type { League } from './queries.ts';
import { equalWinsWords } from './season.ts';

/**
 * The line below the table: how equal wins are ordered, and until when late games count
 * (SEASON-20).
 */
export function tableFoot(season: SeasonInView): string {
  const first = equalWinsWords(season);
  if (season.state === 'final') return `${first} Final.`;
  return season.state === 'grace' ? `${first} ${lateWords(season)}` : first;
}

/** The winner of the past season, with links to its page and to the weeks of the next season. */
export function BetweenSeasons({ season: { season, champions } }: Pick<League, 'season'>) {
  const { id, name, state, next } = season;
  // A stored answer of an older version has no champions, and no id of the next season.
  const won = champions ?? [];
  return (
    <>
      {won.length > 0 && (
        <p className={styles.champions}>
          <small>{won.length === 1 ? `Champions of ${name}` : `${name}, shared by`}</small>
          <b className="display">{won.join(' and ')}</b>
        </p>
      )}
      {(state === 'grace' || state === 'final') && (
        <p className={styles.more}>
          <Link className="textlink" to={seasonAddress(id)}>
            {state === 'final' ? `${name}: table and awards` : `${name}: the table so far`}
          </Link>
        </p>
      )}
      {next?.id && (
        <p className={styles.more}>
          <Link className="textlink" to={seasonAddress(next.id)}>
            {`${next.name}: who plays whom`}
          </Link>
        </p>
      )}
    </>
  );
}

/**
 * The newest changes of the season, without players' names (SEASON-37), and a link to all of them.
 */
export function Changes({ changes }: Pick<LeagueSeason, 'changes'>) {
  return (
    <Panel title={changes.length === 0 ? 'Seasons' : 'What changed'}>
      {changes.length > 0 && (
        <ul className={styles.changes}>
          {changes.map(({ at, text }) => (
            <li key={`${at} ${text}`}>
              {text}
              <small>{weekdayAndDay(new Date(at), serverDate())}</small>
            </li>
          ))}
        </ul>
      )}
      <p className={styles.more}>
        <Link className="textlink" to="/seasons">
          All seasons
        </Link>
      </p>
    </Panel>
  );
}
