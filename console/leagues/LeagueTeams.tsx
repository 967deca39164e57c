import { useState } from 'react';
import { TEAMS_AT_ONCE } from '#contract/rules/leagues.ts';
import type { LeaguePage } from '#contract/wire/leagues.ts';
import { addTeams } from '../api/calls.ts';
import { fieldsOf } from '../api/client.ts';
import { LEAGUES, useChange } from '../api/queries.ts';
import { Link } from '../router.tsx';
import { announceNow } from '../shell/announce.ts';
import { seasonPath } from '../shell/paths.ts';
import { Button } from '../ui/Button.tsx';
import { Check, TextArea } from '../ui/Field.tsx';
import { FormDialog } from '../ui/FormDialog.tsx';
import { Jersey } from '../ui/Jersey.tsx';
import { Note } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';
import { count } from '../ui/times.ts';
import { MovePlayers } from './MovePlayers.tsx';
import { idleWords, modeOff, outsideWords } from './words.ts';

/** A link to the posters of all teams of a league (HAND-C9). */
export const PrintPosters = ({ league }: { league: string }) => (
  <Link className="btn" to={`/console/leagues/${league}/posters`}>
    Print all posters
  </Link>
);

/** Leads to matchups for teams that joined after the weeks were made (SEASON-34). */
export function Idle({ league, idle }: { league: string; idle: NonNullable<LeaguePage['idle']> }) {
  return (
    <Note>
      {idleWords(idle.season, idle.teams)}{' '}
      <Link to={seasonPath(league, idle.season_id)}>Give them matchups</Link>
    </Note>
  );
}

/** The teams of a league with their players. `added`: how many were just added. */
export function Teams({
  league: { id: league, teams, outside },
  added,
}: {
  league: LeaguePage;
  added: number;
}) {
  /** The accounts that are chosen to move; null: nobody is choosing. */
  const [chosen, setChosen] = useState<readonly string[] | null>(null);
  if (teams.length === 0)
    return <Note>No team yet. Use “Add teams”, or import a file of teams and players.</Note>;
  const off = modeOff(teams.flatMap(({ players }) => players));
  const toggle = (id: string) =>
    setChosen((before) =>
      before?.includes(id) ? before.filter((one) => one !== id) : [...(before ?? []), id],
    );
  return (
    <Panel
      title="Teams"
      flush
      action={
        <span className="acts">
          {chosen === null && teams.some(({ players }) => players.length > 0) && (
            <Button onClick={() => setChosen([])}>Move players</Button>
          )}
          <PrintPosters league={league} />
        </span>
      }
    >
      {chosen !== null && (
        <MovePlayers
          teams={teams}
          chosen={chosen}
          onMoved={() => setChosen([])}
          onDone={() => setChosen(null)}
        />
      )}
      {added > 0 && <p className="sm">{addedWords(added)}</p>}
      {off !== null && <Note>{off}</Note>}
      {outside !== null && <Note>{outsideWords(outside.season, outside.teams)}</Note>}
      <ul className="rows rows--acts mt2">
        {teams.map(({ id, name, players }) => (
          <li key={id}>
            <span>
              <b className="team">
                <Link to={`/console/leagues/teams/${id}`}>{name}</Link>
              </b>
              {chosen === null || players.length === 0 ? (
                <small>
                  {players.length === 0 && 'No players yet'}
                  {players.map(({ username }) => username ?? 'no name yet').join(', ')}
                </small>
              ) : (
                players.map((player) => (
                  <Check
                    key={player.id}
                    checked={chosen.includes(player.id)}
                    onChange={() => toggle(player.id)}
                  >
                    {player.username ?? 'no name yet'}
                  </Check>
                ))
              )}
              {chosen === null && players.length > 0 && (
                <span className="jerseys" aria-hidden="true">
                  {players.map(
                    ({ username, avatar_color, jersey_number }) =>
                      username !== null &&
                      avatar_color !== null &&
                      jersey_number !== null && (
                        <Jersey key={username} colour={avatar_color} number={jersey_number} />
                      ),
                  )}
                </span>
              )}
            </span>
            <span className="acts">
              <Link className="btn" to={`/console/leagues/teams/${id}/poster`}>
                Poster<span className="sr"> of {name}</span>
              </Link>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const addedWords = (teams: number) => `Added ${count(teams, 'team')}.`;

/** Adds teams, a name a line, all or none (HAND-C3). */
export function AddTeams({
  league,
  onAdded,
  onClose,
}: {
  league: string;
  onAdded: (number: number) => void;
  onClose: () => void;
}) {
  const [typed, setTyped] = useState('');
  const names = typed.split('\n').filter((name) => name.trim() !== '');
  const adding = useChange(() => addTeams(league, names), {
    stale: [LEAGUES],
    onDone: ({ results }) => {
      onAdded(results.length);
      onClose();
      announceNow(addedWords(results.length));
    },
  });
  return (
    <FormDialog
      title="Add teams"
      verb={names.length > 1 ? `Add ${names.length} teams` : 'Add the team'}
      failed="None added"
      missing={names.length === 0}
      change={adding}
      onClose={onClose}
    >
      <TextArea
        label="Names, one on each line"
        rows={6}
        value={typed}
        error={fieldsOf(adding.error).names}
        help={`At most ${TEAMS_AT_ONCE} at once. A comma is part of a name.`}
        data-first
        onChange={(event) => setTyped(event.target.value)}
      />
    </FormDialog>
  );
}
