import { AWARD_WORDS } from '#contract/rules/awards.ts';
import type { Award, SeasonForStaff } from '#contract/wire/seasons.ts';
import { Panel } from '../ui/Panel.tsx';
import { count } from '../ui/times.ts';
import { AWARD_UNITS, noteOf } from './season-words.ts';

const COLUMNS = [
  ['W', 'Won'],
  ['D', 'Drawn'],
  ['L', 'Lost'],
] as const;

/** A season's table. A row may say why it is below the row above (SEASON-16). */
export function FinalTable({ page: { season, standings, rows } }: { page: SeasonForStaff }) {
  const final = season.state === 'final';
  return (
    <Panel
      title={final ? 'Final table' : 'Table so far'}
      flush
      action={final ? undefined : <span className="tag tag--line">Not final</span>}
    >
      <table className="t t--stand">
        <caption className="sr">{final ? 'Final table' : 'Table so far'}</caption>
        <thead>
          <tr>
            <th scope="col">
              <span aria-hidden="true">#</span>
              <span className="sr">Place</span>
            </th>
            <th scope="col">Team</th>
            {COLUMNS.map(([letter, word]) => (
              <th key={word} scope="col" className="r">
                <abbr title={word}>{letter}</abbr>
              </th>
            ))}
            <th scope="col" className="r">
              Total
            </th>
          </tr>
        </thead>
        <tbody>
          {standings.map(({ place, team, won, drawn, lost, total }, at) => {
            const note = rows[at] === undefined ? '' : noteOf(rows[at]);
            return (
              <tr key={team}>
                <td data-l="#">{place ?? '–'}</td>
                <th scope="row">
                  {team}
                  {note !== '' && <small>{note}</small>}
                </th>
                <td className="r" data-l="Won">
                  {won}
                </td>
                <td className="r" data-l="Drawn">
                  {drawn}
                </td>
                <td className="r" data-l="Lost">
                  {lost}
                </td>
                <td className="r" data-l="Total">
                  {total.toLocaleString('en')}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Panel>
  );
}

export const Awards = ({ awards }: { awards: Award[] }) => (
  <Panel title="Awards" flush>
    <ul className="rows mt2">
      {awards.map(({ key, value, team, week, winners, more }) => (
        <li key={key}>
          <span>
            <b>{AWARD_WORDS[key]}</b>
            <small>
              {[
                ...winners.map(({ username }) => username ?? 'Former player'),
                ...(team === null ? [] : [team]),
                ...(week === null ? [] : [`week ${week}`]),
                ...(more === 0 ? [] : [`+ ${more} more`]),
              ].join(', ')}
            </small>
          </span>
          <b className="num">{count(value, AWARD_UNITS[key])}</b>
        </li>
      ))}
    </ul>
  </Panel>
);
