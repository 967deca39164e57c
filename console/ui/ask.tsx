import { type ReactNode, useCallback, useEffect, useId, useRef, useState } from 'react';
import { useChange } from '../api/queries.ts';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import { CrossIcon, TickIcon } from './Icon.tsx';
import { Failed } from './Notice.tsx';

/** What a dialog needs of `useChange`. */
export type Change<I> = {
  isPending: boolean;
  isError: boolean;
  error: unknown;
  mutate: (input: I) => void;
};

/**
 * Cancel, or `keep` in its place, and a button that calls `onAct`. Without `onAct`, the button
 * submits the form. The look `danger` is for an action that takes something out of service.
 */
export function DialogButtons({
  verb,
  keep = 'Cancel',
  busy,
  look = 'primary',
  first = false,
  onAct,
  onClose,
}: {
  verb: string;
  keep?: string | undefined;
  /** True while the change is running, and while an input is missing. */
  busy: boolean;
  look?: 'primary' | 'danger' | 'quiet';
  /** Whether Cancel takes the focus. */
  first?: boolean;
  onAct?: () => void;
  onClose: () => void;
}) {
  return (
    <div className="acts">
      <Button data-first={first || undefined} onClick={onClose}>
        {keep}
      </Button>
      <Button
        look={look === 'quiet' ? undefined : look}
        type={onAct === undefined ? 'submit' : 'button'}
        busy={busy}
        onClick={onAct && (() => onAct())}
      >
        {verb}
      </Button>
    </div>
  );
}

/** Lists what stops, with crosses, and what stays, with ticks. */
export function Goes({ stops, stays }: { stops: readonly string[]; stays: readonly string[] }) {
  return (
    <ul className="goes">
      {stops.map((words) => (
        <li key={words}>
          <CrossIcon />
          <span>{words}</span>
        </li>
      ))}
      {stays.map((words) => (
        <li key={words}>
          <TickIcon />
          <span>{words}</span>
        </li>
      ))}
    </ul>
  );
}

/**
 * Asks before something is taken out of service, and lists what stops and what stays. Focuses
 * Cancel. `keep` replaces its text where `verb` is “Cancel” too. `failed` is a participle: “Not
 * deleted”.
 */
export function AskDialog({
  title,
  stops = [],
  stays = [],
  verb,
  keep,
  failed,
  change,
  children,
  onClose,
}: {
  title: string;
  stops?: readonly string[];
  stays?: readonly string[];
  verb: string;
  keep?: string;
  failed: string;
  change: Change<undefined>;
  children?: ReactNode;
  onClose: () => void;
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      {stops.length + stays.length > 0 && <Goes stops={stops} stays={stays} />}
      {change.isError && <Failed what={failed} error={change.error} />}
      <DialogButtons
        verb={verb}
        keep={keep}
        look="danger"
        first
        busy={change.isPending}
        onAct={() => change.mutate(undefined)}
        onClose={onClose}
      />
    </Dialog>
  );
}

/**
 * `said` is a status line about the last action. `say` sets and focuses it, because the pressed
 * button is gone or about to go.
 */
export function useSaid() {
  const [done, setDone] = useState({ sentence: '' });
  // A new object each time, so that a repeated sentence takes the focus again.
  const say = useCallback((sentence: string) => setDone({ sentence }), []);
  const line = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (done.sentence !== '') line.current?.focus();
  }, [done]);
  return {
    say,
    said: (
      <p className="sm said" role="status" tabIndex={-1} ref={line}>
        {done.sentence}
      </p>
    ),
  };
}

/**
 * For a list whose items ask with `AskHere`: `asked` is the item that asks, or null. `cancel`
 * focuses the button that asked; `finish` focuses `said`.
 */
export function useAsking() {
  const [asked, setAsked] = useState<string | null>(null);
  const cancelled = useRef<string | null>(null);
  const { say, said } = useSaid();
  return {
    asked,
    said,
    /** The props of the button that asks about the item `id`. */
    opener: (id: string) => ({
      ref: (button: HTMLButtonElement | null) => {
        if (button === null || cancelled.current !== id) return;
        cancelled.current = null;
        button.focus();
      },
      onClick: () => {
        cancelled.current = null;
        say('');
        setAsked(id);
      },
    }),
    cancel: () => {
      cancelled.current = asked;
      setAsked(null);
    },
    finish: (sentence: string) => {
      cancelled.current = null;
      setAsked(null);
      say(sentence);
    },
  };
}

/**
 * A short question in place of the pressed button, for an action that has no undo but is easily
 * repaired. Focuses Cancel. Esc closes the question and not the dialog around it. `failed` is a
 * participle.
 */
export function AskHere({
  question,
  about,
  verb,
  failed,
  act,
  stale,
  onClose,
  onDone,
}: {
  question: string;
  about: string;
  verb: string;
  failed: string;
  act: () => Promise<unknown>;
  /** The keys that `act` makes stale. */
  stale: readonly (readonly unknown[])[];
  onClose: () => void;
  onDone: () => void;
}) {
  const change = useChange(act, { stale, onDone });
  const cancel = useRef<HTMLButtonElement>(null);
  const id = useId();
  useEffect(() => cancel.current?.focus(), []);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset's legend cannot hold the sentence
    <div
      className="ask"
      role="group"
      aria-labelledby={id}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      <p id={id}>
        <b>{question}</b>
        {about}
      </p>
      {change.isError && <Failed what={failed} error={change.error} />}
      <div className="acts">
        <Button ref={cancel} onClick={onClose}>
          Cancel
        </Button>
        <Button look="danger" busy={change.isPending} onClick={() => change.mutate(undefined)}>
          {verb}
        </Button>
      </div>
    </div>
  );
}
