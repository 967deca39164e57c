import { Field } from '../ui/Field.tsx';

const daysOf = (typed: string) => typed.split(/[\s,;]+/).filter((day) => day !== '');
const isDay = (typed: string) => /^\d{4}-\d{2}-\d{2}$/.test(typed);

/** The days in what somebody typed into `LeaveOut`, as `YYYY-MM-DD`. */
export const daysLeftOut = (typed: string): string[] => daysOf(typed).filter(isDay);

/** The field for weeks without matchups (SEASON-50). */
export function LeaveOut({
  value,
  error,
  onChange,
}: {
  value: string;
  error: string | undefined;
  onChange: (typed: string) => void;
}) {
  return (
    <Field
      label="Leave out"
      value={value}
      error={daysOf(value).every(isDay) ? error : 'Days as 2027-02-15, separated by commas.'}
      placeholder="2027-02-15"
      autoComplete="off"
      help="A day of each week without matchups. The season ends later by as many."
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
