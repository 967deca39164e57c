import type { ReactNode } from 'react';
import {
  CONTEST_NAME_MAX,
  FIRST_N,
  FIRST_N_MAX,
  PRIZES_MAX,
  SCORINGS,
  type Scoring,
} from '#contract/rules/contests.ts';
import { serverNow } from '../../web/ui/server-clock.ts';
import { listMachineStates } from '../api/calls.ts';
import { MACHINES, useRead } from '../api/queries.ts';
import { changedFields } from '../ui/changed-fields.ts';
import { Check, Choice, Field, TextArea } from '../ui/Field.tsx';
import { inputLater, inputSpan, inputTime } from '../ui/times.ts';
import { countsWords } from './words.ts';

/** The value of `starts` for a night or cup that begins at once. */
export const NOW = 'now';
const timeNow = (timezone: string) => inputTime(new Date(serverNow()), timezone);

/** Moves the start, and the end with it. Both are values of datetime-local inputs. */
function withStart(
  { starts: before, ends }: NightForm,
  starts: string,
  timezone: string,
): Pick<NightForm, 'starts' | 'ends'> {
  const at = (time: string) => (time === NOW ? timeNow(timezone) : time);
  const by = inputSpan(at(before), at(starts));
  return { starts, ends: ends === '' || Number.isNaN(by) ? ends : inputLater(ends, by) };
}

/**
 * What staff type about a night. Times are values of datetime-local inputs, on the venue's clock;
 * `starts` may be `NOW`.
 */
export type NightForm = {
  name: string;
  starts: string;
  ends: string;
  scoring: Scoring;
  n: number;
  prizes: string;
  only: boolean;
  /** Names of machines; empty: all machines of the venue. */
  machines: string[];
};

const HOUR_MS = 3_600_000;

/**
 * The next full hour, or `later` hours after it, as the value of a venue's datetime-local input.
 */
export function nextHour(timezone: string, later = 0): string {
  const at = new Date((Math.floor(serverNow() / HOUR_MS) + 1 + later) * HOUR_MS);
  return `${inputTime(at, timezone).slice(0, 14)}00`;
}

/** The next Monday, as the value of a date input of a venue. */
export function nextMonday(timezone: string): string {
  const day = new Date(inputTime(new Date(serverNow()), timezone).slice(0, 10));
  day.setUTCDate(day.getUTCDate() + 7 - ((day.getUTCDay() + 6) % 7));
  return day.toISOString().slice(0, 10);
}

export const newNight = (starts: string, ends: string): NightForm => ({
  ...{ name: nightName(starts), starts, ends, prizes: '', only: false },
  ...{ scoring: 'best3', n: FIRST_N, machines: [] },
});

/** `Friday Night Hoops`, by the day on which it begins. */
function nightName(starts: string): string {
  const begin = new Date(`${starts}Z`);
  if (Number.isNaN(begin.getTime())) return 'Night Hoops';
  const day = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', weekday: 'long' }).format(begin);
  return `${day} Night Hoops`;
}

const countsOf = (n: number) =>
  Object.fromEntries(SCORINGS.map((scoring) => [scoring, countsWords(scoring, n)])) as Record<
    Scoring,
    string
  >;

/** The form as the calls take it. */
export const sentNight = ({ prizes, machines, ...form }: NightForm) => ({
  ...form,
  prizes: prizes.trim() === '' ? null : prizes,
  machines: machines.length === 0 ? null : machines,
});

/**
 * A change of a night, as the call takes it: only what staff changed. A colleague may have changed
 * the rest, an end that has passed is refused, and so are machines that have left the venue. Once
 * the night has `begun`, even while the form is open, only name, end, prizes and slide can change.
 */
export function changedNight(before: NightForm, form: NightForm, begun: boolean) {
  const { starts, scoring, n, machines } = before;
  const wanted = begun ? { ...form, starts, scoring, n, machines } : form;
  return changedFields(sentNight(before), sentNight(wanted));
}

