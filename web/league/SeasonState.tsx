import type { LeagueSeason, SeasonInView } from '#contract/wire/leagues.ts';
import { Link } from '../router.tsx';
import { momentWords } from '../session/season.ts';
import { weekdayAndDay } from '../ui/dates.ts';
import { Panel } from '../ui/Panel.tsx';
import { serverDate } from '../ui/server-clock.ts';
import styles from './League.module.css';

/** The line below the table: until when late games count (SEASON-20). */
export function tableFoot({ state, settles_at }: SeasonInView): string {
  const first = 'Equal wins: the higher total goes first.';
  if (state === 'final') return `${first} Final.`;
  if (state !== 'grace' || settles_at === null) return first;
  return `${first} Late games count until ${momentWords(settles_at)}.`;
}

/** The newest changes of the season, without names of players (SEASON-37), and the way to all. */
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
