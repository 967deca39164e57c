import { useState } from 'react';
import { ONLY_THIRD_IS_OPEN, onlyThirdIsOpen } from '#contract/rules/cups.ts';
import type { CupForStaff, CupPairing } from '#contract/wire/cups.ts';
import { useServerTime } from '../../web/ui/server-time.ts';
import { correctCup, drawCup, leaveCup, readCup, withdrawFromCup } from '../api/calls.ts';
import { CONTESTS, useChange, useRead } from '../api/queries.ts';
import { Loaded } from '../shell/Loaded.tsx';
import { Page } from '../shell/Page.tsx';
import { useTurns } from '../shell/until.ts';
import { useSaid } from '../ui/ask.tsx';
import { Button } from '../ui/Button.tsx';
import { CorrectOrLeave } from '../ui/CorrectOrLeave.tsx';
import { spanOf } from '../ui/machine-words.ts';
import { Failed } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';
import { count } from '../ui/times.ts';
import { CupTree } from './CupTree.tsx';
import {
  CancelDialog,
  DecideDialog,
  PlayersDialog,
  SeedsDialog,
  WindowDialog,
  WithdrawDialog,
} from './cup-dialogs.tsx';
import { sideName, unnamedWords } from './cup-words.ts';
import { openRounds, RoundsDialog } from './RoundsDialog.tsx';
import { Reopened, useNewEnds } from './reopened.tsx';
import { waitEndsWords, waitsWords } from './words.ts';

type Side = CupForStaff['side_list'][number];
type Asking =
  | { what: 'seeds' | 'cancel' | 'rounds' }
  | { what: 'window' | 'decide'; pairing: CupPairing }
  | { what: 'players' | 'withdraw'; side: Side };

/** A cup: its tree, what it waits for, and what staff decide (CUP-33). */
export function Cup({ id }: { id: string }) {
  const read = useRead([...CONTESTS, 'cup', id], () => readCup(id), [
    'contests',
    'games',
    'held',
    'machines',
  ]);
  const pairings = read.data?.rounds.flatMap((round) => round.pairings) ?? [];
  useTurns(
    read,
    pairings.flatMap(({ starts_at, ends_at }) => [starts_at, ends_at]),
  );
  return (
    <Loaded read={read} what="the cup">
      {(page) => <Night page={page} />}
    </Loaded>
  );
}