/** Chooses which machines take part, if the venue has several. */
function Machines({
  venue,
  chosen,
  error,
  choose,
}: {
  venue: string;
  chosen: readonly string[];
  error: string | undefined;
  choose: (machines: string[]) => void;
}) {
  const read = useRead(MACHINES, listMachineStates, ['machines']);
  const here = (read.data?.results ?? []).filter((machine) => machine.venue === venue);
  if (here.length < 2) return null;
  // Leaves out machines that have left the venue since they were chosen.
  const chosenHere = chosen.filter((one) => here.some(({ name }) => name === one));
  return (
    <fieldset className="field">
      <legend>Machines</legend>
      <div className="two two--short">
        {here.map(({ id, name }) => (
          <Check
            key={id}
            checked={chosen.includes(name)}
            onChange={({ target }) =>
              choose(
                target.checked ? [...chosenHere, name] : chosenHere.filter((one) => one !== name),
              )
            }
          >
            {name}
          </Check>
        ))}
      </div>
      <p className="help">
        {chosen.length === 0
          ? 'None chosen: all of the venue take part.'
          : 'Only games at these machines count.'}
      </p>
      {error !== undefined && <p className="err">{error}</p>}
    </fieldset>
  );
}

/** Chooses a start at once, or at the time in the field below. `later`: the field's first value. */
export function Begins({
  now,
  later,
  choose,
  children,
}: {
  now: boolean;
  later: string;
  choose: (starts: string) => void;
  children: ReactNode;
}) {
  return (
    <>
      <Check checked={now} onChange={({ target }) => choose(target.checked ? NOW : later)}>
        Begin now
      </Check>
      {!now && children}
    </>
  );
}

/**
 * The fields of a night. With `begun`, only those that can change while the night runs
 * (CONTEST-07).
 */
export function NightFields({
  form,
  venue,
  errors,
  begun = false,
  timezone,
  change,
}: {
  form: NightForm;
  /** The venue's name. */
  venue: string;
  timezone: string;
  errors: Record<string, string | undefined>;
  begun?: boolean;
  change: (part: Partial<NightForm>) => void;
}) {
  return (
    <>
      <Field
        label="Name"
        value={form.name}
        error={errors.name}
        maxLength={CONTEST_NAME_MAX}
        autoComplete="off"
        onChange={(event) => change({ name: event.target.value })}
      />
      {!begun && (
        <Begins
          now={form.starts === NOW}
          later={nextHour(timezone)}
          choose={(starts) => change(withStart(form, starts, timezone))}
        >
          <Field
            label="Begins"
            type="datetime-local"
            value={form.starts}
            error={errors.starts}
            onChange={(event) => change(withStart(form, event.target.value, timezone))}
          />
        </Begins>
      )}
      <Field
        label="Ends"
        type="datetime-local"
        value={form.ends}
        error={errors.ends}
        onChange={(event) => change({ ends: event.target.value })}
      />
      {!begun && (
        <Choice
          legend="What counts"
          words={countsOf(form.n)}
          help={{ first_n: 'Everybody has the same number of tries' }}
          value={form.scoring}
          onChoose={(scoring) => change({ scoring })}
        />
      )}
      {!begun && form.scoring === 'first_n' && (
        <Field
          label="How many first games count"
          type="number"
          min={1}
          max={FIRST_N_MAX}
          value={form.n}
          error={errors.n}
          onChange={(event) => change({ n: Number(event.target.value) })}
        />
      )}
      {!begun && (
        <Machines
          venue={venue}
          chosen={form.machines}
          error={errors.machines}
          choose={(machines) => change({ machines })}
        />
      )}
      <TextArea
        label="Prizes"
        rows={4}
        maxLength={PRIZES_MAX}
        value={form.prizes}
        error={errors.prizes}
        help="Televisions show only the start of the first line; phones and the poster show every line. Write who may win them, such as “For players of 18 and over”."
        onChange={(event) => change({ prizes: event.target.value })}
      />
      <label className="switch">
        <b>Only this on the screens</b>
        <small>
          Cups and all other slides wait until its winner has been shown. Else every second slide
        </small>
        <input
          type="checkbox"
          role="switch"
          aria-checked={form.only}
          checked={form.only}
          onChange={(event) => change({ only: event.target.checked })}
        />
      </label>
    </>
  );
}
