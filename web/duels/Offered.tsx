import { useEffect, useId, useState } from 'react';
import { createPortal } from 'react-dom';
import { DUEL_ENDS_ON_DAY } from '#contract/rules/duels.ts';
import type { Duel } from '#contract/wire/duels.ts';
import { ApiError } from '../api/client.ts';
import { JerseyOf } from '../avatar/JerseyOf.tsx';
import { Failure } from '../shell/Failure.tsx';
import { Later, NotLoaded, script, useSheet } from '../shell/Later.tsx';
import { Button } from '../ui/Button.tsx';
import { weekdayAndTime } from '../ui/dates.ts';
import panel from '../ui/Panel.module.css';
import { serverDate } from '../ui/server-clock.ts';
import styles from './Duel.module.css';
import { useBlock, useDuelActions } from './queries.ts';
import { lastDay, rivalName } from './words.ts';

const endFriendship = script(() =>
  import('../shell/EndFriendship.tsx').then((m) => m.EndFriendship),
);

/** How long the panel offers to undo a block. */
const UNDO_MS = 10_000;

type OfferedProps = {
  duel: Duel;
  /** Called with whether a request, a sheet or the undo of a block is open, or an error shows. */
  onBusy: (busy: boolean) => void;
  onGone: () => void;
  /** Called after `onGone` when the player has answered, for the focus. */
  onAnswered: () => void;
};

/** An offer that the player can accept, decline, or answer by blocking the rival (DUEL-10). */
export function Offered({ duel, onBusy, onGone, onAnswered }: OfferedProps) {
  const id = useId();
  const { answer } = useDuelActions();
  const { block, undo } = useBlock();
  const [blocked, setBlocked] = useState<string | null>(null);
  /** The rival's number among the friends, while the player is asked about the block. */
  const [friend, setFriend] = useState<string | null>(null);
  const { opened, open, close } = useSheet();
  const EndFriendship = endFriendship();
  const name = rivalName(duel);
  const answered = () => {
    onGone();
    onAnswered();
  };
  const send = (how: 'accept' | 'decline') => {
    if (answer.isPending) return;
    // Who declines an offer that has ended has what they wanted.
    const onError = (failure: Error) => {
      if (how === 'decline' && failure instanceof ApiError && failure.status === 400) answered();
    };
    answer.mutate({ id: duel.id, how }, { onSuccess: answered, onError });
  };
  const sending = answer.isPending || block.isPending || undo.isPending;
  const error = answer.error ?? block.error ?? undo.error;
  const busy = sending || blocked !== null || opened > 0 || error !== null;
  useEffect(() => onBusy(busy), [busy, onBusy]);
  useEffect(() => {
    if (blocked === null) return;
    const timer = setTimeout(onGone, UNDO_MS);
    return () => clearTimeout(timer);
  }, [blocked, onGone]);
  if (blocked !== null)
    return (
      <section className={panel.panel} aria-label={`No duels from ${name}`}>
        <p className={styles.tail} role="status">
          <span>No duels from {name}. You can change it in Account.</span>
          <button
            type="button"
            className="textlink"
            onClick={() => undo.mutate(blocked, { onSuccess: answered })}
          >
            Undo
          </button>
        </p>
        {error && <Failure error={error} />}
      </section>
    );
  return (
    <section className={`${panel.panel} ${styles.ask}`} aria-labelledby={id}>
      <JerseyOf {...duel.rival} small />
      <h2 id={id} className="display">
        {name} offers you a duel
      </h2>
      <p>
        The best single game wins: any machine, as many games as you like. If you accept now, it
        ends on <b>{lastDay(serverDate(), DUEL_ENDS_ON_DAY)}</b> at midnight.
      </p>
      {error && <Failure error={error} />}
      <div className={styles.buttons}>
        <Button look="quiet" aria-disabled={answer.isPending} onClick={() => send('decline')}>
          No, thanks
        </Button>
        <Button aria-disabled={answer.isPending} onClick={() => send('accept')}>
          Accept
        </Button>
      </div>
      <p className={styles.tail}>
        <span>The offer stands until {weekdayAndTime(new Date(duel.accept_until))}.</span>
        <button
          type="button"
          className="textlink"
          onClick={() => {
            if (block.isPending) return;
            block.mutate(duel, {
              onSuccess: (done) => {
                if (done.friend !== null) {
                  setFriend(done.friend);
                  open();
                } else if (done.blocked !== null) setBlocked(done.blocked);
                else answered();
              },
            });
          }}
        >
          No duels from {name}
        </button>
      </p>
      {opened > 0 && friend !== null && (
        <Later key={opened} instead={<NotLoaded />}>
          {/* Outside the panel, so that the panel's style does not apply to the sheet. */}
          {createPortal(
            <EndFriendship
              n={friend}
              name={name}
              how="block"
              duel={duel}
              onClose={close}
              onEnded={answered}
            />,
            document.body,
          )}
        </Later>
      )}
    </section>
  );
}
