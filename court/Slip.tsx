import { type CSSProperties, type ReactNode, useEffect, useRef } from 'react';
import type { Greeting } from '#contract/wire/machines.ts';
import { BlankJersey, Jersey } from '../web/avatar/Jersey.tsx';
import { Badge } from '../web/ui/Badge.tsx';
import type { Tally } from './game.ts';
import type { Settled } from './machine.ts';
import { games, nameless, type Sign, type SlipLine, slipLines, waitedFor } from './words.ts';

const SIGNS: Record<Exclude<Sign, object | 'best'>, ReactNode> = {
  counted: (
    <>
      <rect x="4" y="4" width="16" height="16" rx="4" fill="currentColor" stroke="none" />
      <path d="m8.5 12.2 2.5 2.5 4.7-5.2" stroke="var(--surface)" />
    </>
  ),
  over: <path d="M5 12h14M12 5v14" />,
  out: (
    <>
      <circle cx="12" cy="12" r="8" />
      <path d="m6.5 17.5 11-11" />
    </>
  ),
  held: <path d="M6 20V4M6 5h12l-3 4 3 4H6" />,
  again: (
    <>
      <circle cx="12" cy="12" r="8" />
      <path d="M12 7.5V12l3 2" />
    </>
  ),
  disk: (
    <>
      <rect x="4" y="4" width="16" height="16" rx="3" />
      <path d="M8 4v5h7V4M8 20v-6h8v6" />
    </>
  ),
  stopped: <path d="M8.5 4h7L20 8.5v7L15.5 20h-7L4 15.5v-7ZM12 8v5M12 16.2v.1" />,
};

export function SignIcon({ sign }: { sign: Sign }) {
  if (sign === 'best') return <span className="dot" />;
  if (typeof sign === 'object') return <Badge icon={sign.badge} />;
  return (
    <svg
      className="sign"
      viewBox="0 0 24 24"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.4"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {SIGNS[sign]}
    </svg>
  );
}

function Line({ line: { sign, words, more, code } }: { line: SlipLine }) {
  return (
    <li>
      <SignIcon sign={sign} />
      <span>
        {words}
        {more !== undefined && <small>{more}</small>}
      </span>
      <code>{code}</code>
    </li>
  );
}

/** The slip's heading takes the focus. Escape means “Other player”. */
function Slip({ onEscape, children }: { onEscape: () => void; children: ReactNode }) {
  const slip = useRef<HTMLElement>(null);
  const leave = useRef(onEscape);
  leave.current = onEscape;
  useEffect(() => {
    slip.current?.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true });
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') leave.current();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <div className="over">
      <section className="slip" aria-labelledby="slip" ref={slip}>
        {children}
      </section>
    </div>
  );
}

function leagueSentence({ team, league_mode_enabled, league_games_left }: Greeting): string {
  if (team === null) return 'No team yet.';
  if (!league_mode_enabled) return `${team.name}. League mode is off.`;
  if (league_games_left === 0) return `${team.name}. No league games are left this week.`;
  return `${team.name}. League mode is on: ${games(league_games_left)} left this week.`;
}

type GreetingSlipProps = {
  code: string;
  /** null without the server. */
  greeting: Greeting | null;
  onPlay: () => void;
  onOther: () => void;
};

/** “Let's play!” starts the game. */
export function GreetingSlip({ code, greeting, onPlay, onOther }: GreetingSlipProps) {
  const colour = (greeting && { '--player': greeting.avatar_color }) as CSSProperties | null;
  return (
    <Slip onEscape={onOther}>
      <div className="slip__top" data-player style={colour ?? {}}>
        {greeting ? (
          <Jersey
            className="jersey"
            username={greeting.username}
            color={greeting.avatar_color}
            number={greeting.jersey_number}
          />
        ) : (
          <BlankJersey className="jersey" />
        )}
      </div>
      <div className="slip__body">
        <h2 className="display" id="slip" tabIndex={-1}>
          {greeting?.username ?? nameless(code)}
        </h2>
        <p>
          {greeting
            ? leagueSentence(greeting)
            : 'No greeting without a network. The game is kept and sent later.'}
        </p>
        <button className="btn btn--play" type="button" onClick={onPlay}>
          Let's play!
        </button>
      </div>
    </Slip>
  );
}

type AfterProps = { onOther: () => void; onAgain: () => void };

function After({ onOther, onAgain }: AfterProps) {
  return (
    <div className="row">
      <button className="btn btn--quiet" type="button" onClick={onOther}>
        Other player
      </button>
      <button className="btn btn--primary" type="button" onClick={onAgain}>
        Again
      </button>
    </div>
  );
}

/** The score, and the server's result (LOOK-92). */
export function ResultSlip({
  tally,
  lines,
  ...after
}: AfterProps & { tally: Tally; lines: SlipLine[] }) {
  const { score, hits, shots, squares } = tally;
  return (
    <Slip onEscape={after.onOther}>
      <div className="slip__body">
        <h2 className="tally" id="slip" tabIndex={-1}>
          <span className="sr">Score </span>
          {score}
        </h2>
        <p>
          {hits} {hits === 1 ? 'hit' : 'hits'} of {shots} {shots === 1 ? 'shot' : 'shots'},{' '}
          {squares} off the square
        </p>
        <div role="status">
          <ul className="says">
            {lines.map((line) => (
              <Line key={line.code} line={line} />
            ))}
          </ul>
        </div>
        <After {...after} />
      </div>
    </Slip>
  );
}

const clock = (time: string) =>
  new Date(time).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
const lower = (words: string) => words.charAt(0).toLowerCase() + words.slice(1);

type SentSlipProps = AfterProps & {
  settled: Settled[];
  names: ReadonlyMap<string, string>;
  /** How long the oldest game waited. */
  waitedMs: number;
};

/** The results of all games sent together, oldest first. */
export function SentSlip({ settled, names, waitedMs, ...after }: SentSlipProps) {
  return (
    <Slip onEscape={after.onOther}>
      <div className="slip__body">
        <h2 className="display" id="slip" tabIndex={-1}>
          {games(settled.length)} sent
        </h2>
        <p>
          {settled.length === 1 ? 'It' : 'They'} waited on disk {waitedFor(waitedMs)}.
        </p>
        <div role="status">
          <ul className="says">
            {settled.map(({ game, result }) => {
              const [first] = slipLines(result, null, names);
              return first === undefined ? null : (
                <li key={game.id}>
                  <SignIcon sign={first.sign} />
                  <span>
                    {game.score}, {lower(first.words)}
                    <small>
                      {clock(game.played_at)}
                      {result.status === 'held' || result.status === 'rejected'
                        ? `. ${first.more}`
                        : ''}
                    </small>
                  </span>
                  <code>{first.code}</code>
                </li>
              );
            })}
          </ul>
        </div>
        <After {...after} />
      </div>
    </Slip>
  );
}
