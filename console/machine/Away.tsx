import type { MachinePage } from '#contract/tonight.ts';
import { clockIn, dayAndTimeIn, spanOf } from '../ui/machine-words.ts';
import { Panel } from '../ui/Panel.tsx';
import { Table } from '../ui/Table.tsx';

/** The times without a call of a machine. Those outside opening hours say so (MACH-17). */
export function Away({ page, now }: { page: MachinePage; now: Date }) {
  const { machine, away } = page;
  const still = machine.state === 'silent' && machine.heard_at !== null ? machine.heard_at : null;
  return (
    <Panel title="Away" flush>
      {away.length === 0 && still === null ? (
        <p className="sm mt2">It has called at least every five minutes.</p>
      ) : (
        <Table caption={`When ${machine.name} was away`} columns={['From', 'Back', ['For', 'r']]}>
          {still !== null && (
            <tr>
              <th scope="row">{dayAndTimeIn(still, machine.timezone)}</th>
              <td data-l="Back">Still away</td>
              <td data-l="For" className="r">
                {spanOf(still, now)}
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
