import { useRef, useState } from 'react';
import { WEEK_GAMES } from '#contract/rules/games.ts';
import type { TeamPage } from '#contract/wire/teams.ts';
import {
  addToTeam,
  decideRequest,
  deleteTeam,
  movePlayers,
  readTeam,
  renameTeam,
  reopenRequest,
  undoMove,
} from '../api/calls.ts';
import { fieldsOf } from '../api/client.ts';
import { INBOX, LEAGUES, TEAMS, TONIGHT, teamKey, useChange, useRead } from '../api/queries.ts';
import { Link, navigate } from '../router.tsx';
import { Loaded } from '../shell/Loaded.tsx';
import { Page } from '../shell/Page.tsx';
import { Undo, useDecision } from '../shell/Undo.tsx';
import { Address } from '../ui/Address.tsx';
import { AskDialog } from '../ui/ask.tsx';
import { Button } from '../ui/Button.tsx';
import { COUNTING } from '../ui/counting.ts';
import { Field } from '../ui/Field.tsx';
import { RenameDialog } from '../ui/FormDialog.tsx';
import { Jersey } from '../ui/Jersey.tsx';
import { Failed, Warning } from '../ui/Notice.tsx';
import { ACTIONS, Table } from '../ui/Table.tsx';
import { count, when } from '../ui/times.ts';
import { Code, NewCode } from './TeamCode.tsx';
import { modeOff } from './words.ts';

type Player = TeamPage['players'][number];
type Request = TeamPage['requests'][number];

const nameOf = ({ username, address }: Pick<Player, 'username' | 'address'>) => username ?? address;

export function Team({ id }: { id: string }) {
  const [open, setOpen] = useState<'rename' | 'delete' | 'code' | null>(null);
  // The event of a deletion arrives before its answer: reading then would find no team.
  const read = useRead(teamKey(id), () => readTeam(id), ['weeks'], open !== 'delete');
  const team = read.data;
  const close = () => setOpen(null);
  return (
    <Page
      title={team?.name ?? 'Team'}
      about={team && `${team.league.name}${team.place === null ? '' : `, place ${team.place}`}`}
      back={
        team
          ? { to: `/console/leagues/${team.league.id}`, name: team.league.name }
          : { to: '/console/leagues', name: 'Leagues' }
      }
      actions={
        team && (
          <>
            <Button onClick={() => setOpen('rename')}>Rename</Button>
            <Button onClick={() => setOpen('delete')}>Delete…</Button>
          </>
        )
      }
    >
      <Loaded read={read} what="the team">
        {(page) => (
          <div className="cols">
            <div className="col">
              <Requests team={page} />
              <Strangers team={page} />
              <Players team={page} />
            </div>
            <div className="col">
              <Code team={page} onNew={() => setOpen('code')} />
            </div>
          </div>
        )}
      </Loaded>
      {team && open === 'rename' && <Rename team={team} onClose={close} />}
      {team && open === 'delete' && <Delete team={team} onClose={close} />}
      {team && open === 'code' && <NewCode team={team} onClose={close} />}
    </Page>
  );
}

