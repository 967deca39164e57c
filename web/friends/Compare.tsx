import { useState } from 'react';
import { abbreviate, inFull } from '#contract/rules/games.ts';
import type { Comparison } from '#contract/wire/friends.ts';
import type { User } from '#contract/wire/profile.ts';
import { JerseyOf } from '../avatar/JerseyOf.tsx';
import { OfferDuel } from '../duels/OfferDuel.tsx';
import { Link, navigate } from '../router.tsx';
import { useAuth } from '../session/AuthProvider.tsx';
import { useOpenDuel } from '../session/own-lists.ts';
import { EndFriendship, type Ending } from '../shell/EndFriendship.tsx';
import { Loaded } from '../shell/Loaded.tsx';
import { Button, buttonClass } from '../ui/Button.tsx';
import { useDelayed } from '../ui/delayed.ts';
import { NameBreaks } from '../ui/NameBreaks.tsx';
import { Panel } from '../ui/Panel.tsx';
import { Empty, PanelPage } from '../ui/PanelPage.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import styles from './Compare.module.css';
import { useComparison } from './queries.ts';

const RESULTS = { won: 'Won', lost: 'Lost', level: 'Level' } as const;

function Weeks({ one, user, name }: { one: Comparison; user: User; name: string }) {
  const { weeks } = one;
  const won = weeks.filter(({ result }) => result === 'won').length;
  const lost = weeks.filter(({ result }) => result === 'lost').length;
  const whose = { won: 'You', lost: name, level: 'Level' };
  return (
    <Panel title="Weeks won">
      <div className={styles.sides}>
        <p>
          <JerseyOf {...user} />
          You
        </p>
        <p className={`display ${styles.score}`}>
          {won}–{lost}
        </p>
        <p>
          <JerseyOf {...one} />
          <NameBreaks name={name} />
        </p>
      </div>
      {weeks.length > 0 && (
        <ol className={styles.weeks} aria-label="Weeks, newest last">
          {weeks.toReversed().map(({ week, result }) => (
            <li key={week} className={styles[result]}>
              <span className="sr">{whose[result]}</span>
            </li>
          ))}
        </ol>
      )}
      <p className={styles.foot}>
        The last 10 weeks in which you both played 4 games or more. The best 4 games of each count.
      </p>
    </Panel>
  );
}

type FigureProps = { name: string; mine: number | null; theirs: number | null };

function Figure({ name, mine, theirs }: FigureProps) {
  const show = (n: number | null) => n?.toLocaleString('en') ?? '–';
  const lead = (own: number | null, other: number | null) =>
    (own ?? 0) > (other ?? 0) ? styles.lead : undefined;
  return (
    <tr>
      <td className={lead(mine, theirs)}>{show(mine)}</td>
      <th scope="row">{name}</th>
      <td className={lead(theirs, mine)}>{show(theirs)}</td>
    </tr>
  );
}

/** The league weeks and the pairings of cups in which the two met, newest first. */
export function Met({ met, met_in_cups }: Pick<Comparison, 'met' | 'met_in_cups'>) {
  const meetings = [
    ...met.map((one) => ({ ...one, name: `${one.team} – ${one.opponent}`, show: abbreviate })),
    ...met_in_cups.map((one) => ({
      ...one,
      name: `${one.cup}, ${one.pairing.toLowerCase()}`,
      // Sums of a cup are never shortened: a point can decide.
      show: inFull,
    })),
  ].sort((one, two) => two.week.localeCompare(one.week));
  if (meetings.length === 0) return null;
  return (
    <Panel title="Met">
      <ul className={styles.met}>
        {meetings.map(({ week, name, own, other, result, show }) => (
          <li key={`${week} ${name}`}>
            <b>{RESULTS[result]}</b>
            <span>{name}</span>
            <span className={styles.totals}>
              {show(own)} – {show(other)}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Shown({ one, user }: { one: Comparison; user: User }) {
  const name = one.username?.toUpperCase() ?? '';
  const [ending, setEnding] = useState<Ending | null>(null);
  const { me, friend } = one;
  const duel = useOpenDuel(one.username);
  return (
    <>
      <Weeks one={one} user={user} name={name} />
      <Panel title="Figures">
        <table className={styles.figures}>
          <thead className="sr">
            <tr>
              <th scope="col">You</th>
              <th scope="col">Figure</th>
              <th scope="col">{name}</th>
            </tr>
          </thead>
          <tbody>
            <Figure name="High score" mine={me.high_score} theirs={friend.high_score} />
            <Figure name="Average" mine={me.average} theirs={friend.average} />
            <Figure name="Games" mine={me.games} theirs={friend.games} />
            <Figure
              name="Best league week"
              mine={me.best_league_week}
              theirs={friend.best_league_week}
            />
          </tbody>
        </table>
      </Panel>
      <Met {...one} />
      <div className={styles.duel}>
        {duel ? (
          <Link className={buttonClass('quiet')} to="/duels">
            {duel.state === 'running' ? 'Your duel is on' : 'A duel is offered'}
          </Link>
        ) : (
          <OfferDuel rival={one.username ?? undefined} />
        )}
      </div>
      <div className={styles.ends}>
        <Button look="quiet" onClick={() => setEnding('remove')}>
          Remove
        </Button>
        <Button look="quiet" onClick={() => setEnding('block')}>
          Block
        </Button>
      </div>
      {ending && (
        <EndFriendship
          n={one.n}
          name={name}
          how={ending}
          duel={duel}
          onClose={() => setEnding(null)}
          onEnded={() => navigate('/friends', { replace: true })}
        />
      )}
    </>
  );
}

/** The comparison with a friend: weeks and figures, never a place or a time (FRIEND-09). */
export function Compare({ n }: { n: string }) {
  const { user } = useAuth();
  const comparison = useComparison(n);
  const waiting = useDelayed(comparison.isPending);
  const { data } = comparison;
  return (
    <PanelPage title={data ? `You and ${data.username}` : 'Compare'}>
      <Loaded
        query={comparison}
        data={data}
        waiting={waiting}
        skeleton={<Skeleton height="20rem" />}
        empty={
          <Empty
            title="No friend here"
            text="You can compare with friends only, and this player is not one of yours."
          >
            <Link className={buttonClass('primary')} to="/friends">
              To my friends
            </Link>
          </Empty>
        }
        safe="Your friends are safe. They will be here when you have a signal again."
      >
        {(one) => (user === null ? null : <Shown one={one} user={user} />)}
      </Loaded>
    </PanelPage>
  );
}
