import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import logo from '#brand/logo-reverse.svg';
import type { CourtSetup } from '#contract/wire/court.ts';
import type { GameResult, Greeting } from '#contract/wire/machines.ts';
import type { StartedGame } from '../cabinet/client/sender.ts';
import { BlankJersey, Jersey } from '../web/avatar/Jersey.tsx';
import { Cable } from './Cable.tsx';
import { Deck } from './Deck.tsx';
import { GAME_S, NO_SHOTS, type Tally } from './game.ts';
import { withPlayerHere } from './here.ts';
import { becomeMachine, CourtMachine, readSetup, type Settled } from './machine.ts';
import { Scene } from './Scene.tsx';
import { GreetingSlip, ResultSlip, SentSlip } from './Slip.tsx';
import { useGame } from './use-game.ts';
import { WhoPlays } from './WhoPlays.tsx';
import { Wire } from './Wire.tsx';
import { nameless, STOPPED, slipLines } from './words.ts';

/* /dev/court, from the greeting to the sent game. */

/** `greeting` is null without the server. */
type Guest = { code: string; greeting: Greeting | null };
type Choosing = { name: 'choosing'; say: string; hint: string; error: string | null };
type Step =
  | Choosing
  | { name: 'greeting'; guest: Guest }
  | { name: 'playing'; guest: Guest; started: StartedGame }
  | { name: 'result'; guest: Guest; id: string | null; tally: Tally; result: GameResult | null }
  | { name: 'sent'; guest: Guest | null; settled: Settled[]; waitedMs: number };

const CHOOSE: Choosing = {
  name: 'choosing',
  say: 'Hold your code to the machine',
  hint: 'Choose a player, then hold the code up. The square on the board is the scanner.',
  error: null,
};
/** The API's sentence for an unknown code (MACH-02). */
const UNKNOWN = 'No player has this code.';
const UNKNOWN_STEP: Choosing = {
  name: 'choosing',
  say: 'No player has this code',
  hint: 'It may be misread, the account may be gone, or the player has a new code.',
  error: UNKNOWN,
};

/** Up to this width, the page scrolls to the machine at each step. */
const NARROW = '(max-width: 1023px)';

const SCENE_LABELS: Record<Step['name'], string> = {
  choosing: 'The machine waits: a backboard with a painted square, a red rim and a net',
  greeting: 'The machine is ready',
  playing: 'A backboard with a painted square, and a ball on the lane',
  result: 'The game is over',
  sent: 'The game is over',
};

function Led({ step, seconds, tally }: { step: Step; seconds: number; tally: Tally }) {
  const guest = step.name === 'choosing' ? null : step.guest;
  if (guest === null)
    return (
      <div className="led">
        <p className="led__say display" role="status">
          {step.name === 'choosing' ? step.say : 'The network is back'}
        </p>
      </div>
    );
  const { code, greeting } = guest;
  const played = step.name === 'result' && isLeagueGame(step.result) ? 1 : 0;
  const left = Math.max(0, (greeting?.league_games_left ?? 0) - played);
  const under =
    greeting === null
      ? 'No greeting without a network'
      : step.name !== 'greeting' && greeting.team && greeting.league_mode_enabled
        ? `${left} league ${left === 1 ? 'game' : 'games'} left`
        : (greeting.team?.name ?? 'No team yet');
  const shown = step.name === 'greeting' ? NO_SHOTS : tally;
  return (
    <div className="led">
      <div className="led__who">
        <span aria-hidden="true">
          {greeting ? (
            <Jersey
              className="jersey"
              small
              username={greeting.username}
              color={greeting.avatar_color}
              number={greeting.jersey_number}
            />
          ) : (
            <BlankJersey className="jersey" />
          )}
        </span>
        <div>
          <b className="display">{greeting?.username ?? nameless(code)}</b>
          <small>{under}</small>
        </div>
      </div>
      <dl className="mid">
        <div>
          <dt>Seconds</dt>
          <dd className="main">{step.name === 'greeting' ? GAME_S : seconds}</dd>
        </div>
      </dl>
      <dl className="right">
        <div className="hits">
          <dt>Hits</dt>
          <dd>{shown.hits}</dd>
        </div>
        <div>
          <dt>Score</dt>
          <dd className="main">{shown.score}</dd>
        </div>
      </dl>
    </div>
  );
}

