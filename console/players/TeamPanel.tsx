import { useQueryClient } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import type { PlayerPage } from '#contract/wire/players.ts';
import type { TeamRow } from '#contract/wire/teams.ts';
import { listLeagues, listTeams, movePlayers, undoMove } from '../api/calls.ts';
import { ApiError } from '../api/client.ts';
import { INBOX, LEAGUES, playerKey, TEAMS, TONIGHT, useRead } from '../api/queries.ts';
import { Link } from '../router.tsx';
import { Undo, useDecision } from '../shell/Undo.tsx';
import { Button } from '../ui/Button.tsx';
import { Select } from '../ui/Field.tsx';
import { Failed } from '../ui/Notice.tsx';
import { called, moveMeans, OTHER_TEAM, takeOffMeans, weekOf } from './words.ts';

type Named = { id: string; name: string };
/** A move between teams; null means no team. `means` says what the move does. */
type Choice = { from: Named | null; to: Named | null; means: string };

/** Whether somebody else has moved the player meanwhile. */
const isMoved = (error: unknown): boolean => error instanceof ApiError && error.status === 409;

/** The player's team. Says what a change does before it happens (LEAGUE-07, OPS-17). */
export function TeamPanel({ of }: { of: PlayerPage }) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const client = useQueryClient();
  /** The id of the chosen team. The choice stays after a refusal. */
  const [typed, setTyped] = useState('');
  const decision = useDecision<Choice>({
    send: ({ from, to }) => movePlayers([of.id], from?.id ?? null, to?.id ?? null),
    reverse: ({ from, to }) => undoMove([of.id], from?.id ?? null, to?.id ?? null),
    onMade: () => setTyped(''),
    onFailed: (error) => {
      if (isMoved(error)) void client.invalidateQueries({ queryKey: playerKey(of.id) });
    },
    stale: [playerKey(of.id), TEAMS, LEAGUES, INBOX, TONIGHT],
  });
  const { made, sending } = decision;
  return (
    <section className="panel" aria-labelledby={id}>
      <h2 id={id} tabIndex={-1} ref={heading}>
        Team
      </h2>
      {made !== null ? (
        <div className="rows">
          <Undo
            of={decision}
            done={
              made.to === null
                ? `${called(of)} has left ${made.from?.name}.`
                : `${called(of)} is on ${made.to.name}.`
            }
            means={made.means}
            focusNext={() => heading.current?.focus()}
          />
        </div>
      ) : (
        <>
          <p className="sm mt2">
            {of.team === null ? (
              of.other_team ? (
                `${OTHER_TEAM}. Ask an owner to change this.`
              ) : (
                'On no team.'
              )
            ) : (
              <>
                <Link to={`/console/leagues/teams/${of.team.id}`}>{of.team.name}</Link>,{' '}
                <Link to={`/console/leagues/${of.team.league_id}`}>{of.team.league}</Link>.
              </>
            )}{' '}
            {!of.other_team && weekOf(of)}
          </p>
          {sending.isError && (
            <Failed
              what={sending.variables.to === null ? 'Not taken off' : 'Not moved'}
              error={sending.error}
              // If somebody else has moved the player, the server would refuse a retry too.
              {...(isMoved(sending.error)
                ? {}
                : { onAgain: () => decision.decide(sending.variables) })}
            />
          )}
          {of.other_team ? null : of.username === null ? (
            <p className="sm mt2">
              A player without a name cannot be put on a team. They choose the name when they sign
              in.
            </p>
          ) : !of.reached ? (
            <p className="sm mt2">
              {of.username} has played at none of your venues. To put {of.username} on a team, use
              the address on the team’s page, or send the player the code of the team.
            </p>
          ) : (
            <Move
              of={of}
              busy={decision.busy}
              chosen={typed}
              onChoose={setTyped}
              onMove={(to, means) => decision.decide({ from: of.team, to, means })}
            />
          )}
          {of.team !== null && (
            <>
              <hr className="rule" />
              <p className="sm">
                If you take {called(of)} off {of.team.name}, {takeOffMeans(of)}
              </p>
              <div className="mt3">
                <Button
                  look="full"
                  busy={decision.busy}
                  onClick={() =>
                    decision.decide({ from: of.team, to: null, means: takeOffMeans(of) })
                  }
                >
                  Take off {of.team.name}
                </Button>
              </div>
            </>
          )}
        </>
      )}
    </section>
  );
}

function Move({
  of,
  busy,
  chosen,
  onChoose,
  onMove,
}: {
  of: PlayerPage;
  busy: boolean;
  chosen: string;
  onChoose: (team: string) => void;
  onMove: (to: TeamRow, means: string) => void;
}) {
  const teams = useRead(TEAMS, listTeams, ['weeks']);
  const leagues = useRead(LEAGUES, listLeagues, ['weeks']);
  const others = (teams.data?.results ?? []).filter(({ id }) => id !== of.team?.id);
  const to = others.find(({ id }) => id === chosen);
  const league = leagues.data?.results.find(({ name }) => name === to?.league);
  const verb = of.team === null ? 'Add to' : 'Move to';
  const means = to && moveMeans(of, to, league);
  const leagueCount = new Set(others.map((team) => team.league)).size;
  if (teams.isError) return <Failed what="Cannot show the teams" error={teams.error} />;
  if (teams.data !== undefined && others.length === 0)
    return <p className="sm mt2">There is no other team.</p>;
  return (
    <form
      className="form mt3"
      onSubmit={(event) => {
        event.preventDefault();
        if (to && means && !busy) onMove(to, means);
      }}
    >
      <Select
        label={of.team === null ? 'Add to a team' : 'Move to another team'}
        value={chosen}
        help={
          to
            ? `If you ${of.team === null ? 'put' : 'move'} ${called(of)} ${of.team === null ? 'on' : 'to'} ${to.name}, ${means}`
            : 'Choose a team to see what changes.'
        }
        onChange={(event) => onChoose(event.target.value)}
      >
        <option value="">Choose a team</option>
        {[...Map.groupBy(others, ({ league }) => league)].map(([name, group]) => (
          <optgroup key={name} label={name}>
            {group.map((team) => (
              <option key={team.id} value={team.id}>
                {leagueCount > 1 ? `${team.name} (${team.league})` : team.name},{' '}
                {team.players === 1 ? '1 player' : `${team.players} players`}
              </option>
            ))}
          </optgroup>
        ))}
      </Select>
      {to !== undefined && (
        <Button look="primary" type="submit" busy={busy}>
          {verb} {to.name}
        </Button>
      )}
    </form>
  );
}
