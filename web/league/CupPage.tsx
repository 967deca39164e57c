import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { idInPath } from '#contract/rules/pages.ts';
import type { CupPairing, CupRound, CupSide, CupPage as Page } from '#contract/wire/cups.ts';
import { getCup, leaveCup } from '../api/calls.ts';
import { ApiError } from '../api/client.ts';
import { KEYS } from '../api/queries.ts';
import { useLocation } from '../router.tsx';
import { useAuth } from '../session/AuthProvider.tsx';
import { Failure } from '../shell/Failure.tsx';
import { Loaded } from '../shell/Loaded.tsx';
import { ShowMyCode } from '../shell/ToProfile.tsx';
import { Button, buttonClass } from '../ui/Button.tsx';
import { clockTime, shortLeft, weekdayAndDay } from '../ui/dates.ts';
import { useDelayed } from '../ui/delayed.ts';
import { Modal, ModalButtons } from '../ui/Modal.tsx';
import { Empty, Panel, PanelPage } from '../ui/Panel.tsx';
import { Segments } from '../ui/Segments.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import styles from './CupPage.module.css';
import { firstRound, gainText, ownPairing, pairingText, sideName } from './cup.ts';
import league from './League.module.css';

const NOT_FOUND = 404;
/** Games of the other side move the sums. */
const REFRESH_MS = 15_000;

function useCup(id: string) {
  const { api } = useAuth();
  return useQuery({
    queryKey: [...KEYS.cup, id],
    queryFn: ({ signal }): Promise<Page | null> =>
      getCup(api, id, signal).catch((error: unknown) => {
        if (error instanceof ApiError && error.status === NOT_FOUND) return null;
        throw error;
      }),
    refetchInterval: ({ state }) => (state.data?.state === 'final' ? false : REFRESH_MS),
    meta: { failure: 'The cup could not be read.', movedBy: ['game', 'cup', 'league'] },
  });
}

const sum = (value: number | undefined) => (value ?? 0).toLocaleString('en');

/** `Fri 27 Nov, 20:30 to 21:45` */
function timeText({ starts_at, ends_at }: Pick<CupPairing, 'starts_at' | 'ends_at'>, now: Date) {
  if (starts_at === null || ends_at === null) return '';
  const [from, to] = [new Date(starts_at), new Date(ends_at)];
  return `${weekdayAndDay(from, now)}, ${clockTime(from)} to ${clockTime(to)}`;
}

/** The own pairing first: the sums, what is to gain, the time left (CUP-30). */
function Mine({ page }: { page: Page }) {
  const own = ownPairing(page);
  if (own === null || page.mine === null) return null;
  const { pairing, round } = own;
  const { mine } = page;
  const now = new Date(page.now);
  const isFirst = pairing.a.seed === mine.seed;
  const [us, them] = isFirst ? [pairing.a, pairing.b] : [pairing.b, pairing.a];
  const at = (own: boolean) => (own === isFirst ? 0 : 1);
  const begun = pairing.starts_at !== null && Date.parse(pairing.starts_at) <= now.getTime();
  const left = pairing.ends_at === null ? 0 : Date.parse(pairing.ends_at) - now.getTime();
  const title = page.rounds[round]?.name ?? '';
  if (pairing.how === 'bye')
    return (
      <Panel title={title} left>
        <p>You go on.</p>
      </Panel>
    );
  return (
    <Panel
      title={pairing.label}
      left
      aside={begun && !pairing.decided ? <span className={league.live}>Live</span> : undefined}
    >
      {!pairing.decided && (
        <p className={league.quiet}>
          {begun
            ? left > 0
              ? `${shortLeft(left)} left`
              : 'Last games are coming in'
            : timeText(pairing, now)}
        </p>
      )}
      {pairing.decided && (
        <p className={league.quiet}>
          {pairing.winner === mine.seed ? 'You go on.' : 'This ended your cup.'}
        </p>
      )}
      <ul className={league.duel}>
        <li>
          <span>{sideName(us)}</span>
          <small>
            {pairing.games?.[at(true)] ?? 0}/{page.of}
            <span className="sr"> games</span>
          </small>
          <b aria-live="polite">{sum(pairing.sums?.[at(true)])}</b>
        </li>
        <li className={league.opponent}>
          <span>
            <span className="sr">Opponent: </span>
            {sideName(them)}
          </span>
          <small>
            {pairing.games?.[at(false)] ?? 0}/{page.of}
            <span className="sr"> games</span>
          </small>
          <b>{sum(pairing.sums?.[at(false)])}</b>
        </li>
      </ul>
      {begun && !pairing.decided && (
        <div className={styles.gain}>
          <h3 className="display">To gain</h3>
          <p>{gainText(mine, page.best)}</p>
          <p>{`You have played ${mine.own_games} of your ${mine.own_max}.`}</p>
        </div>
      )}
    </Panel>
  );
}

