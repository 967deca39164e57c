import {
  type MouseEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Link } from '../router.tsx';
import { Badge } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { dayRange } from '../ui/dates.ts';
import { Marked } from '../ui/Marked.tsx';
import { serverDate } from '../ui/server-clock.ts';
import { buzz, canBuzz, readBuzz, writeBuzz } from './mark.ts';
import styles from './Paper.module.css';
import { SignMark } from './SignMark.tsx';
import { Square } from './Square.tsx';
import { aheadBy, SIGNS } from './signs.ts';
import { bestOfSlip, type ShownSlip, type Slip } from './slip.ts';
import {
  beatRow,
  codeLines,
  countedRow,
  headOf,
  leadSentence,
  leadWords,
  severalRows,
  timeOf,
  unlisted,
  unlistedWords,
  weekOf,
} from './words.ts';

const MINUTE_MS = 60_000;
/** A page scrolled less than this returns to its top for a slip (HAND-07). */
const NEAR_TOP_PX = 200;

/** Whether the slip came while the player was here, less than a minute ago. */
function useFresh({ live, madeAt }: ShownSlip): boolean {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setTimeout(() => setNow(Date.now()), MINUTE_MS - (Date.now() - madeAt));
    return () => clearTimeout(timer);
  }, [madeAt]);
  return live && now - madeAt < MINUTE_MS;
}

function Row({ sign, title, under }: { sign: ReactNode; title: ReactNode; under: ReactNode }) {
  return (
    <li>
      {sign}
      <div>
        <b>{title}</b>
        {under && <small>{under}</small>}
      </div>
    </li>
  );
}

const SQUARE = (
  <svg viewBox="0 0 24 24" aria-hidden="true">
    <path d="M20 12V7a3 3 0 0 0-3-3H7a3 3 0 0 0-3 3v10a3 3 0 0 0 3 3h5" />
    <circle cx="18" cy="18" r="2.6" />
  </svg>
);
const PEOPLE = (
  <svg viewBox="0 0 24 24" aria-hidden="true">
    <circle className={styles.head} cx="9" cy="8" r="3.4" />
    <path d="M3 20c0-3.6 2.6-6 6-6s6 2.4 6 6M16 5.2a3.4 3.4 0 0 1 0 6M18 14.6c1.8.9 3 2.8 3 5.4" />
  </svg>
);

/** Leads to the closed week in which a late game counts (HAND-17). */
function ClosedWeek({ playedAt, opensAt }: { playedAt: string; opensAt: string }) {
  const [monday, sunday] = weekOf(playedAt, opensAt);
  return (
    <Row
      sign={SQUARE}
      title={<Link to={`/league?week=${monday}`}>See what it changed</Link>}
      under={`The week of ${dayRange(monday, sunday)}`}
    />
  );
}

function Rows({ slip }: { slip: Slip }) {
  const [game] = slip.games;
  if (game === undefined) return null;
  const several = slip.games.length > 1;
  const rows = several ? severalRows(slip) : [countedRow(slip, game)];
  const beat = beatRow(slip);
  const [won] = slip.won;
  const closed = !several && game.late && game.counts === 'league' && game.thisWeek === false;
  return (
    <ul className={styles.rows}>
      {rows.map(({ sign, title, under }, at) => (
        <Row key={slip.games[at]?.id} sign={<SignMark sign={sign} />} title={title} under={under} />
      ))}
      {unlisted(slip) > 0 && (
        <Row
          sign={<span />}
          title={<Link to="/games">and {unlisted(slip)} more</Link>}
          under={unlistedWords(slip)}
        />
      )}
      {closed && slip.week && (
        <ClosedWeek playedAt={game.played_at} opensAt={slip.week.week_opens_at} />
      )}
      {!several && game.counts === 'no_team' && slip.team === null && (
        <Row
          sign={PEOPLE}
          title={<Link to="/league">Join a team</Link>}
          under="Six characters, on the poster"
        />
      )}
      {beat && <Row sign={SQUARE} {...beat} />}
      {won && (
        <li className={styles.win}>
          <Badge icon={won.icon} look="slip" rank={won.rank} />
          <div>
            <b>
              <Link to="/achievements">{won.name}</Link>
            </b>
            <small>
              {slip.won.length > 1 ? `+ ${slip.won.length - 1} more` : 'New achievement'}
            </small>
          </div>
        </li>
      )}
    </ul>
  );
}

function Plates({ slip, labels }: { slip: Slip; labels: boolean }) {
  const { swing, added, team } = slip;
  if (swing === null || added === null || added.points === 0) return null;
  const label = (leads: boolean) =>
    labels && swing.other !== null && leads ? <em>{aheadBy(swing.lead)}</em> : <span />;
  return (
    <ul className={styles.plates}>
      <li>
        <span>{team}</span>
        {label(swing.lead >= 0)}
        <b>{swing.own}</b>
      </li>
      {swing.other !== null && (
        <li>
          <span>{swing.opponent}</span>
          {label(swing.lead <= 0)}
          <b>{swing.other}</b>
        </li>
      )}
    </ul>
  );
}

