import { useState } from 'react';
import type { MachinePage } from '#contract/wire/machines.ts';
import { Link } from '../router.tsx';
import { useMay } from '../session/me.tsx';
import { Button } from '../ui/Button.tsx';
import { Jersey } from '../ui/Jersey.tsx';
import { tonightOrDay } from '../ui/machine-words.ts';
import { Panel } from '../ui/Panel.tsx';
import { Table } from '../ui/Table.tsx';
import { DiscardHeld } from './DiscardHeld.tsx';

type Game = MachinePage['games'][number];

const COUNTS: Record<Game['counts'] | 'discarded', readonly [word: string, meaning?: string]> = {
  league: ['League'],
  bench: ['League, on the bench', 'not among the best 4'],
  over_8: ['Over 8', 'for the player only'],
  league_mode_off: ['League mode off', 'for the player only'],
  no_team: ['No team', 'for the player only'],
  off_season: ['No season', 'for the player only'],
  paused: ['Week postponed', 'for the player only'],
  held: ['Held', 'nowhere until staff decide'],
  void: ['Void', 'taken out by staff'],
  discarded: ['Discarded', 'taken out by staff'],
};

/** The number of games shown until staff ask for all. */
const FIRST = 6;

function Counts({ game: { state, counts } }: { game: Game }) {
  const [word, meaning] = COUNTS[state === 'discarded' ? state : counts];
  return (
    <span className="counts">
      {word}
      <small>{meaning}</small>
    </span>
  );
}

export function Games({ page }: { page: MachinePage }) {
  const { machine, games, night } = page;
  const may = useMay('manager');
  const [all, setAll] = useState(false);
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
          {games.slice(0, all ? undefined : FIRST).map((game) => (
            <tr key={game.game}>
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
                <Counts game={game} />
              </td>
              <td data-l="Score" className="sc">
                <span
                  className={
                    game.state === 'void' || game.state === 'discarded' ? 'void' : undefined
                  }
                >
                  {game.score.toLocaleString('en')}
                </span>
              </td>
            </tr>
          ))}
        </Table>
      )}
      {may && <DiscardHeld page={page} />}
      {games.length > FIRST && (
        <Button look="txt" onClick={() => setAll(!all)}>
          {all ? `Show the last ${FIRST}` : `Show the last ${games.length}`}
        </Button>
      )}
    </Panel>
  );
}
