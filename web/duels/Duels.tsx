import { useEffect, useRef, useState } from 'react';
import type { Duel, DuelsAnswer } from '#contract/wire/duels.ts';
import type { User } from '#contract/wire/profile.ts';
import { JerseyOf } from '../avatar/JerseyOf.tsx';
import { navigate, useLocation } from '../router.tsx';
import { useAuth } from '../session/AuthProvider.tsx';
import { useDuels } from '../session/reads.ts';
import { isDuelDone, putAwayDuel, seeDuel } from '../session/seen.ts';
import { hasTeam } from '../session/team.ts';
import { Failure } from '../shell/Failure.tsx';
import { Loaded } from '../shell/Loaded.tsx';
import { Button } from '../ui/Button.tsx';
import { dayAndMonth, weekdayAndTime } from '../ui/dates.ts';
import { useDelayed } from '../ui/delayed.ts';
import { NameBreaks } from '../ui/NameBreaks.tsx';
import { Panel } from '../ui/Panel.tsx';
import { Empty, PanelPage } from '../ui/PanelPage.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { serverDate } from '../ui/server-clock.ts';
import { Decided } from './Decided.tsx';
import styles from './Duel.module.css';
import { newestDecided } from './newest.ts';
import { OfferDuel, OfferTo } from './OfferDuel.tsx';
import { useDuelActions } from './queries.ts';
import { Running } from './Running.tsx';
import { askedText, DUEL_RULE, resultWords, rivalName, scoresOf } from './words.ts';

function Offer({ duel }: { duel: Duel }) {
  const { answer } = useDuelActions();
  const name = rivalName(duel);
  const send = (how: 'accept' | 'decline' | 'takeBack') => () => {
    if (!answer.isPending) answer.mutate({ id: duel.id, how });
  };
  return (
    <li>
      <JerseyOf {...duel.rival} small />
      <div>
        <b>
          <NameBreaks name={name} />
        </b>
        <small>
          {duel.offered_by_me
            ? askedText(new Date(duel.offered_at), serverDate())
            : `Until ${weekdayAndTime(new Date(duel.accept_until))}`}
        </small>
        {answer.isError && <Failure error={answer.error} />}
      </div>
      {duel.offered_by_me ? (
        <button
          type="button"
          className="textlink"
          aria-label={`Take it back, the offer to ${name}`}
          onClick={send('takeBack')}
        >
          Take it back
        </button>
      ) : (
        <div className={styles.two}>
          <Button look="quiet" aria-label={`No to the duel of ${name}`} onClick={send('decline')}>
            No
          </Button>
          <Button aria-label={`Accept the duel of ${name}`} onClick={send('accept')}>
            Accept
          </Button>
        </div>
      )}
    </li>
  );
}

/** Says which of the two had no game, in place of the missing score. */
function missingText({ own, other }: ReturnType<typeof scoresOf>): string {
  if (own === null) return other === null ? '' : ' · no game of yours';
  return other === null ? ' · no game of theirs' : '';
}

function Result({ duel }: { duel: Duel }) {
  const scores = scoresOf(duel);
  const { own, other } = scores;
  const side = (score: number | null, wins: boolean) =>
    score === null ? null : <span className={wins ? undefined : styles.quiet}>{score}</span>;
  return (
    <li>
      <JerseyOf {...duel.rival} small />
      <div>
        <b>
          <NameBreaks name={rivalName(duel)} />
        </b>
        <small>
          <span className={`${styles.how} ${styles[`how_${duel.result}`] ?? ''}`}>
            {resultWords(duel.result, scores)}
          </span>
          {missingText(scores)} ·{' '}
          {dayAndMonth(new Date(new Date(duel.ends_at ?? 0).getTime() - 1), serverDate())}
        </small>
      </div>
      <span className={styles.figures}>
        {side(own, duel.result !== 'lost')}
        {own !== null && other !== null && <span className={styles.quiet}> – </span>}
        {side(other, duel.result !== 'won')}
      </span>
    </li>
  );
}

function Off() {
  const { turnOn } = useDuelActions();
  return (
    <Panel title="Your duels are off">
      <p className={styles.about}>Nobody can offer you one, and you can offer none.</p>
      {turnOn.isError && <Failure error={turnOn.error} />}
      <div className={styles.buttons}>
        <Button look="quiet" onClick={() => turnOn.mutate()}>
          Turn duels on
        </Button>
      </div>
    </Panel>
  );
}

