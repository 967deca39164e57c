import { teamAddress } from '#contract/rules/addresses.ts';
import type { Standing, TableNote } from '#contract/wire/leagues.ts';
import { Link } from '../router.tsx';
import { Total } from '../shell/Total.tsx';
import styles from './SeasonTable.module.css';
import { noteOf } from './season.ts';

type Row = Omit<Standing, 'place'> & { place: number | null };

/**
 * The season's table. The row of `team`, the player's own team, is tinted. `rows` gives the text
 * below a team's name.
 */
export function SeasonTable({
  title = 'Season',
  standings,
  rows,
  team,
  hasPages = false,
  foot,
}: {
  title?: string;
  standings: Row[];
  rows: TableNote[];
  team: string | undefined;
  /** Whether the names link to the teams' pages, which only the player's league has. */
  hasPages?: boolean;
  /** How equal wins are ordered, and whether the table is final. */
  foot: string;
}) {
  return (
    <section className={styles.season} aria-labelledby="season">
      <table className={styles.table}>
        <caption>
          <h2 id="season" className="display">
            {title}
          </h2>
        </caption>
        <colgroup>
          <col className={styles.placeColumn} />
          <col />
          <col className={styles.countColumn} />
          <col className={styles.countColumn} />
          <col className={styles.countColumn} />
          <col className={styles.totalColumn} />
        </colgroup>
        <thead>
          <tr>
            <th scope="col">
              <span aria-hidden="true">#</span>
              <span className="sr">Place</span>
            </th>
            <th scope="col">Team</th>
            <th scope="col">
              <abbr title="Won">W</abbr>
            </th>
            <th scope="col">
              <abbr title="Drawn">D</abbr>
            </th>
            <th scope="col">
              <abbr title="Lost">L</abbr>
            </th>
            <th scope="col">Total</th>
          </tr>
        </thead>
        <tbody>
          {standings.map((row, at) => {
            const note = noteOf(rows[at]);
            return (
              <tr
                key={row.team}
                className={row.team === team ? styles.me : undefined}
                aria-current={row.team === team ? 'true' : undefined}
              >
                {/* While the season runs, the answer numbers a withdrawn team's row too (SEASON-17). */}
                <td className={styles.place}>{rows[at]?.withdrew ? '–' : (row.place ?? '–')}</td>
                <th scope="row">
                  {hasPages ? (
                    <Link className={styles.link} to={teamAddress(row.team)}>
                      {row.team}
                    </Link>
                  ) : (
                    row.team
                  )}
                  {note !== null && <small>{note}</small>}
                </th>
                <td data-label="W">{row.won}</td>
                <td data-label="D">{row.drawn}</td>
                <td data-label="L">{row.lost}</td>
                <td data-label="Total" className={styles.total}>
                  <Total of={row.total} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p className={styles.foot}>W won, D drawn, L lost. {foot}</p>
    </section>
  );
}
