import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import {
  ageOn,
  BIRTHDATE_REQUIRED,
  birthYears,
  daysInMonth,
  formatBirthdate,
  isRealDate,
} from '#contract/rules/birthdate.ts';
import { CANNOT_REACH } from '../api/client.ts';
import { knownConfig } from '../api/config.ts';
import { fieldMessage, messageFor } from '../api/message.ts';
import { useAuth } from '../session/AuthProvider.tsx';
import { Button } from '../ui/Button.tsx';
import { FieldError, SelectField } from '../ui/Field.tsx';
import { LONG_MONTHS, longDay } from '../ui/months.ts';
import { serverDate } from '../ui/server-clock.ts';
import auth from './AuthFlow.module.css';
import { isAgeRefusal, keepAgeRefusal, keptAgeRefusal } from './age-refusal.ts';
import styles from './BirthdateStep.module.css';
import { useFlow, useSubmit } from './flow.ts';
import { StepBody, StepError, StepForm, StepHeading, SwitchLine } from './Step.tsx';

const DAYS_OF_ANY_MONTH = 31;
const PARTS = ['month', 'day', 'year'] as const;
type Part = (typeof PARTS)[number];

/** An age outside this range must be confirmed: a stored date cannot be changed (HAND-91). */
const USUAL = { from: 18, to: 100 };

/** A heading in place of the form's; it takes the focus that the form had. */
function Heading({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <h1 ref={heading} tabIndex={-1} className={`display ${auth.heading}`}>
      {children}
    </h1>
  );
}

type QuestionProps = { birthdate: string; onChange: () => void; onYes: () => void };

/** Every age gets the same words, so that they do not hint at a date that would pass. */
function Question({ birthdate, onChange, onYes }: QuestionProps) {
  return (
    <>
      <Heading>Is this right?</Heading>
      <p className={styles.quiet}>Your date of birth cannot be changed later.</p>
      <p className={`display ${styles.date}`}>{longDay(birthdate)}</p>
      <div className={styles.answers}>
        <Button look="quiet" onClick={onChange}>
          Change it
        </Button>
        <Button onClick={onYes}>Yes</Button>
      </div>
    </>
  );
}

/** Replaces the form after the server has refused the age, even after a reload. */
function Closed({ refusal, onSignOut }: { refusal: string; onSignOut: () => void }) {
  const address = knownConfig()?.support_email ?? '';
  return (
    <>
      <Heading>Not yet</Heading>
      <p className={styles.refusal}>{refusal}</p>
      {!refusal.includes(address) && (
        <p className={styles.quiet}>
          Was the date wrong? Write to <a href={`mailto:${address}`}>{address}</a>. This account
          stays closed until then.
        </p>
      )}
      <Button look="quiet" onClick={onSignOut}>
        Sign out
      </Button>
    </>
  );
}

/** Asks for the birth date (PROD-15). */
export function BirthdateStep() {
  const { user, updateProfile, logout } = useAuth();
  const { home } = useFlow();
  const submit = useSubmit();
  const [chosen, setChosen] = useState<Record<Part, number | null>>({
    month: null,
    day: null,
    year: null,
  });
  /** The date to confirm. */
  const [asked, setAsked] = useState<string | null>(null);
  const [changing, setChanging] = useState(false);
  const [refusal, setRefusal] = useState(keptAgeRefusal);
  const [wrong, setWrong] = useState<readonly Part[]>([]);
  const [error, setError] = useState<string | null>(null);
  const errorId = useId();
  const row = useRef<HTMLDivElement>(null);
  const [today] = useState(serverDate);
  const days = chosen.month === null ? DAYS_OF_ANY_MONTH : daysInMonth(chosen.month);

  const offered: Record<Part, { value: number; name: string }[]> = {
    month: LONG_MONTHS.map((name, index) => ({ value: index + 1, name })),
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

  /** Leaves the question; the form takes the focus that the question had. */
  function showForm() {
    setAsked(null);
    setChanging(true);
  }

  async function save(birthdate: string) {
    try {
      // This stores the user, so AuthFlow shows the next step.
      await updateProfile({ date_of_birth: birthdate });
    } catch (failure) {
      showForm();
      const refused = fieldMessage('date_of_birth', failure);
      if (user !== null && refused !== null && isAgeRefusal(refused, knownConfig())) {
        const refusal = { email: user.email, sentence: refused };
        keepAgeRefusal(refusal);
        setRefusal(refusal);
        return;
      }
      setError(messageFor('birthdate', failure));
      if (refused !== null) mark(PARTS);
    }
  }

  function send() {
    const { month, day, year } = chosen;
    if (month !== null && day !== null && year !== null) {
      setError(null);
      setWrong([]);
      const birthdate = formatBirthdate(year, month, day);
      const age = ageOn(birthdate, today);
      if (isRealDate(birthdate) && (age < USUAL.from || age > USUAL.to)) setAsked(birthdate);
      else void submit(() => save(birthdate));
      return;
    }
    const empty = PARTS.filter((part) => chosen[part] === null);
    setError(BIRTHDATE_REQUIRED);
    mark(empty);
  }

  // Another account may have signed in since.
  if (refusal !== null && refusal.email === user?.email)
    return (
      <StepBody>
        <Closed refusal={refusal.sentence} onSignOut={() => logout(home)} />
      </StepBody>
    );
  if (asked !== null)
    return (
      <StepBody>
        <Question
          birthdate={asked}
          onChange={showForm}
          onYes={() => void submit(() => save(asked))}
        />
      </StepBody>
    );
  const unreachable = error === CANNOT_REACH;
  return (
    <StepBody>
      <StepError message={unreachable ? error : null} />
      <StepForm onSubmit={send}>
        <fieldset className={styles.room}>
          <legend className="sr">Date of birth</legend>
          <div className={styles.title}>
            <StepHeading>Birthdate</StepHeading>
            <p className={styles.quiet}>For the age limit. Nobody sees it.</p>
          </div>
          <div ref={row} className={styles.parts}>
            {PARTS.map((part) => (
              <SelectField
                key={part}
                label={`${part[0]?.toUpperCase()}${part.slice(1)}`}
                name={part}
                autoComplete={`bday-${part}`}
                required
                autoFocus={changing && part === 'month'}
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
        <button type="button" className="textlink" onClick={() => logout(home)}>
          Sign in
        </button>
      </SwitchLine>
    </StepBody>
  );
}
