import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { DUEL_ENDS_ON_DAY } from '#contract/rules/duels.ts';
import type { Duel, DuelPartner } from '#contract/wire/duels.ts';
import { JerseyOf } from '../avatar/JerseyOf.tsx';
import { Link, navigate } from '../router.tsx';
import { usePartners } from '../session/own-lists.ts';
import { useDuels } from '../session/reads.ts';
import { Failure } from '../shell/Failure.tsx';
import { Button, buttonClass } from '../ui/Button.tsx';
import { Modal, ModalButtons } from '../ui/Modal.tsx';
import { NameBreaks } from '../ui/NameBreaks.tsx';
import picks from '../ui/Picks.module.css';
import { Skeleton } from '../ui/Skeleton.tsx';
import { serverDate } from '../ui/server-clock.ts';
import styles from './OfferSheet.module.css';
import { useDuelActions } from './queries.ts';
import { DUEL_RULE, lastDay } from './words.ts';

function whoText({ team, relation }: DuelPartner): string {
  if (relation === 'team') return 'Your team';
  if (relation === 'opponent') return `${team}, this week’s opponent`;
  return team ?? 'A friend';
}

/** Who the player is, or why they cannot be asked. Uses only the caller's own duels (DUEL-11). */
function noteOf(one: DuelPartner, open: Duel | undefined): string {
  if (open === undefined) return whoText(one);
  if (open.state === 'running') return 'Your duel is on';
  return open.offered_by_me ? 'You asked' : 'Asks you: answer in Duels';
}

function Facts({ name }: { name: string }) {
  return (
    <ul className={styles.facts}>
      <li>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <circle cx="12" cy="12" r="8.5" />
          <path d="M12 7.5V12l3 2" />
        </svg>
        <span>
          If {name} accepts today, it ends on {lastDay(serverDate(), DUEL_ENDS_ON_DAY)} at midnight.
        </span>
      </li>
      <li>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="m5 12.5 4.5 4.5L19 7.5" />
        </svg>
        <span>Only {name} and you see it. It changes nothing in the league.</span>
      </li>
    </ul>
  );
}

/** The sheet that offers a duel to a player of the list. `rival` is preselected. */
export function OfferSheet({
  rival,
  onClose,
}: {
  rival?: string | undefined;
  onClose: () => void;
}) {
  const partners = usePartners();
  const { offer } = useDuelActions();
  const duels = useDuels().data?.pages[0];
  const choices = useRef<HTMLDivElement>(null);
  const [picked, setPicked] = useState(rival);
  const open = new Map(
    [...(duels?.offers ?? []), ...(duels?.running ?? [])].map((duel) => [
      duel.rival.username,
      duel,
    ]),
  );
  const all = partners.data?.results;
  // The preselected rival comes first, so that it is in sight.
  const list = all && [
    ...all.filter(({ username }) => username === rival),
    ...all.filter(({ username }) => username !== rival),
  ];
  const [first] = list ?? [];
  const chosen = list?.find(({ username }) => username === picked && !open.has(username));
  const isRead = first !== undefined;
  useEffect(() => {
    if (!isRead) return;
    choices.current
      ?.querySelector<HTMLInputElement>('input:enabled')
      ?.focus({ preventScroll: true });
    // With large text, the browser has scrolled to the button that had the focus before.
    choices.current?.closest('dialog')?.scrollTo(0, 0);
  }, [isRead]);
  const send = async () => {
    if (offer.isPending || chosen === undefined) return;
    try {
      await offer.mutateAsync(chosen.username);
    } catch {
      // The sheet shows the error.
      return;
    }
    // Not in a callback of `mutate`: it is not called if the button that opened the sheet is gone.
    onClose();
    navigate('/duels');
  };
  // Outside the panel, so that the panel's style does not apply to the sheet.
  return createPortal(
    <Modal title="Offer a duel" onClose={onClose}>
      <p className={styles.about}>{DUEL_RULE}</p>
      {partners.isPending && <Skeleton height="14rem" />}
      {partners.isError && <Failure error={partners.error} />}
      {list?.length === 0 && (
        <p className={styles.about}>
          There is nobody to ask yet. Join a team, or{' '}
          <Link to="/friends" onFollow={onClose}>
            add a friend
          </Link>
          .
        </p>
      )}
      {list && first && (
        <>
          <fieldset className={styles.who}>
            <legend>With whom?</legend>
            <div ref={choices}>
              {list.map((one) => (
                <label key={one.username} className={`${picks.pick} ${styles.pick}`}>
                  <input
                    type="radio"
                    name="rival"
                    checked={one === chosen}
                    disabled={open.has(one.username)}
                    onChange={() => setPicked(one.username)}
                  />
                  <JerseyOf {...one} small />
                  <b>
                    <NameBreaks name={one.username.toUpperCase()} />
                  </b>
                  <small>{noteOf(one, open.get(one.username))}</small>
                </label>
              ))}
            </div>
          </fieldset>
          {chosen && <Facts name={chosen.username.toUpperCase()} />}
        </>
      )}
      <div className={styles.foot}>
        {offer.isError && <Failure error={offer.error} />}
        <ModalButtons>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          {first ? (
            <Button aria-disabled={offer.isPending || chosen === undefined} onClick={send}>
              Offer
            </Button>
          ) : (
            list && (
              <Link className={buttonClass('primary')} to="/friends" onFollow={onClose}>
                Friends
              </Link>
            )
          )}
        </ModalButtons>
      </div>
    </Modal>,
    document.body,
  );
}
