import { useState } from 'react';
import type { PlayedGame } from '#contract/wire/games.ts';
import { SignMark } from '../slip/SignMark.tsx';
import { SIGNS } from '../slip/signs.ts';
import { Button } from '../ui/Button.tsx';
import { weekdayAndDay } from '../ui/dates.ts';
import { Modal, ModalButtons } from '../ui/Modal.tsx';
import { serverDate } from '../ui/server-clock.ts';
import { clockTime, isSameDay } from '../ui/times.ts';
import { countedFor, percentOf } from './counted.ts';
import styles from './GameSheet.module.css';
import { ReportGame } from './ReportGame.tsx';
import { opens, reportedLine } from './reported.ts';

type SheetProps = {
  game: PlayedGame;
  /** The player's team. */
  team: string | null;
  /** `said` is a sentence for screen readers, after a report was sent or withdrawn. */
  onClose: (said?: string) => void;
};

/** Shows everything about a game (HAND-72), and leads to its report (PROD-97). */
export function GameSheet({ game, team, onClose }: SheetProps) {
  const [reporting, setReporting] = useState(false);
  if (reporting) return <ReportGame game={game} onClose={onClose} />;
  const at = new Date(game.played_at);
  const now = serverDate();
  const percent = percentOf(game.shots);
  const what = opens(game);
  const told = reportedLine(game);
  return (
    <Modal title="Your game" onClose={() => onClose()}>
      <p className={styles.score}>
        <span className="sr">Score </span>
        {game.score}
      </p>
      <p className={styles.counted}>
        <SignMark sign={SIGNS[game.counts]} />
        <span>{countedFor(game, team)}</span>
      </p>
      {told && <p className={styles.told}>{told.words}</p>}
      <dl className={styles.facts}>
        <div>
          <dt>Played</dt>
          <dd>
            {isSameDay(at, now) && 'Today, '}
            {weekdayAndDay(at, now)}, {clockTime(at)}
          </dd>
        </div>
        <div>
          <dt>Machine</dt>
          <dd>
            {game.machine}
            {game.venue && `, ${game.venue}`}
          </dd>
        </div>
        {game.shots && (
          <div>
            <dt>Shots</dt>
            <dd>
              {percent === null
                ? `${game.shots.made} of ${game.shots.tried}`
                : `${game.shots.made} of ${game.shots.tried}, ${percent} %`}
            </dd>
          </div>
        )}
        {game.seconds !== null && (
          <div>
            <dt>Time</dt>
            <dd>{game.seconds} s</dd>
          </div>
        )}
      </dl>
      <details className={styles.details}>
        <summary>Details</summary>
        <p>
          Game <code>{game.id}</code>
        </p>
      </details>
      <ModalButtons>
        {what !== null && (
          <Button look="quiet" onClick={() => setReporting(true)}>
            {what === 'report' ? 'Your report' : 'Report'}
          </Button>
        )}
        <Button look="quiet" onClick={() => onClose()}>
          Close
        </Button>
      </ModalButtons>
    </Modal>
  );
}
