import { Link } from '../router.tsx';
import { useLeagueStats } from '../session/reads.ts';
import { placeWords } from '../session/season.ts';
import { Strip } from '../ui/Strip.tsx';
import { serverNow } from '../ui/server-clock.ts';
import styles from './SeasonStrip.module.css';

/** For how long after its end a season is offered (SEASON-42). */
const OFFERED_MS = 14 * 24 * 3_600_000;

/** Leads to the player's seasons once one is final. */
export function SeasonStrip() {
  const { data } = useLeagueStats(true);
  const season = data?.season;
  if (season?.state !== 'final' || season.settles_at === null) return null;
  if (serverNow() > new Date(season.settles_at).getTime() + OFFERED_MS) return null;
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
