import { useState } from 'react';
import type { SeasonForStaff } from '#contract/wire/seasons.ts';
import { correctSeason, leaveSeason } from '../api/calls.ts';
import { fieldsOf } from '../api/client.ts';
import { LEAGUES, useChange } from '../api/queries.ts';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { Failed } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';

/** A new count would change a final table: correct it with a reason, or leave it (SEASON-25). */
export function Correct({
  page: { season, changes },
  say,
}: {
  page: SeasonForStaff;
  say: (sentence: string) => void;
}) {
  const [reason, setReason] = useState('');
  const stale = [LEAGUES];
  const correcting = useChange(() => correctSeason(season.id, reason), {
    stale,
    onDone: () => say('The table is corrected. Players read the reason under it.'),
  });
  const leaving = useChange(() => leaveSeason(season.id), {
    stale,
    onDone: () => say('The table stays as it is.'),
  });
  const errors = fieldsOf(correcting.error);
  return (
    <Panel title="A late change would move the table">
      <ul className="rows mt2">
        {changes.map((text) => (
          <li key={text}>
            <span>{text}</span>
          </li>
        ))}
      </ul>
      <p className="sm mt3">
        A season, a cup and awards that were made from the table as it is do not change. Players
        read the reason under the table.
      </p>
      <form
        className="form mt3"
        onSubmit={(event) => {
          event.preventDefault();
          if (!correcting.isPending) correcting.mutate(undefined);
        }}
      >
        <Field
          label="Reason"
          value={reason}
          error={errors.reason}
          autoComplete="off"
          onChange={(event) => setReason(event.target.value)}
        />
        {correcting.isError && errors.reason === undefined && (
          <Failed what="Not corrected" error={correcting.error} />
        )}
        {leaving.isError && <Failed what="Not left" error={leaving.error} />}
        <div className="acts">
          <Button look="primary" type="submit" busy={correcting.isPending || reason.trim() === ''}>
            Correct the table
          </Button>
          <Button busy={leaving.isPending} onClick={() => leaving.mutate(undefined)}>
            Leave it
          </Button>
        </div>
      </form>
    </Panel>
  );
}
