import { useState } from 'react';
import { createPortal } from 'react-dom';
import { DUEL_ENDS_ON_DAY } from '#contract/rules/duels.ts';
import type { DuelPartner } from '#contract/wire/duels.ts';
import { JerseyOf } from '../avatar/JerseyOf.tsx';
import { Link, navigate } from '../router.tsx';
import { Failure } from '../shell/Failure.tsx';
import { Button, buttonClass } from '../ui/Button.tsx';
import { Modal, ModalButtons } from '../ui/Modal.tsx';
import picks from '../ui/Picks.module.css';
import { Skeleton } from '../ui/Skeleton.tsx';
import { serverDate } from '../ui/server-clock.ts';
import styles from './OfferSheet.module.css';
import { useDuelActions, usePartners } from './queries.ts';
import { lastDay } from './words.ts';

function whoText({ team, relation }: DuelPartner): string {
  if (relation === 'team') return 'Your team';
  if (relation === 'opponent') return `${team}, this week’s opponent`;
  return team ?? 'A friend';
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

/** The sheet that offers a duel to somebody of the list. `rival`: who is chosen at first. */
export function OfferSheet({
  rival,
  onClose,
}: {
  rival?: string | undefined;
  onClose: () => void;
}) {
  const partners = usePartners();
  const { offer } = useDuelActions();
  const [picked, setPicked] = useState(rival);
  const list = partners.data?.results;
  const [first] = list ?? [];
  const chosen = picked === undefined ? first : list?.find(({ username }) => username === picked);
  // Not inside the panel, whose style is not for a sheet.
  return createPortal(
    <Modal title="Offer a duel" onClose={onClose}>
      <p className={styles.about}>
        The best single game of 7 days wins. Any machine, as many games as you like.
      </p>
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
            <div>
              {list.map((one) => (
                <label key={one.username} className={`${picks.pick} ${styles.pick}`}>
                  <input
                    type="radio"
                    name="rival"
                    checked={one === chosen}
                    onChange={() => setPicked(one.username)}
                  />
                  <JerseyOf {...one} small />
                  <b>{one.username.toUpperCase()}</b>
                  <small>{whoText(one)}</small>
                </label>
              ))}
            </div>
          </fieldset>
          {chosen && <Facts name={chosen.username.toUpperCase()} />}
        </>
      )}
      {offer.isError && <Failure error={offer.error} />}
      <ModalButtons>
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
        {first ? (
          <Button
            aria-disabled={offer.isPending || chosen === undefined}
            onClick={() => {
              if (!offer.isPending && chosen)
                offer.mutate(chosen.username, {
                  onSuccess: () => {
                    onClose();
                    navigate('/duels');
                  },
                });
            }}
          >
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
    </Modal>,
    document.body,
  );
}