function Night({ page }: { page: CupForStaff }) {
  const { cup, rounds, now } = page;
  const [asking, ask] = useState<Asking | null>(null);
  const { say, said } = useSaid();
  const close = () => ask(null);
  const drawing = useChange(() => drawCup(cup.id), {
    stale: [CONTESTS],
    onDone: () => say('The seeds are drawn.'),
  });
  const hot = [...page.waiting, ...page.offers].map(({ pairing }) => pairing);
  return (
    <Page
      title={cup.name}
      about={`${cup.season === null ? '' : `It decides the title of ${cup.season}. `}${cup.venue ?? 'All venues'}, ${count(cup.sides, cup.kind === 'teams' ? 'team' : 'player')}. Best ${cup.best} of a side’s first ${cup.of} games${cup.per_player === null ? '' : `, ${cup.per_player} a player at most`}.`}
      back={{ to: '/console/contests', name: 'Contests' }}
      actions={
        <>
          {cup.state === 'planned' && (
            <>
              <Button onClick={() => ask({ what: 'seeds' })}>Sides and seeds</Button>
              <Button busy={drawing.isPending} onClick={() => drawing.mutate(undefined)}>
                Draw the seeds
              </Button>
            </>
          )}
          {page.cancellable && (
            <Button onClick={() => ask({ what: 'cancel' })}>Cancel the cup</Button>
          )}
        </>
      }
    >
      {said}
      {drawing.isError && <Failed what="Not drawn" error={drawing.error} />}
      <Panel title="Tree" action={<RoundNow page={page} />}>
        {cup.winner !== null && <p className="sm mt2">{cup.winner} won the cup.</p>}
        {cup.state === 'final' && cup.winner === null && (
          <p className="sm mt2">Nobody played the final: there is no winner.</p>
        )}
        {onlyThirdIsOpen(rounds) && <p className="sm mt2">{ONLY_THIRD_IS_OPEN}</p>}
        <CupTree rounds={rounds} timezone={cup.timezone} of={cup.of} now={now} hot={hot} />
      </Panel>
      <div className="cols cols--even mt4">
        <div className="col">
          {page.offers.map((offer) => (
            <Offer key={offer.pairing} page={page} offer={offer} say={say} />
          ))}
          <Waiting page={page} />
          <Pairings page={page} ask={ask} />
        </div>
        <div className="col">
          <Sides page={page} ask={ask} say={say} />
          {page.rulings.length > 0 && (
            <Panel title="Rulings" flush>
              <ul className="rows mt2">
                {page.rulings.map(({ pairing, reason, who }) => (
                  <li key={pairing}>
                    <span>
                      <b>{`${pairing}: ${ruledWinner(rounds, pairing)} won`}</b>
                      <small>{`${reason} (${who})`}</small>
                    </span>
                  </li>
                ))}
              </ul>
            </Panel>
          )}
        </div>
      </div>
      {asking?.what === 'seeds' && <SeedsDialog page={page} onClose={close} say={say} />}
      {asking?.what === 'rounds' && <RoundsDialog page={page} onClose={close} />}
      {asking?.what === 'cancel' && <CancelDialog page={page} onClose={close} />}
      {asking?.what === 'window' && (
        <WindowDialog page={page} pairing={asking.pairing} onClose={close} />
      )}
      {asking?.what === 'decide' && (
        <DecideDialog page={page} pairing={asking.pairing} onClose={close} />
      )}
      {asking?.what === 'players' && (
        <PlayersDialog page={page} side={asking.side} onClose={close} />
      )}
      {asking?.what === 'withdraw' && (
        <WithdrawDialog page={page} side={asking.side} onClose={close} />
      )}
    </Page>
  );
}

/** The name of the side that won the pairing `label` by a ruling. */
function ruledWinner(rounds: CupForStaff['rounds'], label: string): string {
  const pairing = rounds.flatMap(({ pairings }) => pairings).find((one) => one.label === label);
  const side = [pairing?.a, pairing?.b].find((one) => one && one.seed === pairing?.winner);
  return side ? sideName(side) : 'Nobody';
}

/** The running round, and the time left in it. */
function RoundNow({ page: { rounds } }: { page: CupForStaff }) {
  const now = useServerTime(1_000);
  const round = rounds.find(
    ({ starts_at, ends_at, pairings }) =>
      starts_at !== null &&
      ends_at !== null &&
      Date.parse(starts_at) <= now &&
      now < Date.parse(ends_at) &&
      pairings.some(({ decided }) => !decided),
  );
  if (round?.ends_at == null) return null;
  return (
    <span className="live live--round">
      <i />
      {`${round.name}, ${spanOf(new Date(now).toISOString(), new Date(round.ends_at))} left`}
    </span>
  );
}

function Waiting({ page: { waiting, rounds, now } }: { page: CupForStaff }) {
  if (waiting.length === 0) return null;
  return (
    <Panel title="Last games are coming in" flush>
      <ul className="rows mt2">
        {waiting.map(({ pairing, machines, held, until }) => (
          <li key={pairing}>
            <span>
              <b>{pairing}</b>
              {held > 0 && <small>{count(held, 'held game')}</small>}
              {machines.map((wait) => (
                <small key={wait.machine}>{waitsWords(wait)}</small>
              ))}
              <small>{waitEndsWords(until, { machines: machines.length, held })}</small>
            </span>
          </li>
        ))}
      </ul>
      {rounds.some(({ starts_at }) => (starts_at ?? now) > now) && (
        <p className="sm mt2 mb3">The next round still begins on time.</p>
      )}
    </Panel>
  );
}

