import { useRef, useState } from 'react';
import { FRIEND_CODE_LENGTH, isFriendCode, pastedFriendCode } from '#contract/rules/friends.ts';
import type { FriendsAnswer } from '#contract/wire/friends.ts';
import type { Named } from '#contract/wire/leagues.ts';
import type { User } from '#contract/wire/profile.ts';
import { JerseyOf } from '../avatar/JerseyOf.tsx';
import { Link, navigate } from '../router.tsx';
import { useAuth } from '../session/AuthProvider.tsx';
import { useFriends } from '../session/own-lists.ts';
import { Loaded } from '../shell/Loaded.tsx';
import { Button, buttonClass } from '../ui/Button.tsx';
import { useDelayed } from '../ui/delayed.ts';
import { Field } from '../ui/Field.tsx';
import { NameBreaks } from '../ui/NameBreaks.tsx';
import { Panel } from '../ui/Panel.tsx';
import { Empty, PanelPage } from '../ui/PanelPage.tsx';
import { Segments } from '../ui/Segments.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { Question } from './AddFriend.tsx';
import styles from './Friends.module.css';

const PERIODS = ['week', 'all'] as const;
type Period = (typeof PERIODS)[number];
const NAMES: Record<Period, string> = { week: 'Week', all: 'All time' };
const LABELS: Record<Period, string> = {
  week: 'Friends, this week',
  all: 'Friends, all time',
};
const NO_GAME: Record<Period, string> = { week: 'No game this week', all: 'No game yet' };

type Row = Named & { n: string | null; score: number | null };

/** Friends and the player by score. Equal scores share a place; no score comes last (FRIEND-08). */
export function boardOf(
  { results, me }: FriendsAnswer,
  user: Pick<User, 'username' | 'avatar_color' | 'jersey_number'>,
  period: Period,
): (Row & { place: number | null })[] {
  const scoreOf = (one: FriendsAnswer['me']) =>
    period === 'week' ? one.best_week_game : one.games === 0 ? null : one.high_score;
  const { username, avatar_color, jersey_number } = user;
  const rows: Row[] = [
    { n: null, username, avatar_color, jersey_number, score: scoreOf(me) },
    ...results.map((friend) => ({ ...friend, score: scoreOf(friend) })),
  ];
  const sorted = rows.toSorted((a, b) => (b.score ?? -1) - (a.score ?? -1));
  return sorted.map((row) => ({
    ...row,
    place: row.score === null ? null : 1 + sorted.findIndex(({ score }) => score === row.score),
  }));
}

function Words({ row, period }: { row: ReturnType<typeof boardOf>[number]; period: Period }) {
  const { n, place, score, username } = row;
  return (
    <>
      <span className={styles.place}>
        {place !== null && (
          <>
            <span className="sr">Place </span>
            {place}
          </>
        )}
      </span>
      <span className={styles.jersey}>
        <JerseyOf {...row} small />
      </span>
      <span className={styles.name}>
        <NameBreaks name={username?.toUpperCase() ?? ''} />
        {n === null && <small>You</small>}
        {score === null && <small>{NO_GAME[period]}</small>}
      </span>
      <span className={styles.score}>{score ?? '–'}</span>
    </>
  );
}

function Board({ friends, user }: { friends: FriendsAnswer; user: User }) {
  const [period, setPeriod] = useState<Period>('week');
  return (
    <>
      <div className={styles.choice}>
        <Segments
          legend="Period"
          names={NAMES}
          values={PERIODS}
          value={period}
          onChoose={setPeriod}
        />
      </div>
      <section className={styles.board} aria-label={LABELS[period]}>
        <ol>
          {boardOf(friends, user, period).map((row) => (
            <li
              key={row.n}
              className={row.place === 1 ? styles.first : row.n === null ? styles.me : undefined}
              aria-current={row.n === null ? 'true' : undefined}
            >
              {row.n === null ? (
                <span className={styles.row}>
                  <Words row={row} period={period} />
                </span>
              ) : (
                <Link className={styles.row} to={`/friends/${row.n}`}>
                  <Words row={row} period={period} />
                </Link>
              )}
            </li>
          ))}
        </ol>
      </section>
      <p className={styles.below}>
        Tap a friend to compare. Only friends are on this board, and only you see this one.
      </p>
    </>
  );
}

/** For a player who cannot scan: a field for the code of the friend beside them. */
function TypeCode() {
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const code = pastedFriendCode(typed);
  return (
    <Panel title="Got a friend's code?">
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setWrong(!isFriendCode(code));
          if (isFriendCode(code)) navigate(`/friend/${code}`);
          else field.current?.focus();
        }}
      >
        <Field
          ref={field}
          label="Code"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          value={typed}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setWrong(false);
          }}
          error={wrong ? `A code has ${FRIEND_CODE_LENGTH} letters and digits.` : null}
        />
        <Button look="quiet" type="submit">
          Open
        </Button>
      </form>
    </Panel>
  );
}

const add = (
  <Link className={buttonClass('primary')} to="/friends/add">
    Add a friend
  </Link>
);

/** The board of friends (FRIEND-08). */
export function FriendList() {
  const { user } = useAuth();
  const friends = useFriends();
  const waiting = useDelayed(friends.isPending);
  return (
    <PanelPage title="Friends" lead="Everybody's best game. Nobody sees where or when you play.">
      <Loaded
        query={friends}
        data={friends.data}
        waiting={waiting}
        skeleton={
          <div className={styles.board}>
            <Skeleton height="16rem" />
          </div>
        }
        safe="Your friends are safe. They will be here when you have a signal again."
      >
        {(data) =>
          data.results.length === 0 || user === null ? (
            <Empty title="Nobody yet" text="Meet, then scan.">
              {add}
            </Empty>
          ) : (
            <>
              <Board friends={data} user={user} />
              {add}
            </>
          )
        }
      </Loaded>
      <TypeCode />
      <Question />
    </PanelPage>
  );
}
