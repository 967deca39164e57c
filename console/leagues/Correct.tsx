import type { SeasonForStaff } from '#contract/wire/seasons.ts';
import { correctSeason, leaveSeason } from '../api/calls.ts';
import { LEAGUES } from '../api/queries.ts';
import { CorrectOrLeave } from '../ui/CorrectOrLeave.tsx';

/** Asks staff to correct or leave a final table that a new count would change (SEASON-25). */
export function Correct({
  page: { season, changes },
  say,
}: {
  page: SeasonForStaff;
  say: (sentence: string) => void;
}) {
  return (
    <CorrectOrLeave
      title="A late change would move the table"
      verb="Correct the table"
      stale={[LEAGUES]}
      correct={(reason) => correctSeason(season.id, reason)}
      leave={() => leaveSeason(season.id)}
      corrected={() => 'The table is corrected. Players read the reason under it.'}
      left="The table stays as it is."
      say={say}
    >
      <ul className="rows mt2">
        {changes.map((text) => (
          <li key={text}>
            <span>{text}</span>
          </li>
        ))}
      </ul>
      <p className="sm mt3">
        A cup or a season that was made from this table stays as it is. Players read the reason
        under the table.
      </p>
    </CorrectOrLeave>
  );
}
