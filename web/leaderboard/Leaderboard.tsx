import { useLayoutEffect, useState } from 'react';
import { Link } from '../router.tsx';
import { useAuth } from '../session/AuthProvider.tsx';
import { Loaded } from '../shell/Loaded.tsx';
import { ShowMyCode } from '../shell/ToProfile.tsx';
import { buttonClass } from '../ui/Button.tsx';
import { Chevron } from '../ui/Chevron.tsx';
import { useDelayed } from '../ui/delayed.ts';
import { Empty, PanelPage } from '../ui/PanelPage.tsx';
import segments from '../ui/Segments.module.css';
import { Segments } from '../ui/Segments.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { BoardList, BoardNotes } from './BoardList.tsx';
import { announcement, type Choice, PERIOD_NAMES, SCOPE_NAMES, type Scope } from './board.ts';
import { CrossFade } from './CrossFade.tsx';
import styles from './Leaderboard.module.css';
import { type Board, useBoard } from './queries.ts';
import { useWide } from './wide.ts';

const ROWS = [1, 2, 3, 4, 5, 6, 7, 8];
const PERIODS = ['week', 'all'] as const;

function ChoicesSkeleton({ both }: { both: boolean }) {
  return (
    <div className={styles.choices} aria-hidden="true">
      <div className={segments.segments} />
      {!both && <div className={segments.segments} />}
    </div>
  );
}

function BoardSkeleton() {
  return (
    <div className={styles.board} aria-hidden="true">
      <div className={styles.leader}>
        <Skeleton height="100%" radius="18px" />
      </div>
      {ROWS.map((row) => (
        <div key={row} className={styles.waiting}>
          <Skeleton height="2.25rem" />
        </div>
      ))}
    </div>
  );
}

type ChoicesProps = {
  choice: Choice;
  board: Board;
  /** Whether both periods are shown, so that there is no choice of period. */
  both: boolean;
  onChoose: (choice: Choice) => void;
};

function Choices({ choice, board, both, onChoose }: ChoicesProps) {
  const { league, venue, friends } = board;
  const scopes: Scope[] = [
    'all',
    ...(league === null ? [] : ['league' as const]),
    ...(venue === null ? [] : ['venue' as const]),
    ...(friends || choice.scope === 'friends' ? ['friends' as const] : []),
  ];
  return (
    <div className={styles.choices}>
      <Segments
        legend="Scope"
        names={SCOPE_NAMES}
        values={scopes}
        value={choice.scope}
        onChoose={(scope) => onChoose({ ...choice, scope })}
      />
      {!both && (
        <Segments
          legend="Period"
          names={PERIOD_NAMES}
          values={PERIODS}
          value={choice.period}
          onChoose={(period) => onChoose({ ...choice, period })}
        />
      )}
    </div>
  );
}

function BoardRows({ board }: { board: Board }) {
  const { user } = useAuth();
  if (board.results.length > 0) return <BoardList board={board} user={user} />;
  return (
    <Empty
      title="No games here yet"
      text="Hold your code up to a machine. The first score takes the lead."
    >
      <ShowMyCode className={buttonClass('primary')} />
    </Empty>
  );
}

const AddFriend = () => (
  <p className={styles.friends}>
    <Link className={buttonClass('quiet')} to="/friends">
      Add a friend
    </Link>
  </p>
);

type BoardState = ReturnType<typeof useShownBoard>;

/** The old board stays visible while the next choice loads. */
function useShownBoard(choice: Choice, enabled: boolean) {
  const query = useBoard(choice, enabled);
  const [last, setLast] = useState<Board>();
  useLayoutEffect(() => {
    if (query.data) setLast(query.data);
  }, [query.data]);
  return {
    query,
    board: query.data ?? last,
    waiting: useDelayed(enabled && query.isPending),
    failed: query.isError && query.data === undefined,
  };
}

function LoadedBoard({ shown, notes }: { shown: BoardState; notes: boolean }) {
  const { user } = useAuth();
  const { query, board, waiting, failed } = shown;
  return (
    <Loaded
      query={query}
      data={failed ? undefined : board}
      waiting={waiting}
      skeleton={<BoardSkeleton />}
      safe="The scores are safe. They will be here when you have a signal again."
    >
      {(one) => (
        <CrossFade id={`${one.choice.scope} ${one.choice.period}`}>
          <BoardRows board={one} />
          {notes && one.results.length > 0 && <BoardNotes boards={[one]} user={user} />}
          {notes && !one.friends && <AddFriend />}
        </CrossFade>
      )}
    </Loaded>
  );
}

/** Both periods side by side, with one set of notes (LOOK-67). */
function BothBoards({ week, all }: { week: BoardState; all: BoardState }) {
  const { user } = useAuth();
  const both = [week, all];
  const settled = both.filter(({ board, failed, waiting }) => !waiting && (board || failed));
  // Headings come with the first skeleton or board, so that they do not move.
  if (settled.length === 0 && !both.some(({ waiting }) => waiting)) return null;
  const boards = settled.flatMap(({ board, failed }) =>
    board && !failed && board.results.length > 0 ? [board] : [],
  );
  return (
    <>
      <div className={styles.both}>
        <div>
          <h2 className="display">This week</h2>
          <LoadedBoard shown={week} notes={false} />
        </div>
        <div>
          <h2 className="display">All time</h2>
          <LoadedBoard shown={all} notes={false} />
          {settled.length === both.length && boards.some(({ friends }) => !friends) && (
            <AddFriend />
          )}
        </div>
      </div>
      {settled.length === both.length && boards.length > 0 && (
        <div className={styles.notes}>
          <BoardNotes boards={boards} user={user} />
        </div>
      )}
    </>
  );
}

/** The high scores, by scope and period (PROD-52). */
export function Leaderboard() {
  const { user } = useAuth();
  const wide = useWide();
  const [choice, setChoice] = useState<Choice>({
    scope: user?.team ? 'league' : 'all',
    period: 'week',
  });
  const { scope } = choice;
  const first = useShownBoard(wide ? { scope, period: 'week' } : choice, true);
  const second = useShownBoard({ scope, period: 'all' }, wide);
  const shown = wide ? [first, second] : [first];
  const board = shown.find((one) => one.board)?.board;
  // While the board is read again, an earlier “none” may be over.
  const none = shown.some(({ query }) => query.data === null && !query.isFetching);
  useLayoutEffect(() => {
    if (none) setChoice((before) => ({ ...before, scope: 'all' }));
  }, [none]);
  const busy = shown.some(({ query }) => query.isPending);

  return (
    <PanelPage
      title="Leaderboard"
      lead={
        <Link className={styles.toFriends} to="/friends">
          Friends
          <Chevron />
        </Link>
      }
      aria-busy={busy}
      wide
    >
      {board ? (
        <Choices choice={choice} board={board} both={wide} onChoose={setChoice} />
      ) : (
        shown.some(({ waiting }) => waiting) && <ChoicesSkeleton both={wide} />
      )}
      <div role="status" className="sr">
        {!busy &&
          shown
            .flatMap(({ board: one, failed }) =>
              one && !failed ? [announcement(one.choice, one.results.length)] : [],
            )
            .join('. ')}
      </div>
      {wide ? <BothBoards week={first} all={second} /> : <LoadedBoard shown={first} notes />}
    </PanelPage>
  );
}
