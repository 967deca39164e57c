import { useEffect } from 'react';
import type { InboxRequest } from '#contract/wire/inbox.ts';
import { decideRequest, reopenRequest } from '../api/calls.ts';
import { INBOX, LEAGUES, TEAMS, TONIGHT } from '../api/queries.ts';
import { Link } from '../router.tsx';
import { announce } from '../shell/announce.ts';
import { Undo } from '../shell/Undo.tsx';
import { Button } from '../ui/Button.tsx';
import { PlayersIcon, TickIcon } from '../ui/Icon.tsx';
import { Jersey } from '../ui/Jersey.tsx';
import { Failed } from '../ui/Notice.tsx';
import { count, timeInLine } from '../ui/times.ts';
import { type CardProps, useCard } from './cards.ts';
import { nameOf, yesMeans } from './words.ts';

/** A request to join a team (HAND-C6). If somebody else answers it, the card says so. */
export function Request({ of, gone, ...callbacks }: CardProps<InboxRequest>) {
  const name = nameOf({ player: of });
  const { item, leave, decision, decide, kept, focusFirst } = useCard<boolean>(callbacks, {
    send: (yes) => decideRequest(of.team_id, of.account, yes),
    reverse: () => reopenRequest(of.team_id, of.account, of.asked_at),
    stale: [INBOX, TONIGHT, TEAMS, LEAGUES],
  });
  const { made, sending } = decision;
  if (gone)
    return (
      <li className="case case--done" ref={item}>
        <Answered what={`${name}, ${of.team}`} onHide={leave} />
      </li>
    );
  if (made !== null)
    return (
      <li className="case case--done" ref={item}>
        <Undo
          of={decision}
          done={`${name} is ${made ? 'on' : 'not on'} ${of.team}.`}
          means={
            made
              ? 'the next games count for the team. In a minute a mail says so.'
              : 'the player may ask again. In a minute a mail says so.'
          }
          focusNext={focusFirst}
        />
      </li>
    );
  return (
    <li className="case" ref={item}>
      <div className="case__h">
        <PlayersIcon />
        <div>
          <h3 tabIndex={-1}>
            {name} wants to join {of.team}
          </h3>
          <p className="who">
            {of.avatar_color && <Jersey colour={of.avatar_color} number={of.jersey_number ?? ''} />}
            <Link to={`/console/players/${of.account}`}>{name}</Link>
            <span>{of.league}</span>
            <span>Asked {timeInLine(of.asked_at)}</span>
          </p>
        </div>
      </div>
      {sending.isError && (
        <div className="mt3">
          <Failed
            what={sending.variables ? 'Not accepted' : 'Not declined'}
            error={sending.error}
            kept={kept}
            onAgain={() => decide(sending.variables)}
          />
        </div>
      )}
      <div className="case__b case__b--2">
        <div>
          <p>
            <Link to={`/console/leagues/teams/${of.team_id}`}>{of.team}</Link> has{' '}
            <b>{of.places_left === 0 ? 'no place' : count(of.places_left, 'place')} left</b>.
          </p>
          <p className="sm mt1">
            {of.games_played === 0
              ? 'No games yet.'
              : `${count(of.games_played, 'game')}, average ${of.avg_score.toLocaleString('en')}.`}
          </p>
        </div>
        <div className="case__d">
          <div className="acts">
            {[true, false].map((yes) => (
              <Button key={String(yes)} busy={decision.busy} onClick={() => decide(yes)}>
                {yes ? 'Yes' : 'No'}
                <span className="sr">
                  {' '}
                  to {name}, {of.team}
                </span>
              </Button>
            ))}
          </div>
          <p>
            <b>Yes:</b> {yesMeans(of)}
          </p>
          <p>
            <b>No:</b> the player may ask again. A mail says so.
          </p>
        </div>
      </div>
    </li>
  );
}

/** Replaces the card of a request that is no longer there. */
function Answered({ what, onHide }: { what: string; onHide: () => void }) {
  const said = 'No longer to answer.';
  useEffect(() => announce(`${said} ${what}`), [what]);
  return (
    <div className="done">
      <TickIcon />
      <div>
        <b>{said}</b> {what}
      </div>
      <Button onClick={onHide}>
        Hide<span className="sr">, {what}</span>
      </Button>
    </div>
  );
}
