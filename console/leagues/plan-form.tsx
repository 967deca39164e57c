import { Check } from '../ui/Field.tsx';
import { mondaysOf, shortDay } from './words.ts';

/**
 * The Mondays in `leftOut` that fall within a season of `weeks` weeks that begins in the week of
 * `from`.
 */
export function leftOutOf(from: string, weeks: number, leftOut: readonly string[]): string[] {
  const mondays = mondaysOf(from, weeks, leftOut);
  return leftOut.filter((monday) => mondays.includes(monday)).toSorted();
}

/** The weeks of a season. Staff tick the weeks without matchups (SEASON-50). */
export function LeaveOut({
  from,
  weeks,
  leftOut,
  error,
  onChange,
}: {
  from: string;
  weeks: number;
  leftOut: readonly string[];
  error: string | undefined;
  onChange: (leftOut: readonly string[]) => void;
}) {
  return (
    <fieldset className="field">
      <legend>Leave out</legend>
      <div className="two">
        {mondaysOf(from, weeks, leftOut).map((monday) => (
          <Check
            key={monday}
            checked={leftOut.includes(monday)}
            onChange={({ target }) =>
              onChange(
                target.checked ? [...leftOut, monday] : leftOut.filter((one) => one !== monday),
              )
            }
          >
            Week of {shortDay(monday)}
          </Check>
        ))}
      </div>
      <p className="help">
        A ticked week has no matchups, and the season ends a week later. A week can also be
        postponed later, on the season’s page.
      </p>
      {error !== undefined && <p className="err">{error}</p>}
    </fieldset>
  );
}
