import { Link } from '../router.tsx';
import { useRunning } from '../session/running.ts';
import { placeWords } from '../session/season.ts';
import { Strip } from '../ui/Strip.tsx';
import styles from './SeasonStrip.module.css';

/**
 * Leads to the player's seasons once one is final (SEASON-42). A cup and a contest come first:
 * there are at most two of these strips.
 */
export function SeasonStrip() {
  const { season, cup, contest } = useRunning();
  if (season === null || (cup !== null && contest !== null)) return null;
  const { name, place, teams, champion } = season;
  return (
    <Strip
      as={Link}
      to="/seasons"
      picture={
        <span className={styles.square}>
          <svg viewBox="0 0 64 56" aria-hidden="true">
            <path d="M58 34V11a8 8 0 0 0-8-8H11a8 8 0 0 0-8 8v32a8 8 0 0 0 8 8H44" />
            {champion && <circle cx="55" cy="47" r="9" />}
          </svg>
          <b aria-hidden="true">{place ?? '–'}</b>
        </span>
      }
      title={champion ? 'Champions' : 'Season over'}
    >
      {place === null ? name : `${name}. ${placeWords(place, teams)}`}
    </Strip>
  );
}
