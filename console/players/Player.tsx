import { type ReactNode, useState } from 'react';
import type { PlayerPage } from '#contract/wire/players.ts';
import { readPlayer, signOutPlayer } from '../api/calls.ts';
import { playerKey, useChange, useRead } from '../api/queries.ts';
import { Link, useLocation } from '../router.tsx';
import { useMay, useMe } from '../session/me.tsx';
import { Loaded } from '../shell/Loaded.tsx';
import { Page } from '../shell/Page.tsx';
import { Address } from '../ui/Address.tsx';
import { Button } from '../ui/Button.tsx';
import { ComputerIcon, PhoneIcon } from '../ui/Icon.tsx';
import { Jersey } from '../ui/Jersey.tsx';
import { Failed } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';
import { logTime, timeInLine } from '../ui/times.ts';
import { ChangeAddress, CorrectBirthdate, DeleteAccount } from './dialogs.tsx';
import { Games, MarkedGame } from './Games.tsx';
import { GAMES_MOST, GAMES_STEP } from './keys.ts';
import { TeamPanel } from './TeamPanel.tsx';
import { OTHER_TEAM } from './words.ts';

type Asking = 'address' | 'birthdate' | 'delete';

const METHODS: Record<PlayerPage['sign_in_methods'][number], string> = {
  password: 'Password',
  google: 'Google',
  oidc: 'Another provider',
};

const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const dateOf = (time: string) => date.format(new Date(time));

/** A player's page (OPS-18). */
export function Player({ id }: { id: string }) {
  // A link may name a game: `?game=3 0190c3f2-…`.
  const marked = useLocation().query.get('game');
  const [games, setGames] = useState(marked === null ? GAMES_STEP : GAMES_MOST);
  const [asking, setAsking] = useState<Asking | null>(null);
  const read = useRead(
    [...playerKey(id), games],
    () => readPlayer(id, games),
    ['games', 'held', 'reports', 'weeks'],
    // The event of a deletion arrives before its answer: reading then would find nobody.
    asking !== 'delete',
    true,
  );
  const { limited } = useMe();
  const player = read.data;
  const close = () => setAsking(null);
  return (
    <Page
      title={player?.username ?? (player ? 'Without a name' : 'Player')}
      mark={
        player?.avatar_color && (
          <Jersey colour={player.avatar_color} number={player.jersey_number ?? ''} size={72} />
        )
      }
      about={
        player && (
          <Address
            account={player.id}
            masked={player.address}
            show={player.reached && 'Show the address'}
          >
            , {player.verified ? 'verified' : 'not verified yet'}
          </Address>
        )
      }
      back={{ to: '/console/players', name: 'Players' }}
    >
      <Loaded read={read} what="the player">
        {(page) => (
          <div className="cols">
            <div className="col">
              <MarkedGame of={page} marked={marked} />
              <Account of={page} />
              <TeamPanel of={page} />
              <Games of={page} marked={marked} onMore={() => setGames(games + GAMES_STEP)} />
            </div>
            <div className="col">
              {page.reached && <SignedIn of={page} />}
              {page.reached && (
                <Panel title="Fix" flush>
                  <ul className="rows mt2">
                    {!limited && (
                      <Fix
                        name="E-mail address"
                        about="A code goes to the new one"
                        verb="Change"
                        onPress={() => setAsking('address')}
                      />
                    )}
                    <Fix
                      name="Birth date"
                      about="Players can set it only once"
                      verb="Correct"
                      onPress={() => setAsking('birthdate')}
                    />
                    {!limited && (
                      <Fix
                        name="Account"
                        about="For good, backups too"
                        verb="Delete"
                        onPress={() => setAsking('delete')}
                      />
                    )}
                  </ul>
                </Panel>
              )}
              <Achievements of={page} />
              <LookedAt of={page} />
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

function Fix({
  name,
  about,
  verb,
  onPress,
}: {
  name: string;
  about: string;
  verb: string;
  onPress: () => void;
}) {
  return (
    <li>
      <span>
        <b>{name}</b>
        <small>{about}</small>
      </span>
      <Button onClick={onPress}>
        {verb}
        <span className="sr"> {name.toLowerCase()}</span>
      </Button>
    </li>
  );
}

function Team({ of: { team, other_team } }: { of: PlayerPage }) {
  if (team) return <Link to={`/console/leagues/teams/${team.id}`}>{team.name}</Link>;
  return other_team ? OTHER_TEAM : 'No team';
}

function Account({ of }: { of: PlayerPage }) {
  const held = of.held_games === 0 ? '' : `, and ${of.held_games} held`;
  const facts: [string, ReactNode][] = [
    ['Team', <Team key="team" of={of} />],
    ['Age', of.reached ? of.age : 'Shown once they play at your venue'],
    ['Signs in with', of.sign_in_methods.map((method) => METHODS[method]).join(', ') || 'Nothing'],
    ['Since', dateOf(of.created_at)],
    ['League mode', of.league_mode_enabled ? 'on' : 'off'],
    ['Games that count', `${of.games_played.toLocaleString('en')}${held}`],
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

function SignedIn({ of }: { of: PlayerPage }) {
  const ending = useChange(() => signOutPlayer(of.id), { stale: [playerKey(of.id)] });
  const nowhere = of.sessions.length === 0;
  return (
    <Panel title="Signed in">
      {nowhere && <p className="sm mt2">Nowhere.</p>}
      <ul className="rows rows--i mt2">
        {of.sessions.map(({ client, last_used_at }) => (
          <li key={`${client} ${last_used_at}`}>
            {/android|iphone|ipad|ios/i.test(client) ? <PhoneIcon /> : <ComputerIcon />}
            <span>
              <b>{client}</b>
              <small>Used {timeInLine(last_used_at)}</small>
            </span>
          </li>
        ))}
      </ul>
      {ending.isError && <Failed what="Not signed out" error={ending.error} />}
      <div className="mt2">
        <Button
          look="full"
          busy={ending.isPending || nowhere}
          onClick={() => ending.mutate(undefined)}
        >
          Sign out everywhere
        </Button>
      </div>
      <p className="xs mt2">For a lost phone. The code on a printed card goes on working.</p>
    </Panel>
  );
}

function Achievements({ of }: { of: PlayerPage }) {
  return (
    <Panel title="Achievements">
      {of.achievements.length === 0 ? (
        <p className="sm mt2">None yet.</p>
      ) : (
        <ul className="rows mt2">
          {of.achievements.map(({ name, won_at }) => (
            <li key={name}>
              <span>
                <b>{name}</b>
                <small>{dateOf(won_at)}</small>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function LookedAt({ of }: { of: PlayerPage }) {
  const mayRead = useMay('owner');
  return (
    <Panel title="Who has looked">
      <p className="sm mt2">
        Whenever staff see an address or change something, it is in the{' '}
        {mayRead ? <Link to={`/console/staff/audit?player=${of.id}`}>audit</Link> : 'audit'}.
        {of.looked && ` Last: ${of.looked.who}, ${logTime(of.looked.at)}.`}
      </p>
    </Panel>
  );
}