function Pairings({ page, ask }: { page: CupForStaff; ask: (asking: Asking) => void }) {
  const shown = page.rounds.flatMap(({ pairings }) => pairings.filter(({ how }) => how !== 'bye'));
  const isBegun = page.cup.state !== 'planned';
  return (
    <Panel
      title="Pairings"
      flush
      action={
        openRounds(page).length > 0 && (
          <Button onClick={() => ask({ what: 'rounds' })}>Move the rounds</Button>
        )
      }
    >
      {!isBegun && (
        <p className="sm mt2">
          You can decide a pairing once the first round has begun. If somebody cannot come, withdraw
          their side.
        </p>
      )}
      {page.cup.state === 'running' && (
        <p className="sm mt2">
          When a window is over, a side that has not played loses to one that has. If neither has,
          nobody goes on. To send a side on at once, withdraw its opponent.
        </p>
      )}
      {page.cup.state === 'running' && !page.cancellable && (
        <p className="sm mt2">The cup can no longer be cancelled, because a pairing is decided.</p>
      )}
      <ul className="rows rows--fold mt2">
        {shown.map((pairing) => (
          <li key={pairing.id}>
            <span>
              <b>{pairing.label}</b>
              <small>{`${sideName(pairing.a)} – ${sideName(pairing.b)}`}</small>
            </span>
            <span className="acts">
              {!pairing.decided && (
                <Button onClick={() => ask({ what: 'window', pairing })}>
                  Move window<span className="sr"> of {pairing.label}</span>
                </Button>
              )}
              {isBegun && pairing.a.seed !== null && pairing.b.seed !== null && (
                <Button onClick={() => ask({ what: 'decide', pairing })}>
                  Decide<span className="sr"> {pairing.label}</span>
                </Button>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Sides({
  page,
  ask,
  say,
}: {
  page: CupForStaff;
  ask: (asking: Asking) => void;
  say: (sentence: string) => void;
}) {
  const { cup, side_list, unnamed } = page;
  // Later, no window is left to begin (CUP-11).
  const playersChange = (page.rounds.at(-1)?.starts_at ?? '') > page.now;
  const returning = useChange((side: Side) => withdrawFromCup(cup.id, side.seed, true), {
    stale: [CONTESTS],
    onDone: () => say('The side is back.'),
  });
  return (
    <Panel title="Sides" flush>
      {returning.isError && <Failed what="Not taken back" error={returning.error} />}
      {cup.state === 'planned' && unnamed > 0 && <p className="sm mt2">{unnamedWords(unnamed)}</p>}
      <ul className="rows rows--fold mt2">
        {side_list.map((side) => (
          <li key={side.seed}>
            <span>
              <b>{`${side.seed}. ${side.name}`}</b>
              {cup.kind === 'teams' && <small>{side.players.join(', ')}</small>}
              {side.withdrew && <small>Withdrew</small>}
            </span>
            <span className="acts">
              {cup.kind === 'teams' && cup.state === 'running' && playersChange && (
                <Button onClick={() => ask({ what: 'players', side })}>
                  Players<span className="sr"> of {side.name}</span>
                </Button>
              )}
              {cup.state !== 'final' && !side.withdrew && (
                <Button onClick={() => ask({ what: 'withdraw', side })}>
                  Withdraw<span className="sr"> {side.name}</span>
                </Button>
              )}
              {side.withdrew && (
                <Button busy={returning.isPending} onClick={() => returning.mutate(side)}>
                  Take back<span className="sr"> {side.name}</span>
                </Button>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** What a new count would change, and what that reopens (CUP-20, CUP-23). */
function Offer({
  page,
  offer,
  say,
}: {
  page: CupForStaff;
  offer: CupForStaff['offers'][number];
  say: (sentence: string) => void;
}) {
  const { cup } = page;
  const ends = useNewEnds(page);
  return (
    <CorrectOrLeave
      title="A new count would change"
      verb="Correct the tree"
      stale={[CONTESTS]}
      correct={(reason) =>
        correctCup(cup.id, {
          pairing: offer.pairing,
          reason,
          windows: ends.of(offer.windows),
        })
      }
      leave={() => leaveCup(cup.id, offer.pairing)}
      corrected={({ changes }) => changes.join(' ')}
      left="Left as it is."
      say={say}
      fields={(errors) => ends.fields(offer.windows, errors.windows)}
    >
      <p className="sm mt2">{offer.text}</p>
      <Reopened labels={offer.reopens} />
    </CorrectOrLeave>
  );
}
