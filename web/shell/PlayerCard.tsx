import { useQueryClient } from '@tanstack/react-query';
import type { CSSProperties, ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { teamAddress } from '#contract/rules/addresses.ts';
import { WEEK_GAMES } from '#contract/rules/games.ts';
import { avatarColor } from '#contract/rules/jersey.ts';
import type { LeaderboardAnswer } from '#contract/wire/leaderboards.ts';
import type { LeagueStats, Teammate } from '#contract/wire/leagues.ts';
import { KEYS } from '../api/queries.ts';
import { Jersey } from '../avatar/Jersey.tsx';
import { Link } from '../router.tsx';
import { useAuth } from '../session/AuthProvider.tsx';
import { useFriends, useOpenDuel, usePartners } from '../session/own-lists.ts';
import { useDuels } from '../session/reads.ts';
import { Button, buttonClass } from '../ui/Button.tsx';
import { Modal, ModalButtons } from '../ui/Modal.tsx';
import styles from './PlayerCard.module.css';
import type { Person } from './person.ts';
import { Total } from './Total.tsx';

/** A player's row in a list that this page has read. */
const rowOf = <Row extends { username: string | null }>(
  rows: readonly Row[] | undefined,
  username: string | undefined,
) => rows?.find((row) => row.username === username);

/** What the page has already read about a player, apart from the tapped row. */
function useRead(username: string, person: Person) {
  const { user } = useAuth();
  const client = useQueryClient();
  const stats = client.getQueryData<LeagueStats | null>(KEYS.leagueStats);
  const mate = rowOf(stats?.teammates, username);
  const seen = client
    .getQueriesData<LeaderboardAnswer | null>({ queryKey: KEYS.leaderboard })
    .map(([, board]) => rowOf(board?.results, username) ?? rowOf(board?.around, username))
    .find((row) => row !== undefined);
  const color = person.look?.color ?? seen?.avatar_color ?? null;
  const number = person.look?.number ?? seen?.jersey_number ?? null;
  const isMate = mate !== undefined && !mate.former;
  return {
    jersey: color !== null && number !== null ? { color, number } : null,
    team: person.team ?? (isMate ? (stats?.team_name ?? null) : null),
    hasPage: person.hasPage ?? isMate,
    mine: rowOf(stats?.teammates, user?.username),
    theirs: person.week ?? mate,
  };
}

type Side = { shown: ReactNode; leads: boolean };

function Cell({ shown, leads }: Side) {
  return (
    <td className={leads ? styles.leads : undefined}>
      {shown}
      {leads && <span className="sr">, ahead</span>}
    </td>
  );
}

type Meeting = { words: string; mine: number | null; theirs: number };

/** The ball marks the leader. */
function Points({ words, mine, theirs }: Meeting) {
  return (
    <tr>
      <Cell
        shown={mine === null ? '–' : <Total of={mine} />}
        leads={mine !== null && mine > theirs}
      />
      <th scope="row">{words}</th>
      <Cell shown={<Total of={theirs} />} leads={theirs > (mine ?? 0)} />
    </tr>
  );
}

function Meet({
  name,
  best,
  mine,
  theirs,
}: {
  name: string;
  best: Person['best'];
  mine: Teammate | undefined;
  theirs: Teammate | undefined;
}) {
  if (best === undefined && theirs === undefined) return null;
  const gamesOf = (mate: Teammate) => `${mate.weekly_games_played}/${WEEK_GAMES}`;
  return (
    <table className={styles.meet}>
      <caption className="sr">You and {name}</caption>
      <thead>
        <tr>
          <th scope="col">You</th>
          <td />
          <th scope="col">{name}</th>
        </tr>
      </thead>
      <tbody>
        {best && <Points {...best} />}
        {theirs && (
          <>
            {/* More games are no lead. */}
            <tr>
              <Cell shown={mine ? gamesOf(mine) : '–'} leads={false} />
              <th scope="row">Games this week</th>
              <Cell shown={gamesOf(theirs)} leads={false} />
            </tr>
            <Points
              words="Week total"
              mine={mine?.weekly_total_score ?? null}
              theirs={theirs.weekly_total_score}
            />
          </>
        )}
      </tbody>
    </table>
  );
}

/**
 * Offers a duel to a player whom the viewer may ask (HAND-62). Keeps the button's place while the
 * lists are read.
 */
function OfferDuel({ username, onFollow }: { username: string; onFollow: () => void }) {
  const partners = usePartners();
  const duels = useDuels();
  const open = useOpenDuel(username);
  if (partners.isPending || duels.isPending)
    return <div className={`${buttonClass('primary')} ${styles.unseen}`} />;
  const mayAsk = partners.data?.results.some((one) => one.username === username);
  if (!mayAsk || open || !duels.data?.pages[0]?.on) return null;
  return (
    <Link
      className={buttonClass('primary')}
      to={`/duels?with=${encodeURIComponent(username)}`}
      onFollow={onFollow}
    >
      Offer a duel
    </Link>
  );
}

type CardProps = { username: string; person: Person; onClose: () => void };

/**
 * A player's card, from the row that was tapped and what the page has read (HAND-60). The card
 * requests nothing about that player: it reads only the viewer's own lists of friends and of
 * players to ask (HAND-62).
 */
export function PlayerCard({ username, person, onClose }: CardProps) {
  const { jersey, team, hasPage, mine, theirs } = useRead(username, person);
  const friends = useFriends();
  const friend = friends.data?.results.find((one) => one.username === username);
  const name = username.toUpperCase();
  const look = jersey && {
    'data-player': true,
    style: { '--player': avatarColor(jersey.color) } as CSSProperties,
  };
  // Outside the list, so that the list's style does not apply to the sheet.
  return createPortal(
    <Modal
      title={name}
      onClose={onClose}
      frame={(heading) => (
        <div className={styles.who} {...look}>
          {jersey && <Jersey username={username} {...jersey} />}
          <div>
            {heading}
            {team && <p>{team}</p>}
            <p>{person.place}</p>
          </div>
        </div>
      )}
    >
      <Meet name={name} best={person.best} mine={mine} theirs={theirs} />
      <OfferDuel username={username} onFollow={onClose} />
      <ModalButtons>
        {team && hasPage && (
          <Link className={buttonClass('quiet')} to={teamAddress(team)} onFollow={onClose}>
            Team
          </Link>
        )}
        {friend && (
          <Link className={buttonClass('quiet')} to={`/friends/${friend.n}`} onFollow={onClose}>
            Compare
          </Link>
        )}
        <Button look="quiet" onClick={onClose}>
          Close
        </Button>
      </ModalButtons>
      {friends.isSuccess && !friend && (
        <Link className="textlink" to="/friends/add" onFollow={onClose}>
          Add a friend, in person
        </Link>
      )}
    </Modal>,
    document.body,
  );
}