const isLeagueGame = (result: GameResult | null): boolean =>
  result?.status === 'recorded' && result.counts === 'league';

function spoken(step: Step, seconds: number): string {
  if (step.name === 'result') return 'Time';
  if (step.name !== 'playing' || seconds > 10 || seconds === 0) return '';
  return seconds > 5 ? '10 seconds' : '5 seconds';
}

const endOf = ({ game }: Settled): number =>
  Date.parse(game.played_at) + 1000 * (game.duration_s ?? GAME_S);

function Floor({ setup, machine }: { setup: CourtSetup; machine: CourtMachine }) {
  const state = useSyncExternalStore(machine.subscribe, machine.state);
  const [step, setStep] = useState<Step>(CHOOSE);
  const [players] = useState(() => withPlayerHere(setup.players));
  const [chosen, setChosen] = useState(players[0]?.uuid ?? null);
  const [held, setHeld] = useState(false);
  const [known, setKnown] = useState<ReadonlyMap<string, string>>(
    () => new Map(players.map(({ uuid, username }) => [uuid, username])),
  );
  const achievements = useMemo(
    () => new Map(setup.achievements.map(({ key, name }) => [key, name])),
    [setup],
  );
  const now = useRef(step);
  now.current = step;

  const game = useGame(held, async (tally) => {
    const { current } = now;
    if (current.name !== 'playing') return;
    const { guest, started } = current;
    // The result may arrive before `finish` resolves, so set the step now.
    setStep({ name: 'result', guest, id: started.id, tally, result: null });
    now.current = { name: 'result', guest, id: started.id, tally, result: null };
    await machine
      .finish(started, {
        score: tally.score,
        duration_s: GAME_S,
        shots_made: tally.hits,
        shots_attempted: tally.shots,
      })
      .catch(() =>
        setStep({
          ...CHOOSE,
          say: 'The game could not be kept',
          hint: 'The browser has no room on disk. Free some, and play again.',
        }),
      );
  });

  useEffect(() => {
    machine.onSettled = (settled) => {
      const { current } = now;
      const own = current.name === 'result' && settled.find((one) => one.game.id === current.id);
      if (current.name === 'result' && own && settled.length === 1)
        return setStep({ ...current, result: own.result });
      if (current.name === 'playing' || current.name === 'greeting') return;
      const guest = current.name === 'choosing' ? null : current.guest;
      const [oldest] = settled;
      if (oldest)
        setStep({
          name: 'sent',
          guest,
          settled,
          waitedMs: Math.max(0, Date.now() - endOf(oldest)),
        });
    };
    return () => {
      machine.onSettled = () => undefined;
    };
  }, [machine]);

  const holdUp = async (code: string) => {
    const greeted = await machine.greet(code);
    // A late answer must not end a game that has begun since.
    if (now.current.name === 'playing') return;
    if (machine.state().stopped)
      return setStep({ ...CHOOSE, say: 'The machine has stopped', hint: `${STOPPED}.` });
    if (greeted.status === 'unknown') return setStep(UNKNOWN_STEP);
    const greeting = greeted.status === 'player' ? greeted.greeting : null;
    if (greeting) setKnown((last) => new Map(last).set(code, greeting.username));
    setStep({ name: 'greeting', guest: { code, greeting } });
  };
  const play = (guest: Guest) => {
    setStep({ name: 'playing', guest, started: machine.begin(guest.code) });
    game.start();
  };
  const otherPlayer = () => {
    setStep(CHOOSE);
    requestAnimationFrame(() => {
      const found = ['.who-list :checked', '#code', '#who'].map((one) =>
        document.querySelector<HTMLElement>(one),
      );
      found.find((element) => element !== null)?.focus();
    });
  };
  const again = (guest: Guest | null) => () =>
    guest === null ? otherPlayer() : void holdUp(guest.code);

  useEffect(() => {
    if (step.name === 'choosing' || !matchMedia(NARROW).matches) return;
    document.querySelector('.machine')?.scrollIntoView({ block: 'start' });
  }, [step.name]);

  const over = step.name !== 'choosing' && step.name !== 'playing';
  const choosing = step.name === 'choosing' || step.name === 'greeting';
  return (
    <main className={`hall ${step.name === 'choosing' ? 'choosing' : ''}`} id="main">
      <section className="machine" aria-label={`Machine ${setup.machine}`}>
        <Led step={step} seconds={game.seconds} tally={game.tally} />
        <Scene
          label={SCENE_LABELS[step.name]}
          scanning={step.name === 'choosing'}
          flight={game.flight}
          covered={over}
          onShoot={step.name === 'playing' ? game.shoot : null}
        />
        {step.name === 'choosing' ? (
          <div className="deck">
            <p>{step.hint}</p>
          </div>
        ) : (
          <Deck game={game} held={held} onHold={setHeld} inert={over} />
        )}
        {step.name === 'greeting' && (
          <GreetingSlip
            key={step.guest.code}
            {...step.guest}
            onPlay={() => play(step.guest)}
            onOther={otherPlayer}
          />
        )}
        {step.name === 'result' && (
          <ResultSlip
            tally={step.tally}
            lines={slipLines(
              step.result,
              state.stopped,
              achievements,
              step.guest.greeting?.team != null,
            )}
            onOther={otherPlayer}
            onAgain={again(step.guest)}
          />
        )}
        {step.name === 'sent' && (
          <SentSlip
            key={step.settled[0]?.game.id}
            settled={step.settled}
            names={achievements}
            waitedMs={step.waitedMs}
            onOther={otherPlayer}
            onAgain={again(step.guest)}
          />
        )}
        <p className="sr" role="status">
          {spoken(step, game.seconds)}
        </p>
      </section>
      <div className="aside">
        {choosing && (
          <WhoPlays
            players={players}
            chosen={chosen}
            onChoose={setChosen}
            error={step.name === 'choosing' ? step.error : null}
            again={step.name === 'greeting'}
            onCode={(code) => void holdUp(code)}
            onEdit={() => step.name === 'choosing' && setStep(CHOOSE)}
          />
        )}
        <Cable
          state={state}
          names={known}
          onPlug={(plugged) => machine.plug(plugged)}
          onNewKey={() => machine.newKey()}
        />
        <Wire calls={state.calls} url={location.origin} machineKey={machine.key} />
      </div>
    </main>
  );
}

/** The page of the court, for development (MACH-20). */
export function Court() {
  const [ready, setReady] = useState<{ setup: CourtSetup; machine: CourtMachine } | null>(null);
  const [say, setSay] = useState('The machine starts');
  useEffect(() => {
    const start = async () => {
      await becomeMachine(() => setSay('The court is open in another tab'));
      const [setup, machine] = await Promise.all([readSetup(), CourtMachine.open()]);
      setReady({ setup, machine });
    };
    start().catch((error: unknown) =>
      setSay(error instanceof Error ? error.message : String(error)),
    );
  }, []);
  return (
    <>
      <header className="dev">
        <img src={logo} alt="" width="32" height="32" />
        <h1 className="display">Court</h1>
        <p>A machine in your browser, on the real machine API. Only in development.</p>
        <nav aria-label="Development">
          <a href="/">App</a> <a href="/dev/mailbox">Mailbox</a>
        </nav>
      </header>
      {ready ? (
        <Floor {...ready} />
      ) : (
        <main className="hall choosing" id="main">
          <section className="machine" aria-label="Machine">
            <div className="led">
              <p className="led__say display" role="status">
                {say}
              </p>
            </div>
          </section>
        </main>
      )}
    </>
  );
}
