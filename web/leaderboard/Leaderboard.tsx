import { useLayoutEffect, useState } from 'react';
import { useAuth } from '../session/AuthProvider.tsx';
import { Loaded } from '../shell/Loaded.tsx';
import { ShowMyCode } from '../shell/ToProfile.tsx';
import { buttonClass } from '../ui/Button.tsx';
import { useDelayed } from '../ui/delayed.ts';
import { Empty, PanelPage } from '../ui/Panel.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { BoardList } from './BoardList.tsx';
import { announcement, type Choice, PERIOD_NAMES, SCOPE_NAMES } from './board.ts';
import { CrossFade } from './CrossFade.tsx';
import styles from './Leaderboard.module.css';
import { type Board, useBoard } from './queries.ts';

const ROWS = [1, 2, 3, 4, 5, 6, 7, 8];

function ChoicesSkeleton() {
  return (
    <div className={styles.choices} aria-hidden="true">
      <div className={styles.segments} />
      <div className={styles.segments} />
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

type SegmentsProps<Value extends string> = {
  legend: string;
  names: Record<Value, string>;
  values: readonly Value[];
  value: Value;
  onChoose: (value: Value) => void;
};

/** A choice between values that are side by side. Native radio buttons make the arrow keys work. */
function Segments<Value extends string>(props: SegmentsProps<Value>) {
  const { legend, names, values, value, onChoose } = props;
  return (
    <fieldset>
      <legend className="sr">{legend}</legend>
      <div className={styles.segments}>
        {values.map((one) => (
          <label key={one}>
            <input
              type="radio"
              name={legend}
              value={one}
              checked={one === value}
              onChange={() => onChoose(one)}
            />
            {names[one]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function Choices(props: { choice: Choice; board: Board; onChoose: (choice: Choice) => void }) {
  const { choice, board, onChoose } = props;
  const scopes = (['all', 'league', 'venue'] as const).filter(
    (scope) => scope === 'all' || board[scope] !== null,
  );
  return (
    <div className={styles.choices}>
      <Segments
        legend="Scope"
        names={SCOPE_NAMES}
        values={scopes}
        value={choice.scope}
        onChoose={(scope) => onChoose({ ...choice, scope })}
      />
      <Segments
        legend="Period"
        names={PERIOD_NAMES}
        values={['week', 'all']}
        value={choice.period}
        onChoose={(period) => onChoose({ ...choice, period })}
      />
    </div>
  );
}

function Shown({ board }: { board: Board }) {
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

/** The high scores. The player chooses their scope and period (PROD-52). */
export function Leaderboard() {
  const { user } = useAuth();
  const [choice, setChoice] = useState<Choice>({
    scope: user?.team ? 'league' : 'all',
    period: 'week',
  });
  const query = useBoard(choice);
  // Keep showing the last board until the chosen board has loaded.
  const [last, setLast] = useState<Board>();
  const board = query.data ?? last;
  useLayoutEffect(() => {
    if (query.data) setLast(query.data);
    else if (query.data === null) setChoice((before) => ({ ...before, scope: 'all' }));
  }, [query.data]);
  const waiting = useDelayed(query.isPending);
  const failed = query.isError && query.data === undefined;

  return (
    <PanelPage title="Leaderboard" aria-busy={query.isPending}>
      {board ? (
        <Choices choice={choice} board={board} onChoose={setChoice} />
      ) : (
        waiting && <ChoicesSkeleton />
      )}
      <div role="status" className="sr">
        {board && !query.isPending && !failed && announcement(board.choice, board.results.length)}
      </div>
      <Loaded
        query={query}
        data={failed ? undefined : board}
        waiting={waiting}
        skeleton={<BoardSkeleton />}
        safe="The scores are safe. They will be here when you have a signal again."
      >
        {(shown) => (
          <CrossFade id={`${shown.choice.scope} ${shown.choice.period}`}>
            <Shown board={shown} />
          </CrossFade>
        )}
      </Loaded>
    </PanelPage>
  );
}
