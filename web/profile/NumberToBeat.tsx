import { useId } from 'react';
import { BEST_GAMES, WEEK_GAMES } from '#contract/rules/games.ts';
import type { LeagueStats, Opponent } from '#contract/wire/leagues.ts';
import { teamName } from '../session/team.ts';
import { Total } from '../shell/Total.tsx';
import { type Beat, numberToBeat } from '../slip/beat.ts';
import { serverDate } from '../ui/server-clock.ts';
import { TimeLeft } from '../ui/TimeLeft.tsx';
import styles from './NumberToBeat.module.css';

/** The section's address on the page. */
export const BEAT = 'beat';

function target(beat: Beat): string {
  if (beat.kind === 'score') return String(beat.score);
  return beat.kind === 'any' ? 'Any' : `${WEEK_GAMES}/${WEEK_GAMES}`;
}

function Words({ beat }: { beat: Beat }) {
  if (beat.kind === 'score')
    return (
      <>
        <p>
          <b>Beat {beat.score}</b>, your 4th best, and your team total grows.
        </p>
        {beat.lead !== null && <p>{beat.lead} takes the lead.</p>}
      </>
    );
  if (beat.kind === 'any')
    return (
      <>
        <p>
          <b>Any score</b> adds to your team total.
        </p>
        <p>
          {beat.taken} of {BEST_GAMES} places {beat.taken === 1 ? 'is' : 'are'} taken.
        </p>
      </>
    );
  return (
    <>
      <p>
        <b>All {WEEK_GAMES} played.</b> Your <Total of={beat.total} /> stands.
      </p>
      <p>New week on Monday.</p>
    </>
  );
}

function Gap({ own, opponent }: { own: number; opponent: Opponent | null }) {
  if (opponent === null)
    return (
      <div>
        <dt>No opponent this week</dt>
        <dd>–</dd>
      </div>
    );
  const ahead = own - opponent.total_score;
  const words = ahead === 0 ? 'level with' : ahead > 0 ? 'ahead of' : 'behind';
  return (
    <div>
      <dt>
        {words} <span className={styles.name}>{teamName(opponent.name)}</span>
      </dt>
      <dd>
        <Total of={Math.abs(ahead)} />
      </dd>
    </div>
  );
}

/** The score that would help the team (PROD-38, LOOK-54). */
export function NumberToBeat({ stats, username }: { stats: LeagueStats; username: string }) {
  const id = useId();
  const beat = numberToBeat(stats, username, serverDate());
  if (beat === null) return null;
  return (
    <section id={BEAT} tabIndex={-1} className={styles.panel} aria-labelledby={id}>
      <div className={styles.beat}>
        <h2 id={id} className="display">
          Your number to beat
        </h2>
        <div className={styles.square}>
          <svg viewBox="0 0 124 108" aria-hidden="true">
            <path d="M119 70V17A12 12 0 0 0 107 5H17A12 12 0 0 0 5 17V91a12 12 0 0 0 12 12H84" />
            <circle cx="106" cy="90" r="16" />
          </svg>
          <span className="display">{target(beat)}</span>
        </div>
        <div className={styles.words}>
          <Words beat={beat} />
        </div>
        <dl>
          <div>
            <dt>league {stats.me.league_games_left === 1 ? 'game' : 'games'} left</dt>
            <dd>{stats.me.league_games_left}</dd>
          </div>
          <Gap own={stats.team_total_score} opponent={stats.opponent} />
          <div>
            <dt>until the week closes</dt>
            <dd>
              <TimeLeft until={new Date(stats.week_closes_at)} />
            </dd>
          </div>
        </dl>
      </div>
    </section>
  );
}