function NoDuel({ on, withTeam }: { on: boolean; withTeam: boolean }) {
  return (
    <Empty
      title="No duel yet"
      text={`Pick ${withTeam ? 'somebody of your league' : 'a friend'}. The best single game of 7 days wins.`}
      drawing={
        <svg viewBox="0 0 168 76" aria-hidden="true" className={styles.drawing}>
          <path d="M76 8H24A16 16 0 0 0 8 24v28a16 16 0 0 0 16 16h52ZM92 8h52a16 16 0 0 1 16 16v28a16 16 0 0 1-16 16H92Z" />
          <circle cx="84" cy="38" r="19" />
        </svg>
      }
    >
      {on && <OfferDuel look="primary" />}
    </Empty>
  );
}

const isWithoutDuels = ({ running, offers, results }: DuelsAnswer): boolean =>
  running.length + offers.length + results.length === 0;

/** "Won 3, lost 1, level 1" of all decided duels. */
function countsText(duels: DuelsAnswer): string {
  const { won, lost, level } = duels;
  if (won + lost + level > 0) return `Won ${won}, lost ${lost}, level ${level}`;
  return isWithoutDuels(duels) ? 'None yet' : 'None decided yet';
}

type ShownProps = {
  first: DuelsAnswer;
  results: Duel[];
  user: User;
  more: (() => void) | null;
};

function Shown({ first, results, user, more }: ShownProps) {
  const { on, offers, running } = first;
  const [done, setDone] = useState(false);
  const list = useRef<HTMLHeadingElement>(null);
  const newest = newestDecided(results, serverDate());
  const shown = newest !== null && !done && !isDuelDone(newest.id) ? newest : null;
  useEffect(() => {
    if (newest !== null) seeDuel(newest.id);
  }, [newest]);
  const isAsked = offers.some(({ offered_by_me }) => !offered_by_me);
  const decided = results.filter((duel) => duel !== shown);
  const isEmpty = isWithoutDuels(first);
  return (
    <>
      {shown && (
        <Decided
          duel={shown}
          user={user}
          onDone={() => {
            putAwayDuel(shown.id);
            setDone(true);
            requestAnimationFrame(() => list.current?.focus());
          }}
        />
      )}
      {!on && <Off />}
      {running.map((duel) => (
        <Running key={duel.id} duel={duel} user={user} />
      ))}
      {offers.length > 0 && (
        <Panel title="Offers">
          {isAsked && <p className={styles.about}>{DUEL_RULE}</p>}
          <ul className={styles.folk}>
            {offers.map((duel) => (
              <Offer key={duel.id} duel={duel} />
            ))}
          </ul>
        </Panel>
      )}
      {decided.length > 0 && (
        <Panel title="Decided" heading={list}>
          <ul className={styles.folk}>
            {decided.map((duel) => (
              <Result key={duel.id} duel={duel} />
            ))}
          </ul>
          {more && (
            <div className={styles.buttons}>
              <Button look="quiet" onClick={more}>
                Show older duels
              </Button>
            </div>
          )}
          {decided.some(({ final }) => !final) && (
            <p className={styles.under}>
              Late games and games taken out can change a result for 30 days.
            </p>
          )}
        </Panel>
      )}
      {isEmpty && <NoDuel on={on} withTeam={hasTeam(user.team)} />}
      {!isEmpty && on && !shown && (
        <div className={styles.offer}>
          <OfferDuel look={isAsked ? 'quiet' : 'primary'} />
        </div>
      )}
    </>
  );
}

/** Duels: running, offers, decided (DUEL-01). */
export function Duels() {
  const { user } = useAuth();
  // The rival, if the player comes from that player's card.
  const rival = new URLSearchParams(useLocation().query).get('with');
  const query = useDuels();
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const waiting = useDelayed(query.isPending);
  const first = data?.pages[0];
  return (
    <PanelPage title="Duels" lead={first && countsText(first)} aria-busy={query.isPending}>
      <Loaded
        query={query}
        data={first}
        waiting={waiting}
        skeleton={<Skeleton height="16rem" />}
        safe="Your duels go on. They will be here when you have a signal again."
      >
        {(one) =>
          user && (
            <Shown
              first={one}
              results={data?.pages.flatMap(({ results }) => results) ?? []}
              user={user}
              more={
                hasNextPage
                  ? () => {
                      if (!isFetchingNextPage) void fetchNextPage();
                    }
                  : null
              }
            />
          )
        }
      </Loaded>
      {rival !== null && (
        <OfferTo rival={rival} onClose={() => navigate('/duels', { replace: true })} />
      )}
    </PanelPage>
  );
}
