import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { UNDO_S } from '#contract/rules/inbox.ts';
import { useChange } from '../api/queries.ts';
import { Button } from '../ui/Button.tsx';
import { TickIcon } from '../ui/Icon.tsx';
import { Failed } from '../ui/Notice.tsx';
import { announceNow } from './announce.ts';

const TICK_MS = 100;

/** Why the countdown has stopped. */
type Hold = 'failed' | 'pointer' | 'focus' | 'window';
const STANDS_STILL: Record<Hold, string> = {
  failed: 'The time stops: it is not undone.',
  pointer: 'The time stops while the pointer is on Undo.',
  focus: 'The time stops while Undo has the focus.',
  window: 'The time stops while the window is hidden.',
};

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function holdOf(
  { reversing }: Undoable,
  button: HTMLButtonElement | null,
  pointed: boolean,
): Hold | null {
  if (reversing.isError) return 'failed';
  if (document.hidden) return 'window';
  if (pointed) return 'pointer';
  return button?.matches(':focus-visible') ? 'focus' : null;
}

/**
 * A decision that is sent at once; for ten seconds, Undo calls `reverse` (OPS-17). `made` is what
 * `Undo` shows, or null. `decide` and `undo` refetch the queries whose keys begin with one of
 * `stale`.
 */
export function useDecision<I>({
  send,
  reverse,
  stale,
  onMade,
  onFailed = () => undefined,
  onUndone,
  onEnd,
}: {
  send: (input: I) => Promise<unknown>;
  reverse: (input: I) => Promise<unknown>;
  stale: readonly (readonly unknown[])[];
  onMade?: () => void;
  onFailed?: (error: unknown) => void;
  onUndone?: () => void;
  /** Called when the ten seconds are over. */
  onEnd?: () => void;
}) {
  const [made, setMade] = useState<I | null>(null);
  const [number, setNumber] = useState(0);
  // The second click of a double click can come before React knows that the first one sends.
  const isSending = useRef(false);
  const sending = useChange(
    async (input: I) => {
      // React Query calls no `onError` of a page that was left meanwhile.
      await send(input).catch((error: unknown) => {
        onFailed(error);
        throw error;
      });
      setMade(input);
      setNumber((before) => before + 1);
      onMade?.();
    },
    { stale },
  );
  const reversing = useChange(reverse, {
    stale,
    onDone: () => {
      setMade(null);
      announceNow('Undone.');
      onUndone?.();
    },
  });
  return {
    made,
    /** How many decisions were made. */
    number,
    sending,
    reversing,
    /** Whether a decision or its undo is being sent. */
    busy: sending.isPending || reversing.isPending,
    decide: (input: I) => {
      // A late answer of Undo would remove the next decision's Undo.
      if (isSending.current || reversing.isPending) return;
      isSending.current = true;
      reversing.reset();
      sending.mutate(input, {
        onSettled: () => {
          isSending.current = false;
        },
      });
    },
    undo: () => {
      if (made !== null && !reversing.isPending) reversing.mutate(made);
    },
    end: () => {
      setMade(null);
      onEnd?.();
    },
  };
}

/** A decision with a button that undoes it. */
type Undoable = Pick<ReturnType<typeof useDecision>, 'number' | 'undo' | 'end'> & {
  reversing: { isPending: boolean; isError: boolean; error: unknown };
};

type Props = {
  of: Undoable;
  done: string;
  what?: string;
  means: string;
  /** Where the decision leads. */
  more?: ReactNode;
  focusNext: () => void;
};

/**
 * The line of a decision that was made, with Undo for ten seconds. `done` and `what` say what was
 * done, to screen readers too; `means` says what that changes. The countdown stops while Undo has
 * the pointer or the focus, while the window is hidden, and after Undo failed. Mounting focuses
 * Undo. If the line disappears while it has the focus, calls `focusNext`. Another decision within
 * the ten seconds gets a line of its own.
 */
export function Undo(props: Props) {
  return <Line key={props.of.number} {...props} />;
}

function Line({ of, done, what = '', means, more, focusNext }: Props) {
  const line = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  /**
   * Whether somebody moved a mouse or pen onto Undo. A pointer that already rested where Undo
   * appeared does not count; otherwise the countdown would never run. `:hover` would count such a
   * pointer, and stays true after a tap.
   */
  const pointed = useRef(false);
  const [left, setLeft] = useState(UNDO_S * 1_000);
  const [hold, setHold] = useState<Hold | null>(null);
  const failed = of.reversing.isError;
  const said = [done, what, `Undo for ${UNDO_S} seconds.`].join(' ').replace('  ', ' ');
  const latest = useRef({ of, focusNext, said });
  latest.current = { of, focusNext, said };

  useEffect(() => {
    button.current?.focus();
    announceNow(latest.current.said);
    let rest = UNDO_S * 1_000;
    const timer = setInterval(() => {
      const now = holdOf(latest.current.of, button.current, pointed.current);
      setHold(now);
      if (now !== null || latest.current.of.reversing.isPending) return;
      rest -= TICK_MS;
      if (rest > 0) return setLeft(rest);
      clearInterval(timer);
      latest.current.of.end();
    }, TICK_MS);
    return () => clearInterval(timer);
  }, []);
  useLayoutEffect(() => {
    const element = line.current;
    return () => {
      if (!element?.contains(document.activeElement)) return;
      const { focusNext } = latest.current;
      // Wait until the line's replacement is mounted, and may have taken the focus. In React's
      // strict mode, the line stays.
      queueMicrotask(() => {
        if (!element.isConnected && document.activeElement === document.body) focusNext();
      });
    };
  }, []);

  return (
    <>
      <div className="done" ref={line}>
        <TickIcon />
        <div>
          <b>{done}</b> {what}
          {/* Reserve room for the longest sentence, so that Undo does not move under the pointer. */}
          <small className="done__t" data-longest={STANDS_STILL.pointer}>
            <span>
              {hold === null ? `You have ${UNDO_S} seconds to undo.` : STANDS_STILL[hold]}
            </span>
          </small>
          <span>
            {capital(means)} {more}
          </span>
        </div>
        <Button
          ref={button}
          busy={of.reversing.isPending}
          onPointerMove={({ pointerType, movementX, movementY }) => {
            if (pointerType !== 'touch' && (movementX !== 0 || movementY !== 0))
              pointed.current = true;
          }}
          onPointerLeave={() => {
            pointed.current = false;
          }}
          onClick={({ detail }) => {
            // Ignore the second click of a double click on the button that was here before.
            if (detail <= 1) of.undo();
          }}
        >
          {failed ? (
            'Try again'
          ) : (
            <>
              Undo<span aria-hidden="true"> {Math.ceil(left / 1_000)}</span>
              <span className="sr">, for {UNDO_S} seconds</span>
            </>
          )}
        </Button>
        <span
          className={hold === null ? 'left' : 'left left--still'}
          aria-hidden="true"
          style={{ width: `${left / (UNDO_S * 10)}%` }}
        />
      </div>
      {failed && (
        <Failed
          what="Not undone"
          error={of.reversing.error}
          onHide={() => {
            // From the line, the focus goes on.
            button.current?.focus();
            of.end();
          }}
        />
      )}
    </>
  );
}
