import type { MachinePage } from '#contract/wire/machines.ts';
import { clockIn, dayAndTimeIn, spanOf } from '../ui/machine-words.ts';
import { Panel } from '../ui/Panel.tsx';
import { Table } from '../ui/Table.tsx';

/** A machine that has not called for this long is away (MACH-17). */
const AWAY_MS = 5 * 60_000;

/** When a machine did not call. Times outside opening hours are marked (MACH-17). */
export function Away({ page, now }: { page: MachinePage; now: Date }) {
  const { machine, away } = page;
  const { heard_at } = machine;
  const still =
    heard_at !== null && now.getTime() - Date.parse(heard_at) > AWAY_MS ? heard_at : null;
  return (
    <Panel title="Out of contact" flush>
      {away.length === 0 && still === null ? (
        <p className="sm mt2">
          {heard_at === null
            ? 'It has not called yet.'
            : 'It calls every minute and has never been silent for five minutes.'}
        </p>
      ) : (
        <Table caption={`When ${machine.name} was away`} columns={['From', 'Back', ['For', 'r']]}>
          {still !== null && (
            <tr>
              <th scope="row">{dayAndTimeIn(still, machine.timezone)}</th>
              <td data-l="Back">Still away</td>
              <td data-l="For" className="r">
                {machine.state === 'closed' ? 'while closed' : spanOf(still, now)}
              </td>
            </tr>
          )}
          {away.map(({ from, to, closed }) => (
            <tr key={from}>
              <th scope="row">{dayAndTimeIn(from, machine.timezone)}</th>
              <td data-l="Back">{clockIn(to, machine.timezone)}</td>
              <td data-l="For" className="r">
                {closed ? 'while closed' : spanOf(from, new Date(to))}
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Panel>
  );
}
