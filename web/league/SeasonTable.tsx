import type { Standing } from '#contract/wire/leagues.ts';
import { Total } from '../shell/Total.tsx';
import styles from './SeasonTable.module.css';

/** The season's table. The row of `team`, the player's own, is tinted. */
export function SeasonTable({ standings, team }: { standings: Standing[]; team: string }) {
  return (
    <section className={styles.season} aria-labelledby="season">
      <table className={styles.table}>
        <caption>
          <h2 id="season" className="display">
            Season
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
          {standings.map((row) => (
            <tr
              key={row.team}
              className={row.team === team ? styles.me : undefined}
              aria-current={row.team === team ? 'true' : undefined}
            >
              <td className={styles.place}>{row.place}</td>
              <th scope="row">{row.team}</th>
              <td data-label="W">{row.won}</td>
              <td data-label="D">{row.drawn}</td>
              <td data-label="L">{row.lost}</td>
              <td data-label="Total" className={styles.total}>
                <Total of={row.total} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={styles.foot}>
        W won, D drawn, L lost. Equal wins: the higher total goes first.
      </p>
    </section>
  );
}
