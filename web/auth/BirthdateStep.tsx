import { useId, useRef, useState } from 'react';
import {
  BIRTHDATE_REQUIRED,
  birthYears,
  daysInMonth,
  formatBirthdate,
} from '#contract/rules/birthdate.ts';
import { CANNOT_REACH } from '../api/client.ts';
import { fieldMessage, messageFor } from '../api/message.ts';
import { useAuth } from '../session/AuthProvider.tsx';
import { Button } from '../ui/Button.tsx';
import { FieldError, SelectField } from '../ui/Field.tsx';
import { serverDate } from '../ui/server-clock.ts';
import styles from './BirthdateStep.module.css';
import { useFlow, useSubmit } from './flow.ts';
import { StepBody, StepError, StepForm, StepHeading, SwitchLine } from './Step.tsx';

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const DAYS_OF_ANY_MONTH = 31;
const PARTS = ['month', 'day', 'year'] as const;
type Part = (typeof PARTS)[number];

/** Asks for the birth date (PROD-15). */
export function BirthdateStep() {
  const { updateProfile, logout } = useAuth();
  const { returnTo } = useFlow().state;
  const submit = useSubmit();
  const [chosen, setChosen] = useState<Record<Part, number | null>>({
    month: null,
    day: null,
    year: null,
  });
  const [wrong, setWrong] = useState<readonly Part[]>([]);
  const [error, setError] = useState<string | null>(null);
  const errorId = useId();
  const row = useRef<HTMLDivElement>(null);
  const [today] = useState(serverDate);
  const days = chosen.month === null ? DAYS_OF_ANY_MONTH : daysInMonth(chosen.month);

  const offered: Record<Part, { value: number; name: string }[]> = {
    month: MONTHS.map((name, index) => ({ value: index + 1, name })),
    day: Array.from({ length: days }, (_, index) => ({ value: index + 1, name: `${index + 1}` })),
    year: birthYears(today).map((year) => ({ value: year, name: `${year}` })),
  };

  function choose(part: Part, value: number | null) {
    const next = { ...chosen, [part]: value };
    if (next.month !== null && next.day !== null && next.day > daysInMonth(next.month))
      next.day = null;
    setChosen(next);
    setWrong([]);
    setError(null);
  }

  function mark(parts: readonly Part[]) {
    setWrong(parts);
    row.current?.querySelector<HTMLSelectElement>(`[name="${parts[0]}"]`)?.focus();
  }

  async function save(birthdate: string) {
    try {
      // This stores the user, so AuthFlow shows the next step.
      await updateProfile({ date_of_birth: birthdate });
    } catch (failure) {
      setError(messageFor('birthdate', failure));
      if (fieldMessage('date_of_birth', failure) !== null) mark(PARTS);
    }
  }

  function send() {
    const { month, day, year } = chosen;
    if (month !== null && day !== null && year !== null) {
      setError(null);
      setWrong([]);
      void submit(() => save(formatBirthdate(year, month, day)));
      return;
    }
    const empty = PARTS.filter((part) => chosen[part] === null);
    setError(BIRTHDATE_REQUIRED);
    mark(empty);
  }

  const unreachable = error === CANNOT_REACH;
  return (
    <StepBody>
      <StepError message={unreachable ? error : null} />
      <StepForm onSubmit={send}>
        <fieldset className={styles.room}>
          <legend className="sr">Date of birth</legend>
          <div className={styles.title}>
            <StepHeading>Birthdate</StepHeading>
          </div>
          <div ref={row} className={styles.parts}>
            {PARTS.map((part) => (
              <SelectField
                key={part}
                label={`${part[0]?.toUpperCase()}${part.slice(1)}`}
                name={part}
                autoComplete={`bday-${part}`}
                required
                value={chosen[part] ?? ''}
                aria-invalid={wrong.includes(part) || undefined}
                aria-describedby={error && !unreachable ? errorId : undefined}
                onChange={(event) => choose(part, Number(event.target.value) || null)}
              >
                <option value="">–</option>
                {offered[part].map(({ value, name }) => (
                  <option key={value} value={value}>
                    {name}
                  </option>
                ))}
              </SelectField>
            ))}
          </div>
          <div role="alert">
            {error && !unreachable && <FieldError id={errorId}>{error}</FieldError>}
          </div>
        </fieldset>
        <Button type="submit">Continue</Button>
      </StepForm>
      <SwitchLine>
        Wrong account?{' '}
        <button type="button" className="textlink" onClick={() => logout(returnTo)}>
          Sign in
        </button>
      </SwitchLine>
    </StepBody>
  );
}
