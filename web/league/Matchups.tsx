import type { Matchup, ScheduleWeek } from '#contract/wire/leagues.ts';
import { Total } from '../shell/Total.tsx';
import styles from './League.module.css';
import { leaderOf, rulingWords } from './season.ts';

function Figure({ total, leads }: { total: number; leads: boolean }) {
  const words = <Total of={total} />;
  return leads ? <b>{words}</b> : words;
}

function MatchupRow({ matchup, own }: { matchup: Matchup; own: boolean }) {
  const { home, away, home_total, away_total } = matchup;
  const leader = leaderOf(matchup);
  const ruled = rulingWords(matchup);
  return (
    <li className={own ? styles.ours : undefined}>
      <span className={leader === 'home' ? styles.leads : undefined}>{home}</span>
      <span className={styles.result}>
        {home_total === null || away_total === null ? (
          <>
            <span className="sr">against</span>
            <span aria-hidden="true">–</span>
          </>
        ) : (
          <>
            <Figure total={home_total} leads={leader === 'home'} /> –{' '}
            <Figure total={away_total} leads={leader === 'away'} />
          </>
        )}
      </span>
      <span className={leader === 'away' ? styles.leads : undefined}>{away}</span>
      {ruled !== null && <small className={styles.ruled}>{ruled}</small>}
    </li>
  );
}

type MatchupsProps = {
  week: Pick<ScheduleWeek, 'matchups' | 'bye'>;
  team: string;
  over?: boolean;
};

/** A week's matchups. Totals appear once the week has begun; the winner is in bold (LOOK-56). */
export function Matchups({ week: { matchups, bye }, team, over = false }: MatchupsProps) {
  const isOwn = ({ home, away }: Matchup) => home === team || away === team;
  const own = matchups.filter(isOwn);
  const others = matchups.filter((one) => !isOwn(one));
  const free = bye !== null && (
    <li className={bye === team ? styles.ours : undefined}>
      <span className={styles.bye}>
        {bye} {over ? 'had' : 'have'} a bye
      </span>
    </li>
  );
  if (matchups.length === 0 && bye === null) return null;
  return (
    <ul className={styles.matchups}>
      {own.map((one) => (
        <MatchupRow key={one.home} matchup={one} own />
      ))}
      {bye === team && free}
      {others.map((one) => (
        <MatchupRow key={one.home} matchup={one} own={false} />
      ))}
      {bye !== team && free}
    </ul>
  );
}
