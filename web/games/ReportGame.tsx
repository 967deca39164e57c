import { useId, useRef, useState } from 'react';
import { REPORT_TEXT_MAX } from '#contract/rules/games.ts';
import type { PlayedGame, ReportBody } from '#contract/wire/games.ts';
import { Failure } from '../shell/Failure.tsx';
import { Button } from '../ui/Button.tsx';
import { weekdayAndDay } from '../ui/dates.ts';
import { Modal, ModalButtons } from '../ui/Modal.tsx';
import { type PickOf, Picks } from '../ui/Picks.tsx';
import { serverDate } from '../ui/server-clock.ts';
import { clockTime } from '../ui/times.ts';
import { useReport } from './queries.ts';
import styles from './ReportGame.module.css';
import { opens, reportedLine } from './reported.ts';

type Reason = 'not_mine' | 'machine';

const REASONS: readonly PickOf<Reason>[] = [
  {
    value: 'not_mine',
    name: 'This game is not mine',
    text: 'Somebody played with your code, or the machine read it wrongly.',
  },
  {
    value: 'machine',
    name: 'Something is wrong with this machine',
    text: 'The score, the rim, the scanner.',
  },
];

function Which({ game }: { game: PlayedGame }) {
  const at = new Date(game.played_at);
  return (
    <div className={styles.which}>
      <p>
        {weekdayAndDay(at, serverDate())}, {clockTime(at)}
        <br />
        {game.machine}
        {game.venue && `, ${game.venue}`}
      </p>
      <span className={styles.score}>
        <span className="sr">Score </span>
        {game.score}
      </span>
    </div>
  );
}

type SheetProps = {
  game: PlayedGame;
  /** `said` is a sentence for screen readers, after sending or withdrawing. */
  onClose: (said?: string) => void;
};

function ReportForm({ game, onClose }: SheetProps) {
  const { send } = useReport(game.id);
  const [reason, setReason] = useState<Reason>('not_mine');
  const text = useRef<HTMLTextAreaElement>(null);
  const textId = useId();

  function submit() {
    if (send.isPending) return;
    const body: ReportBody = { reason, text: text.current?.value ?? '' };
    send.mutate(body, {
      onSuccess: () => onClose(reportedLine({ report: 'open', report_reason: reason })?.words),
    });
  }

  // What is being sent can no longer be cancelled.
  const close = () => {
    if (!send.isPending) onClose();
  };

  return (
    <Modal title="Report a game" onClose={close}>
      <Which game={game} />
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Picks legend="What is wrong" picks={REASONS} value={reason} onPick={setReason} />
        <div className={styles.text}>
          <label htmlFor={textId}>
            What happened <span>(if you like)</span>
          </label>
          <textarea ref={text} id={textId} name="text" maxLength={REPORT_TEXT_MAX} rows={2} />
        </div>
        {send.error && <Failure error={send.error} />}
        <ModalButtons>
          <Button look="quiet" aria-disabled={send.isPending} onClick={close}>
            Cancel
          </Button>
          <Button type="submit" aria-disabled={send.isPending}>
            Send
          </Button>
        </ModalButtons>
      </form>
    </Modal>
  );
}

function SentReport({ game, onClose }: SheetProps) {
  const { withdraw } = useReport(game.id);
  const label = REASONS.find(({ value }) => value === game.report_reason)?.name;
  return (
    <Modal title="Your report" onClose={onClose}>
      <Which game={game} />
      <div className={styles.sent}>
        {label && <b>{label}</b>}
        {game.report_text && <p className={styles.words}>{game.report_text}</p>}
        <p>{reportedLine(game)?.words}</p>
      </div>
      {withdraw.error && <Failure error={withdraw.error} />}
      <ModalButtons>
        <Button look="quiet" onClick={() => onClose()}>
          Close
        </Button>
        {game.report === 'open' && (
          <Button
            look="quiet"
            aria-disabled={withdraw.isPending}
            onClick={() => {
              if (!withdraw.isPending)
                withdraw.mutate(undefined, { onSuccess: () => onClose('Report withdrawn.') });
            }}
          >
            Withdraw report
          </Button>
        )}
      </ModalButtons>
    </Modal>
  );
}

/** The form to report a game, or the sent report (PROD-97, PROD-98). */
export function ReportGame(props: SheetProps) {
  // Decide once: after sending, the game has a report, but the form stays until it closes.
  const [what] = useState(() => opens(props.game));
  return what === 'report' ? <SentReport {...props} /> : <ReportForm {...props} />;
}
