import type { ReactNode } from 'react';
import { teamAddress } from '#contract/rules/addresses.ts';
import { ordinal, WEEK_GAMES } from '#contract/rules/games.ts';
import type { Opponent, Teammate, WeekTable } from '#contract/wire/leagues.ts';
import { Link } from '../router.tsx';
import { teamName } from '../session/team.ts';
import { aheadBy } from '../slip/signs.ts';
import { PlayerName } from './PlayerName.tsx';
import styles from './TeamTable.module.css';
import { Total } from './Total.tsx';

const PIPS = Array.from({ length: WEEK_GAMES }, (_, at) => at);
const COLUMNS = 5;

type RowProps = {
  mate: Teammate;
  rank: number;
  me: boolean;
  /** Whether the row is on the pass: then the player's own name does not link to the pass. */
  onPass: boolean;
  team: string;
  under: ReactNode;
};

function TeammateRow({ mate, rank, me, onPass, team, under }: RowProps) {
  const name = mate.username.toUpperCase();
  const opener = (
    <PlayerName
      username={mate.username}
      me={me}
      person={{
        place: `${ordinal(rank)} in the team this week`,
        week: mate,
        ...(!mate.former && { team, hasPage: true }),
      }}
    />
  );
  return (
    <tr
      className={me ? `${styles.mate} ${styles.me}` : styles.mate}
      aria-current={me ? 'true' : undefined}
    >
      <td className={styles.rank}>{rank}</td>
      <th scope="row" title={name}>
        {me && onPass ? (
          name
        ) : under ? (
          <div className={styles.under}>
            {opener}
            {under}
          </div>
        ) : (
          opener
        )}
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

/** Says on the leader's row by how much it leads, or "Level" on both rows (HAND-90). */
function Lead({ lead, leads }: { lead: number | null; leads: boolean }) {
  return lead !== null && leads ? <em className={styles.lead}>{aheadBy(lead)}</em> : null;
}

type OpponentProps = { opponent: Opponent | null; lead: number | null; ours: boolean };

function OpponentBlock({ opponent, lead, ours }: OpponentProps) {
  if (opponent === null)
    return (
      <tr className={styles.nobody}>
        <td colSpan={COLUMNS}>No opponent this week</td>
      </tr>
    );
  return (
    <tr className={ours ? styles.sum : `${styles.sum} ${styles.opponent}`}>
      <th scope="row" colSpan={2}>
        <span className="sr">Opponent: </span>
        <Link to={teamAddress(opponent.name)}>{teamName(opponent.name)}</Link>
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

type TeamTableProps = {
  week: WeekTable;
  team: string;
  /** The viewer. */
  username: string | undefined;
  /** Whether the viewer plays for this team's opponent. */
  theirs?: boolean;
  title: string;
  /** The id of the heading. */
  id: string;
  /** Whether the table is on the pass, where the caption names the team. */
  onPass?: boolean;
  /** What stands under the name of a mate, by the index in `week`. */
  under?: (at: number) => ReactNode;
};

/** A team's week: its players, its total, and its opponent (PROD-36, HAND-64). */
export function TeamTable({
  week,
  team,
  username,
  theirs = false,
  title,
  id,
  onPass = false,
  under,
}: TeamTableProps) {
  const { opponent } = week;
  const lead = opponent && week.team_total_score - opponent.total_score;
  return (
    <table className={styles.table}>
      <caption>
        <div className={styles.head}>
          <h2 id={id} className="display">
            {title}
          </h2>
          {onPass && <span className={styles.team}>{team}</span>}
        </div>
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
        {week.teammates.map((mate, at) => (
          <TeammateRow
            key={mate.username}
            mate={mate}
            rank={at + 1}
            me={mate.username === username}
            onPass={onPass}
            team={team}
            under={under?.(at)}
          />
        ))}
        <tr className={theirs ? `${styles.sum} ${styles.opponent}` : styles.sum}>
          <th scope="row" colSpan={2}>
            Total
            <Lead lead={lead} leads={lead !== null && lead >= 0} />
          </th>
          <td data-label="Games">
            {week.team_total_games_played}/{week.team_max_possible_games}
          </td>
          <td data-label="Avg">{week.team_avg}</td>
          <td data-label="Total">
            <Total of={week.team_total_score} />
          </td>
        </tr>
      </tbody>
      <tbody>
        <OpponentBlock opponent={opponent} lead={lead} ours={theirs} />
      </tbody>
    </table>
  );
}
