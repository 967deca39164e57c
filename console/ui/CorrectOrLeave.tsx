import { type ReactNode, useState } from 'react';
import { REASON_MAX } from '#contract/rules/leagues.ts';
import { fieldsOf } from '../api/client.ts';
import { useChange } from '../api/queries.ts';
import { Button } from './Button.tsx';
import { Field } from './Field.tsx';
import { Failed } from './Notice.tsx';
import { Panel } from './Panel.tsx';

/**
 * A late change would move a final result: staff correct it with a reason, or leave it (SEASON-25,
 * CONTEST-06, CUP-20). `children` say what would change; `fields` are asked beside the reason.
 */
export function CorrectOrLeave<Answer>({
  title,
  verb,
  stale,
  correct,
  leave,
  corrected,
  left,
  say,
  fields,
  children,
}: {
  title: string;
  verb: string;
  stale: readonly (readonly unknown[])[];
  correct: (reason: string) => Promise<Answer>;
  leave: () => Promise<unknown>;
  /** The sentence after a correction, made from the server's answer. */
  corrected: (answer: Answer) => string;
  left: string;
  say: (sentence: string) => void;
  fields?: (errors: Record<string, string | undefined>) => ReactNode;
  children: ReactNode;
}) {
  const [reason, setReason] = useState('');
  const correcting = useChange(() => correct(reason), {
    stale,
    onDone: (answer) => say(corrected(answer)),
  });
  const leaving = useChange(leave, { stale, onDone: () => say(left) });
  const errors = fieldsOf(correcting.error);
  const busy = correcting.isPending || leaving.isPending;
  return (
    <Panel title={title}>
      {children}
      <form
        className="form mt3"
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) correcting.mutate(undefined);
        }}
      >
        <Field
          label="Reason"
          value={reason}
          error={errors.reason}
          maxLength={REASON_MAX}
          autoComplete="off"
          onChange={(event) => setReason(event.target.value)}
        />
        {fields?.(errors)}
        {correcting.isError && Object.keys(errors).length === 0 && (
          <Failed what="Not corrected" error={correcting.error} />
        )}
        {leaving.isError && <Failed what="Not left" error={leaving.error} />}
        <div className="acts">
          <Button look="primary" type="submit" busy={busy}>
            {verb}
          </Button>
          <Button busy={busy} onClick={() => leaving.mutate(undefined)}>
            Leave it
          </Button>
        </div>
      </form>
    </Panel>
  );
}