function Requests({ team }: { team: TeamPage }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const decision = useDecision<{ request: Request; yes: boolean }>({
    send: ({ request, yes }) => decideRequest(team.id, request.account, yes),
    reverse: ({ request: { account, asked_at } }) => reopenRequest(team.id, account, asked_at),
    stale: [TEAMS, LEAGUES, TONIGHT, INBOX],
  });
  const { made, sending, busy } = decision;
  if (team.requests.length === 0 && made === null) return null;
  return (
    <section className="panel panel--flush" aria-labelledby="requests">
      <h2 id="requests" tabIndex={-1} ref={heading}>
        Wants to join
      </h2>
      {made !== null && (
        <div className="rows">
          <Undo
            of={decision}
            done={
              made.yes
                ? `${nameOf(made.request)} is on ${team.name}.`
                : `${nameOf(made.request)} is not on ${team.name}.`
            }
            means={
              made.yes
                ? 'the next games count for the team. In a minute a mail says so.'
                : 'the player may ask again. In a minute a mail says so.'
            }
            focusNext={() => (heading.current ?? document.getElementById('players'))?.focus()}
          />
        </div>
      )}
      {team.requests.length > 0 && (
        <p className="sm">
          These players typed the team’s code. With “Yes”, they are on the team from now on. A mail
          tells them the answer.
        </p>
      )}
      {sending.isError && (
        <Failed
          what={sending.variables.yes ? 'Not accepted' : 'Not declined'}
          error={sending.error}
          onAgain={() => decision.decide(sending.variables)}
        />
      )}
      <ul className="rows mt2">
        {team.requests.map((request) => (
          <li key={request.account}>
            <span>
              <b>
                <Link to={`/console/players/${request.account}`}>{nameOf(request)}</Link>
              </b>
              <small>
                {request.games_played === 0
                  ? 'No games yet'
                  : `${count(request.games_played, 'game')}, average ${request.avg_score.toLocaleString('en')}`}
                . Asked {when(request.asked_at)}
              </small>
            </span>
            <span className="acts">
              <Button busy={busy} onClick={() => decision.decide({ request, yes: true })}>
                Yes<span className="sr"> to {nameOf(request)}</span>
              </Button>
              <Button busy={busy} onClick={() => decision.decide({ request, yes: false })}>
                No<span className="sr"> to {nameOf(request)}</span>
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The players who joined by the code and have not played at the venue yet (LEAGUE-23). */
function Strangers({ team }: { team: TeamPage }) {
  const confirming = useChange(({ account }: Player) => decideRequest(team.id, account, true), {
    stale: [teamKey(team.id)],
  });
  const strangers = team.players.filter(({ stranger }) => stranger);
  const done = confirming.isSuccess && (
    <p className="notice" role="status">
      {nameOf(confirming.variables)} is confirmed.
    </p>
  );
  if (strangers.length === 0) return done;
  return (
    <section className="panel panel--flush" aria-labelledby="strangers">
      <h2 id="strangers">Joined by the code</h2>
      {done}
      <p className="sm">
        These players may have copied the code from the poster. They see names of players under age
        after their first game at the venue, or when you confirm them.
      </p>
      {confirming.isError && (
        <Failed
          what="Not confirmed"
          error={confirming.error}
          onAgain={() => confirming.mutate(confirming.variables)}
        />
      )}
      <ul className="rows mt2">
        {strangers.map((player) => (
          <li key={player.account}>
            <b>
              <Link to={`/console/players/${player.account}`}>{nameOf(player)}</Link>
            </b>
            <span className="acts">
              <Button busy={confirming.isPending} onClick={() => confirming.mutate(player)}>
                Confirm<span className="sr"> {nameOf(player)}</span>
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Players({ team }: { team: TeamPage }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const decision = useDecision<Player>({
    send: ({ account }) => movePlayers([account], team.id, null),
    reverse: ({ account }) => undoMove([account], team.id, null),
    stale: [TEAMS, LEAGUES],
  });
  const { made, sending } = decision;
  const off = modeOff(team.players);
  return (
    <section className="panel panel--flush" aria-labelledby="players">
      <h2 id="players" tabIndex={-1} ref={heading}>
        Players
      </h2>
      {sending.isError && (
        <Failed
          what="Not taken off"
          error={sending.error}
          onAgain={() => decision.decide(sending.variables)}
        />
      )}
      {made !== null && (
        <div className="rows">
          <Undo
            of={decision}
            done={`${nameOf(made)} has left the team.`}
            means={`the next games count for no team. The games of this week stay with ${team.name}.`}
            focusNext={() => heading.current?.focus()}
          />
        </div>
      )}
      {off !== null && <Warning>{off}</Warning>}
      {team.players.length > 0 && (
        <p className="sm">
          {team.week === null
            ? 'No week counts for this team now: games count for the players alone.'
            : `Games and totals are those of week ${team.week}.`}
        </p>
      )}
      {team.players.length === 0 ? (
        <p className="sm">Nobody yet. Hang up the poster, or put a player on the team here.</p>
      ) : (
        <Table
          kind="3"
          caption={`Players of ${team.name}`}
          columns={['Player', 'Games', 'Total', 'League mode', ACTIONS]}
        >
          {team.players.map((player) => (
            <Row
              key={player.account}
              player={player}
              counts={team.week !== null}
              onTakeOff={() => decision.decide(player)}
            />
          ))}
        </Table>
      )}
      {team.players.length > 0 && (
        <p className="xs mt2">
          {COUNTING} If a player leaves during a week, the games of that week stay with {team.name}.
        </p>
      )}
      <Add team={team} />
    </section>
  );
}

type RowProps = { player: Player; counts: boolean; onTakeOff: () => void };

/** `counts`: whether a week runs that counts for the team. */
function Row({ player, counts, onTakeOff }: RowProps) {
  const { account, username, address, avatar_color, jersey_number, games, total } = player;
  return (
    <tr>
      <th scope="row">
        <span className="who">
          {avatar_color !== null && jersey_number !== null && (
            <Jersey colour={avatar_color} number={jersey_number} />
          )}
          <span>
            <Link to={`/console/players/${account}`}>{username ?? 'No name yet'}</Link>
            <small>
              <Address
                account={account}
                masked={address}
                show={
                  <>
                    Show<span className="sr"> the address of {nameOf(player)}</span>
                  </>
                }
              />
            </small>
          </span>
        </span>
      </th>
      <td data-l="Games">{counts ? `${games} of ${WEEK_GAMES}` : '–'}</td>
      <td data-l="Total">{counts ? total.toLocaleString('en') : '–'}</td>
      <td data-l="League mode">{player.league_mode_enabled ? 'on' : 'off'}</td>
      <td className="full" data-l="">
        <div className="acts">
          <Button look="txt" onClick={onTakeOff}>
            Take off<span className="sr"> the team: {nameOf(player)}</span>
          </Button>
        </div>
      </td>
    </tr>
  );
}

function Add({ team }: { team: TeamPage }) {
  const [player, setPlayer] = useState('');
  const [done, setDone] = useState('');
  const adding = useChange(
    async (typed: string) => ({ typed, ...(await addToTeam(team.id, typed)) }),
    {
      stale: [TEAMS, LEAGUES],
      onDone: ({ typed, moved: [first] }) => {
        setDone(
          first === undefined
            ? `${typed} is on ${team.name}.`
            : `${typed} moved here from ${first.moved_from}.`,
        );
        // The next name may be typed already.
        setPlayer((now) => (now.trim() === typed ? '' : now));
      },
    },
  );
  const { emails, usernames } = fieldsOf(adding.error);
  const error = emails ?? usernames;
  return (
    <>
      {adding.isError && error === undefined && (
        <Failed what="Not put on the team" error={adding.error} />
      )}
      <form
        className="form form--row mt3 mb3"
        onSubmit={(event) => {
          event.preventDefault();
          setDone('');
          if (!adding.isPending) adding.mutate(player.trim());
        }}
      >
        <Field
          label="Put a player on the team"
          placeholder="Name or e-mail address"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
          value={player}
          error={error}
          onChange={(event) => setPlayer(event.target.value)}
        />
        <Button look="primary" type="submit" busy={adding.isPending}>
          Add
        </Button>
      </form>
      <p className="xs mb3" role="status">
        {done || 'A player of another team moves here; the games so far stay there.'}
      </p>
    </>
  );
}

function Rename({ team, onClose }: { team: TeamPage; onClose: () => void }) {
  const renaming = useChange((wanted: string) => renameTeam(team.id, wanted), {
    stale: [TEAMS, LEAGUES],
    onDone: onClose,
  });
  return <RenameDialog name={team.name} change={renaming} onClose={onClose} />;
}

function Delete({ team, onClose }: { team: TeamPage; onClose: () => void }) {
  const deleting = useChange(() => deleteTeam(team.id), {
    stale: [LEAGUES],
    onDone: () => navigate(`/console/leagues/${team.league.id}`),
  });
  return (
    <AskDialog
      title={`Delete ${team.name}`}
      verb="Delete"
      failed="Not deleted"
      change={deleting}
      onClose={onClose}
    >
      <p>Only a team without players, games and weeks can be deleted. Any other can be renamed.</p>
      <p>A team that leaves a running season is withdrawn on the season’s page.</p>
    </AskDialog>
  );
}
