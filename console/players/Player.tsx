import { type ReactNode, useRef, useState } from 'react';
import type { PlayerPage } from '#contract/player-pages.ts';
import { correctGame, readPlayer, signOutPlayer } from '../api/calls.ts';
import { useChange, useRead } from '../api/queries.ts';
import { Link } from '../router.tsx';
import { Loaded } from '../shell/Loaded.tsx';
import { Page } from '../shell/Page.tsx';
import { Failed } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';
import { count, when } from '../ui/times.ts';
import { Undo } from '../ui/Undo.tsx';
import { ChangeAddress, CorrectBirthdate, DeleteAccount } from './dialogs.tsx';
import { playerKey } from './keys.ts';

type Game = PlayerPage['games'][number];
type Asking = 'address' | 'birthdate' | 'delete';

const STATES: Record<Game['state'], string> = {
  counted: 'Counts',
  held: 'Held',
  void: 'Void',
  discarded: 'Discarded',
};
const METHODS = { password: 'Password', google: 'Google', oidc: 'Another provider' } as const;

/** A player's account: figures, games, sessions, and what staff can put right. */
export function Player({ id }: { id: string }) {
  const read = useRead(playerKey(id), () => readPlayer(id));
  const [asking, setAsking] = useState<Asking | null>(null);
  const player = read.data;
  const close = () => setAsking(null);
  return (
    <Page
      title={player?.username ?? (player ? 'Without a name' : 'Player')}
      about={player && `${player.email}, ${player.verified ? 'verified' : 'not verified yet'}`}
      back={{ to: '/console/players', name: 'Players' }}
    >
      <Loaded read={read} what="the player">
        {(page) => (
          <div className="cols">
            <div className="col">
              <Account of={page} />
              <Games of={page} />
            </div>
            <div className="col">
              <SignedIn of={page} />
              <Panel title="Put right">
                <ul className="rows">
                  <Fix name="E-mail address" about="A code goes to the new one">
                    <button className="btn" type="button" onClick={() => setAsking('address')}>
                      Change
                    </button>
                  </Fix>
                  <Fix name="Birth date" about="Players can set it only once">
                    <button className="btn" type="button" onClick={() => setAsking('birthdate')}>
                      Correct
                    </button>
                  </Fix>
                  <Fix name="Account" about="For good, backups too">
                    <button className="btn" type="button" onClick={() => setAsking('delete')}>
                      Delete
                    </button>
                  </Fix>
                </ul>
              </Panel>
              <Panel title="Looked at">
                <p className="sm">Every look at an address and every change is in the audit.</p>
              </Panel>
            </div>
          </div>
        )}
      </Loaded>
      {player && asking === 'address' && <ChangeAddress of={player} onClose={close} />}
      {player && asking === 'birthdate' && <CorrectBirthdate of={player} onClose={close} />}
      {player && asking === 'delete' && <DeleteAccount of={player} onClose={close} />}
    </Page>
  );
}

function Fix({ name, about, children }: { name: string; about: string; children: ReactNode }) {
  return (
    <li>
      <span>
        <b>{name}</b>
        <small>{about}</small>
      </span>
      <span className="acts">{children}</span>
    </li>
  );
}

