import type { MachinePage } from '#contract/tonight.ts';
import { Link } from '../router.tsx';
import { useMay } from '../session/me.tsx';
import { Jersey } from '../ui/Jersey.tsx';
import { tonightOrDay } from '../ui/machine-words.ts';
import { Panel } from '../ui/Panel.tsx';
import { Table } from '../ui/Table.tsx';

const COUNTS: Record<MachinePage['games'][number]['counts'], string> = {
  league: 'League',
  bench: 'League, on the bench',
  over_8: 'Over 8',
  league_mode_off: 'League mode off',
  no_team: 'No team',
  held: 'Held',
  void: 'Void',
};

/** The last games on a machine, and what each counts for. */
export function Games({ page: { machine, games, night } }: { page: MachinePage }) {
  const may = useMay('manager');
  return (
    <Panel title="Last games" flush>
      {games.length === 0 ? (
        <p className="sm mt2">No game yet.</p>
      ) : (
        <Table
          kind="games"
          caption={`Last games on ${machine.name}`}
          columns={['Played', 'Player', 'Counts', ['Score', 'sc']]}
        >
          {games.map((game) => (
            <tr key={game.id}>
              <td>
                <span className="nw">
                  {tonightOrDay(game.played_at, machine.timezone, night.opens)}
                </span>
              </td>
              <th scope="row">
                <span className="who">
                  {game.player && (
                    <Jersey colour={game.player.avatar_color} number={game.player.jersey_number} />
                  )}
                  <span>
                    {game.player === null ? (
                      'Deleted account'
                    ) : may ? (
                      <Link to={`/console/players/${game.player.id}`}>{game.player.username}</Link>
                    ) : (
                      game.player.username
                    )}
                    <small>{game.team}</small>
                  </span>
                </span>
              </th>
              <td data-l="Counts">
                {game.state === 'discarded' ? 'Discarded' : COUNTS[game.counts]}
              </td>
              <td data-l="Score" className="sc">
                <span>{game.score.toLocaleString('en')}</span>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Panel>
  );
}
