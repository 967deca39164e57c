import type { RunningAnswer } from '#contract/wire/contests.ts';
import { Link } from '../router.tsx';
import { placeWords } from '../session/season.ts';
import { Strip } from '../ui/Strip.tsx';
import styles from './SeasonStrip.module.css';

type SeasonStripProps = { season: NonNullable<RunningAnswer['season']> };

/** Leads to the player's seasons once one is final (SEASON-42). */
export function SeasonStrip({ season: { name, place, teams, champion } }: SeasonStripProps) {
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