function Side({ side, pairing, at }: { side: CupSide; pairing: CupPairing; at: number }) {
  const won = pairing.winner !== null && pairing.winner === side.seed;
  return (
    <div className={won ? `${styles.pair} ${styles.win}` : styles.pair}>
      <span>
        {side.seed !== null && <i>{side.seed}</i>}
        {sideName(side)}
        {won && <span className="sr"> won</span>}
      </span>
      <b>{pairing.sums === null ? '' : sum(pairing.sums[at])}</b>
    </div>
  );
}

function Round({ round, page }: { round: CupRound; page: Page }) {
  const now = new Date(page.now);
  const isOwn = ({ a, b }: CupPairing) =>
    page.mine !== null && [a.seed, b.seed].includes(page.mine.seed);
  return (
    <Panel title={round.name} left>
      <ul className={styles.cup}>
        {round.pairings.map((pairing) => (
          <li key={pairing.id} className={isOwn(pairing) ? styles.ours : undefined}>
            <span className="sr">{pairing.label}</span>
            <Side side={pairing.a} pairing={pairing} at={0} />
            <Side side={pairing.b} pairing={pairing} at={1} />
            <p>{pairingText(pairing, timeText(pairing, now))}</p>
          </li>
        ))}
      </ul>
      <p className={styles.foot}>Equal sums: the higher best game, then the higher seed.</p>
    </Panel>
  );
}

function Rounds({ page }: { page: Page }) {
  const [chosen, choose] = useState<string | null>(null);
  const values = page.rounds.map((_, at) => String(at));
  const value = chosen ?? String(firstRound(page));
  const round = page.rounds[Number(value)];
  return (
    <>
      <Segments
        legend="Round"
        values={values}
        names={Object.fromEntries(page.rounds.map(({ name }, at) => [String(at), name]))}
        value={value}
        onChoose={choose}
      />
      {round !== undefined && <Round round={round} page={page} />}
    </>
  );
}

/** A side of players may leave; only staff undo it (CUP-34). */
function Leave({ page }: { page: Page }) {
  const { api } = useAuth();
  const [asking, ask] = useState(false);
  const queries = useQueryClient();
  const leaving = useMutation({
    mutationFn: () => leaveCup(api, page.id),
    onSuccess: () => {
      ask(false);
      return queries.invalidateQueries({ queryKey: KEYS.cup });
    },
  });
  if (!page.mine?.can_leave) return null;
  return (
    <>
      <Button look="quiet" onClick={() => ask(true)}>
        I cannot come
      </Button>
      {asking && (
        <Modal title="Leave the cup?" onClose={() => ask(false)}>
          <p>Your opponent goes on without a game. Only staff can undo this.</p>
          {leaving.isError && <Failure error={leaving.error} />}
          <ModalButtons>
            <Button look="quiet" onClick={() => ask(false)}>
              Cancel
            </Button>
            <Button onClick={() => leaving.isPending || leaving.mutate()}>Leave the cup</Button>
          </ModalButtons>
        </Modal>
      )}
    </>
  );
}

/** A cup (CUP-30): the own pairing, then the rounds. */
export function CupPage() {
  const { path } = useLocation();
  const query = useCup(idInPath(path)?.id ?? '');
  const { data } = query;
  const waiting = useDelayed(query.isPending);
  return (
    <PanelPage
      title={data?.name ?? 'Cup'}
      lead={
        data
          ? `${data.venue ?? 'All venues'}, ${data.sides} ${data.kind}. Best ${data.best} of ${data.of} games.`
          : undefined
      }
    >
      <Loaded
        data={data}
        waiting={waiting}
        query={query}
        skeleton={<Skeleton height="12rem" />}
        safe="Your games are safe. The cup will be here when you have a signal again."
        empty={<Empty title="No such cup" text="It may be over, or not yours to see." />}
      >
        {(page) => (
          <>
            {page.champion !== null && (
              <p className={styles.champion}>
                <b className="display">{sideName(page.champion)}</b>
                Won the cup
              </p>
            )}
            <Mine page={page} />
            <Rounds page={page} />
            <Leave page={page} />
            <ShowMyCode className={buttonClass('primary')} />
          </>
        )}
      </Loaded>
    </PanelPage>
  );
}