function Account({ of }: { of: PlayerPage }) {
  const held = of.held_games === 0 ? '' : `, ${of.held_games} held`;
  const facts: [string, string][] = [
    ['Team', of.team === null ? 'No team' : `${of.team.name}, ${of.team.league}`],
    ['Age', of.age],
    ['Signs in with', of.sign_in_methods.map((method) => METHODS[method]).join(', ') || 'Nothing'],
    ['Since', when(of.created_at)],
    ['League mode', of.league_mode_enabled ? 'on' : 'off'],
    ['Games', `${of.games_played.toLocaleString('en')}${held}`],
    ['High score', of.highscore.toLocaleString('en')],
    ['Average', of.avg_score.toLocaleString('en')],
  ];
  return (
    <Panel title="Account">
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

function Games({ of }: { of: PlayerPage }) {
  return (
    <Panel title="Games" flush>
      {of.games.length === 0 ? (
        <p className="sm">No games yet.</p>
      ) : (
        <table className="t t--3">
          <caption className="sr">The newest games</caption>
          <thead>
            <tr>
              <th scope="col">Played</th>
              <th scope="col">Machine</th>
              <th scope="col">State</th>
              <th scope="col">Score</th>
              <th scope="col" className="full">
                <span className="sr">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {of.games.map((game) => (
              <GameRow key={`${game.machine} ${game.id}`} game={game} player={of.id} />
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

function GameRow({ game, player }: { game: Game; player: string }) {
  const [chosen, setChosen] = useState(false);
  const row = useRef<HTMLTableRowElement>(null);
  const change = game.state === 'counted' ? 'void' : game.state === 'void' ? 'restore' : null;
  const correcting = useChange(
    (keepalive: boolean) => correctGame(game.id, change ?? 'void', keepalive),
    { stale: [playerKey(player)], onDone: () => setChosen(false) },
  );
  const send = (keepalive: boolean) => {
    correcting.mutate(keepalive, { onError: () => setChosen(false) });
    if (!keepalive && document.activeElement?.closest('.done'))
      row.current?.closest('section')?.querySelector('h2')?.focus();
  };
  if (chosen)
    return (
      <tr ref={row}>
        <td colSpan={5} className="full" data-l="">
          <Undo onUndo={() => setChosen(false)} onSend={send}>
            <b>{change === 'void' ? 'Voided' : 'Restored'}</b>: {game.score.toLocaleString('en')} on{' '}
            {game.machine}
          </Undo>
        </td>
      </tr>
    );
  return (
    <tr ref={row}>
      <th scope="row">{when(game.played_at)}</th>
      <td data-l="Machine">{game.machine}</td>
      <td data-l="State">{STATES[game.state]}</td>
      <td data-l="Score">
        {game.state === 'void' ? (
          <s>{game.score.toLocaleString('en')}</s>
        ) : (
          game.score.toLocaleString('en')
        )}
      </td>
      <td className="full" data-l="">
        {correcting.isError && (
          <Failed
            what={change === 'void' ? 'Not voided' : 'Not restored'}
            error={correcting.error}
            onAgain={() => correcting.mutate(false)}
          />
        )}
        {game.state === 'held' ? (
          <Link className="btn" to="/console/inbox">
            Judge<span className="sr"> the game of {when(game.played_at)}</span>
          </Link>
        ) : (
          change && (
            <button
              className="btn"
              type="button"
              aria-disabled={correcting.isPending || undefined}
              onClick={() => correcting.isPending || setChosen(true)}
            >
              {change === 'void' ? 'Void' : 'Restore'}
              <span className="sr">
                {' '}
                the game of {when(game.played_at)}, {game.score}
              </span>
            </button>
          )
        )}
      </td>
    </tr>
  );
}

function SignedIn({ of }: { of: PlayerPage }) {
  const ending = useChange(() => signOutPlayer(of.email), { stale: [playerKey(of.id)] });
  return (
    <Panel title="Signed in">
      <p>{of.sessions === 0 ? 'Nowhere.' : `On ${count(of.sessions, 'device')}.`}</p>
      {ending.isError && (
        <Failed
          what="Not signed out"
          error={ending.error}
          onAgain={() => ending.mutate(undefined)}
        />
      )}
      <button
        className="btn mt3"
        type="button"
        aria-disabled={ending.isPending || of.sessions === 0 || undefined}
        onClick={() => ending.isPending || of.sessions === 0 || ending.mutate(undefined)}
      >
        Sign out everywhere
      </button>
      <p className="sm mt3">For a lost phone. The code on a printed card goes on working.</p>
    </Panel>
  );
}