function lastWords(slip: Slip, isModeOff: boolean): ReactNode {
  const lead = leadSentence(slip);
  if (lead !== null) return <Marked text={lead} />;
  const [game] = slip.games;
  if (slip.games.length > 1 || game === undefined) return null;
  if (game.counts === 'held') return 'Not in your figures yet.';
  if (game.counts === 'league_mode_off' && isModeOff)
    return <a href="#league-mode">Switch it on</a>;
  return slip.isFirstGame ? 'Your first game.' : null;
}

/** A click on a link or a button inside is not a tap on the slip. */
const isOnControl = ({ target }: MouseEvent) =>
  target instanceof Element && target.closest('a, button') !== null;

type PaperProps = {
  slip: ShownSlip;
  /** Whether the player has a team, and league mode off now. */
  isModeOff: boolean;
  onDone: () => void;
};

/** The slip on the pass: what the square caught (HAND-07, HAND-10). */
export function Paper({ slip, isModeOff, onDone }: PaperProps) {
  const id = useId();
  const paper = useRef<HTMLElement>(null);
  const fresh = useFresh(slip);
  const [game] = slip.games;
  const best = bestOfSlip(slip);
  const [asks, setAsks] = useState(() => canBuzz() && readBuzz() === null);
  const [buzzes, setBuzzes] = useState(false);

  const [isNearTop] = useState(() => window.scrollY < NEAR_TOP_PX);
  useLayoutEffect(() => {
    if (isNearTop) window.scrollTo({ top: 0 });
    // Without scroll anchoring, the slip would push down the text that the player reads.
    else if (!CSS.supports('overflow-anchor: auto'))
      window.scrollBy(0, paper.current?.offsetHeight ?? 0);
  }, [isNearTop]);
  const done = useCallback(() => {
    if (asks) writeBuzz(false);
    onDone();
  }, [asks, onDone]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const busy = document.querySelector('dialog[open], [role="menu"]') !== null;
      if (event.key === 'Escape' && !busy && !event.defaultPrevented) done();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [done]);

  if (game === undefined) return null;
  return (
    <div className={styles.place} data-opens={slip.live && isNearTop} data-paper>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Esc and Done put it away by keyboard */}
      <section
        ref={paper}
        className={styles.slip}
        aria-labelledby={id}
        data-live={slip.live}
        onClick={(event) => isOnControl(event) || done()}
      >
        <div className={styles.top}>
          <h2 id={id}>{headOf(slip)}</h2>
          <span>{timeOf(slip, serverDate(), fresh)}</span>
        </div>
        <Square
          key={game.id}
          score={game.score}
          sign={SIGNS[game.counts]}
          over={best === game ? game.over : null}
        />
        <div className={styles.facts}>
          <Rows slip={slip} />
          <Plates slip={slip} labels />
          {asks && (
            <button
              type="button"
              className="textlink"
              onClick={() => {
                writeBuzz(true);
                buzz(40);
                setAsks(false);
                setBuzzes(true);
              }}
            >
              Buzz next time?
            </button>
          )}
          {buzzes && (
            <p tabIndex={-1} ref={(line) => line?.focus({ preventScroll: true })}>
              Your next game buzzes. Account has the switch.
            </p>
          )}
          <div className={styles.end}>
            <p>{lastWords(slip, isModeOff)}</p>
            <Button onClick={done}>Done</Button>
          </div>
        </div>
      </section>
    </div>
  );
}

/** The slip above the code on the code page (HAND-09). */
export function CodeSlip({ slip }: { slip: Slip & { live: boolean } }) {
  const id = useId();
  const [game] = slip.games;
  const best = bestOfSlip(slip);
  if (game === undefined) return null;
  return (
    <section
      className={`${styles.slip} ${styles.onCode}`}
      aria-labelledby={id}
      data-live={slip.live}
    >
      <h2 id={id} className="sr">
        {headOf(slip)}
      </h2>
      <div className={styles.row}>
        <Square
          key={game.id}
          score={game.score}
          sign={SIGNS[game.counts]}
          over={best === game ? game.over : null}
          small
        />
        <ul className={styles.say}>
          {codeLines(slip).map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two scores may be equal, and no line moves
            <li key={at}>{line}</li>
          ))}
        </ul>
      </div>
      <Plates slip={slip} labels={false} />
    </section>
  );
}

/** The words under the code: who leads in the league, otherwise `instead` (HAND-09). */
export const Lead = ({ slip, instead }: { slip: Slip; instead: string }) =>
  leadWords(slip) ?? instead;
