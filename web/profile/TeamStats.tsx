import { WEEK_GAMES } from '#contract/rules/games.ts';
import type { LeagueStats, Opponent, Teammate } from '#contract/wire/leagues.ts';
import { betweenWords } from '../session/season.ts';
import { teamName } from '../session/team.ts';
import { Invite } from '../shell/Invite.tsx';
import { Total } from '../shell/Total.tsx';
import { aheadBy } from '../slip/words.ts';
import styles from './TeamStats.module.css';

const PIPS = Array.from({ length: WEEK_GAMES }, (_, at) => at);
const COLUMNS = 5;

function TeammateRow({ mate, rank, me }: { mate: Teammate; rank: number; me: boolean }) {
  const name = mate.username.toUpperCase();
  return (
    <tr
      className={me ? `${styles.mate} ${styles.me}` : styles.mate}
      aria-current={me ? 'true' : undefined}
    >
      <td className={styles.rank}>{rank}</td>
      <th scope="row" title={name}>
        {name}
      </th>
      <td data-label="Games">
        <span className={styles.games}>
          {mate.weekly_games_played}/{WEEK_GAMES}
          <span className={styles.pips} aria-hidden="true">
            {PIPS.map((pip) => (
              <i key={pip} className={pip < mate.weekly_games_played ? styles.played : undefined} />
            ))}
          </span>
        </span>
      </td>
      <td data-label="Avg">{mate.weekly_avg_score}</td>
      <td data-label="Total" className={styles.total}>
        <Total of={mate.weekly_total_score} />
      </td>
    </tr>
  );
}

/** On the leader's row, by how much it leads; "Level" on both (HAND-90). */
function Lead({ lead, leads }: { lead: number | null; leads: boolean }) {
  return lead !== null && leads ? <em className={styles.lead}>{aheadBy(lead)}</em> : null;
}

function OpponentBlock({ opponent, lead }: { opponent: Opponent | null; lead: number | null }) {
  if (opponent === null)
    return (
      <tr className={styles.nobody}>
        <td colSpan={COLUMNS}>No opponent this week</td>
      </tr>
    );
  return (
    <tr className={`${styles.sum} ${styles.opponent}`}>
      <th scope="row" colSpan={2}>
        <span className="sr">Opponent: </span>
        {teamName(opponent.name)}
        <Lead lead={lead} leads={lead !== null && lead <= 0} />
      </th>
      <td data-label="Games">
        {opponent.total_games_played}/{opponent.max_possible_games}
      </td>
      <td data-label="Avg">{opponent.team_avg}</td>
      <td data-label="Total">
        <Total of={opponent.total_score} />
      </td>
    </tr>
  );
}

type TeamStatsProps = {
  stats: LeagueStats;
  username: string;
  dim: boolean;
};

/** The team, its total, and this week's opponent (PROD-36). */
export function TeamStats({ stats, username, dim }: TeamStatsProps) {
  const { opponent } = stats;
  const between = betweenWords(stats);
  const lead = opponent && stats.team_total_score - opponent.total_score;
  return (
    <section
      className={styles.panel}
      data-dim={dim || !!stats.season?.postponed}
      aria-labelledby="team-stats"
    >
      <table className={styles.table}>
        <caption>
          <h2 id="team-stats" className="display">
            Team Stats (Weekly)
          </h2>
        </caption>
        <colgroup>
          <col className={styles.rankColumn} />
          <col />
          <col className={styles.gamesColumn} />
          <col className={styles.averageColumn} />
          <col className={styles.totalColumn} />
        </colgroup>
        <thead>
          <tr>
            <th scope="col">
              <span aria-hidden="true">#</span>
              <span className="sr">Rank</span>
            </th>
            <th scope="col">Username</th>
            <th scope="col">Games</th>
            <th scope="col">
              <abbr title="Average">Avg</abbr>
            </th>
            <th scope="col">
              Total<span aria-hidden="true">*</span>
            </th>
          </tr>
        </thead>
        <tbody>
          <tr className={styles.team}>
            <th colSpan={COLUMNS} scope="rowgroup">
              <span className="display">{teamName(stats.team_name)}</span>
            </th>
          </tr>
          {stats.teammates.map((mate, at) => (
            <TeammateRow
              key={mate.username}
              mate={mate}
              rank={at + 1}
              me={mate.username === username}
            />
          ))}
          <tr className={styles.sum}>
            <th scope="row" colSpan={2}>
              Total
              <Lead lead={lead} leads={lead !== null && lead >= 0} />
            </th>
            <td data-label="Games">
              {stats.team_total_games_played}/{stats.team_max_possible_games}
            </td>
            <td data-label="Avg">{stats.team_avg}</td>
            <td data-label="Total">
              <Total of={stats.team_total_score} />
            </td>
          </tr>
        </tbody>
        <tbody>
          <OpponentBlock opponent={stats.opponent} lead={lead} />
        </tbody>
      </table>
      {between !== null && <p className={styles.footnote}>{between}</p>}
      <p className={styles.footnote}>*Total from player's top 4 weekly games</p>
      <Invite stats={stats} />
    </section>
  );
}

/** The panel with only the team's name, when the figures could not be read (PROD-37). */
export function NoTeamStats({ name, dim }: { name: string; dim: boolean }) {
  return (
    <section className={styles.panel} data-dim={dim} aria-labelledby="team-stats">
      <h2 id="team-stats" className="display">
        Team Stats (Weekly)
      </h2>
      <p className={`display ${styles.name}`}>{name}</p>
      <p className={styles.none}>No team stats to show right now.</p>
    </section>
  );
}
