import { inFull, ordinal } from '#contract/rules/games.ts';
import { A_PLAYER } from '#contract/rules/visibility.ts';
import type { ContestPage } from '#contract/wire/contests.ts';
import { GreyJersey, Jersey } from '../avatar/Jersey.tsx';
import { PlayerName } from '../shell/PlayerName.tsx';
import { Panel } from '../ui/Panel.tsx';
import { clockTime, shortLeft } from '../ui/times.ts';
import styles from './Contest.module.css';
import { gameText, standingOf, withoutPlaceText } from './words.ts';

/** The player's place on the scoreboard, the gap to the next place, and the time left. */
export function Score({ page, now }: { page: ContestPage; now: number }) {
  const standing = standingOf(page);
  const left = Date.parse(page.ends_at) - now;
  const isOn = page.state === 'running' && left > 0;
  return (
    <section className={styles.score} aria-label="My place">
      <div className={styles.head}>
        {/* Screen readers announce only this line. */}
        <h2 className="display" aria-live="polite">
          {standing === null ? withoutPlaceText(page, isOn) : `You are ${ordinal(standing.place)}`}
        </h2>
        <span className={styles.live} data-on={isOn || undefined}>
          {isOn ? 'Live' : page.state === 'final' ? 'Final' : 'Last games are coming in'}
        </span>
      </div>
      <dl>
        {standing !== null && (
          <div>
            <dt>points</dt>
            <dd>{inFull(standing.points)}</dd>
          </div>
        )}
        {standing !== null && standing.gap !== null && (
          <div>
            <dt>{standing.to}</dt>
            <dd>{inFull(standing.gap)}</dd>
          </div>
        )}
        {isOn && (
          <div>
            <dt>left</dt>
            <dd>{shortLeft(left)}</dd>
          </div>
        )}
      </dl>
      {page.waiting.length > 0 && (
        <p className={styles.waiting}>
          Games that are still on their way count:{' '}
          {page.waiting
            .map(({ machine, queued }) => (queued ? `${machine} has ${queued}` : machine))
            .join(', ')}
        </p>
      )}
    </section>
  );
}

type Row = ContestPage['results'][number];

type RowProps = {
  row: Row;
  me: boolean;
  /** The viewer's own points. */
  mine: number | null;
};

function PlaceRow({ row, me, mine }: RowProps) {
  const { place, username, avatar_color: color, jersey_number: number } = row;
  const name = username?.toUpperCase() ?? A_PLAYER;
  const look = [me && styles.me, place === 1 && styles.first, username === null && styles.nobody];
  return (
    <li className={look.filter(Boolean).join(' ')} aria-current={me ? 'true' : undefined}>
      <span className={styles.place}>
        <span className="sr">Place </span>
        {place}
      </span>
      <span className={styles.jersey} aria-hidden="true">
        {username && color && number ? (
          <Jersey username={username} color={color} number={number} small />
        ) : (
          <GreyJersey />
        )}
      </span>
      <span className={styles.name} title={name}>
        <PlayerName
          username={username}
          me={me}
          person={{
            place: `${ordinal(place)} in the contest`,
            look: { color, number },
            best: { words: 'Points', mine, theirs: row.points },
          }}
        />
        {me && <small>You</small>}
      </span>
      <b className={styles.points}>{inFull(row.points)}</b>
    </li>
  );
}

/** The first places, and the player's place even if it is further down. */
export function Places({ page }: { page: ContestPage }) {
  const { results, around, mine, players } = page;
  if (results.length === 0)
    return (
      <p className={styles.foot}>
        {page.state === 'final'
          ? 'Nobody is on the board.'
          : page.state === 'settling'
            ? 'Nobody is on the board yet.'
            : 'Nobody is on the board yet. The first game takes the lead.'}
      </p>
    );
  const rows = (list: readonly Row[]) =>
    list.map((row) => (
      <PlaceRow
        key={row.place}
        row={row}
        me={row.place === mine?.place}
        mine={mine?.points ?? null}
      />
    ));
  return (
    <>
      <section className={styles.board} aria-label="Places">
        <ol>
          {rows(results)}
          {around.length > 0 && <li className={styles.gap} aria-hidden="true" />}
          {rows(around)}
        </ol>
      </section>
      <p className={styles.foot}>
        {players === 1 ? '1 player' : `${players} players`}. Equal points: the higher best game,
        then whoever got there first.
      </p>
    </>
  );
}

/** What each of the player's games counts for (CONTEST-03). */
export function MyGames({ page }: { page: ContestPage }) {
  const games = page.mine?.games ?? [];
  if (games.length === 0) return null;
  return (
    <>
      <h2 className={styles.section}>
        {page.state === 'running' ? 'My games tonight' : 'My games that night'}
      </h2>
      <ul className={styles.games}>
        {games.map(({ score, played_at, machine, counts }) => (
          <li key={`${played_at} ${machine}`} data-counts={counts === 'counts' || undefined}>
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <rect x="3" y="3" width="18" height="18" rx="5" />
              {counts === 'counts' && <path d="m7.5 12.5 3 3 6-6.5" />}
            </svg>
            <span>
              <b>{gameText(counts, page)}</b>
              {clockTime(new Date(played_at))} · {machine}
            </span>
            <b className={styles.points}>{score}</b>
          </li>
        ))}
      </ul>
    </>
  );
}

export function Prizes({ page: { prizes } }: { page: Pick<ContestPage, 'prizes'> }) {
  if (prizes === null) return null;
  return (
    <Panel title="Prizes">
      <p className={styles.prizes}>{prizes}</p>
    </Panel>
  );
}
