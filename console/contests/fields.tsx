import { useId } from 'react';
import {
  CONTEST_NAME_MAX,
  FIRST_N,
  FIRST_N_MAX,
  PRIZES_MAX,
  SCORINGS,
  type Scoring,
} from '#contract/rules/contests.ts';
import { Field } from '../ui/Field.tsx';
import { countsWords } from './words.ts';

/** What staff type about a night. Times are of datetime-local inputs, on the venue's clock. */
export type NightForm = {
  name: string;
  starts: string;
  ends: string;
  scoring: Scoring;
  n: number;
  prizes: string;
  only: boolean;
};

export const newNight = (starts: string, ends: string): NightForm => ({
  ...{ name: 'Friday Night Hoops', starts, ends, prizes: '', only: false },
  ...{ scoring: 'best3', n: FIRST_N },
});

/** The form as the calls take it. */
export const sentNight = ({ prizes, ...form }: NightForm) => ({
  ...form,
  prizes: prizes.trim() === '' ? null : prizes,
});

/** The fields of a night. While it runs, `begun` leaves out what cannot change (CONTEST-07). */
export function NightFields({
  form,
  errors,
  begun = false,
  change,
}: {
  form: NightForm;
  errors: Record<string, string | undefined>;
  begun?: boolean;
  change: (part: Partial<NightForm>) => void;
}) {
  const id = useId();
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
        <Field
          label="Begins"
          type="datetime-local"
          value={form.starts}
          error={errors.starts}
          onChange={(event) => change({ starts: event.target.value })}
        />
      )}
      <Field
        label="Ends"
        type="datetime-local"
        value={form.ends}
        error={errors.ends}
        onChange={(event) => change({ ends: event.target.value })}
      />
      {!begun && (
        <fieldset className="field">
          <legend>What counts</legend>
          {SCORINGS.map((scoring) => (
            <label className="check" key={scoring}>
              <input
                type="radio"
                name={id}
                checked={form.scoring === scoring}
                onChange={() => change({ scoring })}
              />
              <span>
                <b>{countsWords(scoring, form.n)}</b>
                {scoring === 'first_n' && <small>Everybody has the same number of tries</small>}
              </span>
            </label>
          ))}
        </fieldset>
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
      <div className="field">
        <label htmlFor={`${id}-prizes`}>Prizes</label>
        <textarea
          className="input"
          id={`${id}-prizes`}
          rows={2}
          maxLength={PRIZES_MAX}
          value={form.prizes}
          aria-describedby={`${id}-help`}
          onChange={(event) => change({ prizes: event.target.value })}
        />
        <p className="help" id={`${id}-help`}>
          Write who may win them. On the screen and the phones.
        </p>
      </div>
      <label className="switch">
        <b>Only this on the screens</b>
        <small>Else every second slide</small>
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
