import { useState } from 'react';
import type { LeaguePage } from '#contract/wire/leagues.ts';
import { movePlayers, undoMove } from '../api/calls.ts';
import { LEAGUES, TEAMS } from '../api/queries.ts';
import { Undo, useDecision } from '../shell/Undo.tsx';
import { Button } from '../ui/Button.tsx';
import { Select } from '../ui/Field.tsx';
import { Failed } from '../ui/Notice.tsx';
import { count } from '../ui/times.ts';

type Team = LeaguePage['teams'][number];
/** `groups`: the players who leave each team. `to`: their new team; null: they join no other. */
type Moves = { groups: { from: string; accounts: string[] }[]; to: Team | null; players: number };

/** Moves the chosen players of a league, or takes them off their teams, with Undo (HAND-C12). */
export function MovePlayers({
  teams,
  chosen,
  onMoved,
  onDone,
}: {
  teams: readonly Team[];
  /** The numbers of accounts. */
  chosen: readonly string[];
  onMoved: () => void;
  onDone: () => void;
}) {
  const [to, setTo] = useState('');
  const target = teams.find(({ id }) => id === to);
  const decision = useDecision<Moves>({
    send: async ({ groups, to }) => {
      for (const { from, accounts } of groups) await movePlayers(accounts, from, to?.id ?? null);
    },
    reverse: async ({ groups, to }) => {
      for (const { from, accounts } of groups) await undoMove(accounts, from, to?.id ?? null);
    },
    stale: [TEAMS, LEAGUES],
    onMade: onMoved,
  });
  const { made, sending } = decision;
  const decide = (to: Team | null) => {
    const groups = teams.flatMap(({ id: from, players }) => {
      const accounts = players.flatMap(({ id }) => (chosen.includes(id) ? id : []));
      return accounts.length === 0 || from === to?.id ? [] : { from, accounts };
    });
    const players = groups.reduce((sum, { accounts }) => sum + accounts.length, 0);
    if (players > 0) decision.decide({ groups, to, players });
  };
  const busy = decision.busy || chosen.length === 0;
  return (
    <div className="moves">
      {made !== null && (
        <div className="rows">
          <Undo
            of={decision}
            done={
              made.to === null
                ? `${count(made.players, 'player')} taken off.`
                : `${count(made.players, 'player')} moved to ${made.to.name}.`
            }
            means="the games so far stay with the team for which they were played."
            focusNext={() => document.getElementById('to-team')?.focus()}
          />
        </div>
      )}
      {sending.isError && <Failed what="Not all are moved" error={sending.error} />}
      <form
        className="form form--row"
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy && target !== undefined) decide(target);
        }}
      >
        <Select
          id="to-team"
          label={
            chosen.length === 0
              ? 'Choose players, then a team'
              : `${count(chosen.length, 'player')} to`
          }
          value={to}
          onChange={(event) => setTo(event.target.value)}
        >
          <option value="">Choose a team</option>
          {teams.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
        <Button look="primary" type="submit" busy={busy || target === undefined}>
          Move
        </Button>
      </form>
      <div className="acts">
        <Button busy={busy} onClick={() => decide(null)}>
          Take off
        </Button>
        <Button onClick={onDone}>Done</Button>
      </div>
    </div>
  );
}
