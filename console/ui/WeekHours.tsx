import { DAY_NAMES } from '#contract/rules/opening-hours.ts';
import { Button } from './Button.tsx';
import { Check } from './Field.tsx';
import { AlertIcon, CrossIcon, PlusIcon } from './Icon.tsx';
import { endsNextDay, firstOpen, type Span, toggled, type Week } from './week.ts';

/** The default times of a day's second span. */
const SECOND: Span = { from: '18:00', to: '23:00' };

/**
 * `off`: the text of a day without hours. `from` and `to` follow the day's name in its inputs'
 * labels.
 */
type Words = Record<'legend' | 'off' | 'from' | 'to', string>;

/** Inputs for the hours of a week. A day with a break has two spans. */
export function WeekHours({
  words,
  week,
  error,
  onChange,
}: {
  words: Words;
  week: Week;
  error: string | undefined;
  onChange: (week: Week) => void;
}) {
  const first = firstOpen(week);
  return (
    <fieldset className="field">
      <legend>{words.legend}</legend>
      <ul className="week">
        {DAY_NAMES.map((name, day) => (
          <Day
            key={name}
            words={words}
            name={name}
            day={day}
            spans={week[day] ?? []}
            onToggle={() => onChange(toggled(week, day))}
            onChange={(spans) => onChange(week.with(day, spans))}
          />
        ))}
      </ul>
      {error && (
        <p className="err" role="alert">
          <AlertIcon />
          <span>{error}</span>
        </p>
      )}
      {first !== -1 && (
        <Button look="txt" onClick={() => onChange(week.map(() => week[first] ?? []))}>
          Every day as on {DAY_NAMES[first]}
        </Button>
      )}
    </fieldset>
  );
}

function Day({
  words,
  name,
  day,
  spans,
  onToggle,
  onChange,
}: {
  words: Words;
  name: string;
  day: number;
  spans: readonly Span[];
  onToggle: () => void;
  onChange: (spans: readonly Span[]) => void;
}) {
  const set = (at: number, change: Partial<Span>) =>
    onChange(spans.map((span, n) => (n === at ? { ...span, ...change } : span)));
  return (
    <li>
      <Check checked={spans.length > 0} onChange={onToggle}>
        <b>
          <span aria-hidden="true">{name.slice(0, 3)}</span>
          <span className="sr">{name}</span>
        </b>
      </Check>
      <div className="week__day">
        {spans.length === 0 && <span className="sm">{words.off}</span>}
        {spans.map((span, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a span has no name but its place
          <div className="week__span" key={at}>
            <input
              className="input"
              type="time"
              required
              value={span.from}
              aria-label={`${name} ${words.from}`}
              onChange={(event) => set(at, { from: event.target.value })}
            />
            <span aria-hidden="true">–</span>
            <input
              className="input"
              type="time"
              required
              value={span.to}
              aria-label={`${name} ${words.to}`}
              onChange={(event) => set(at, { to: event.target.value })}
            />
            {at === 0 ? (
              <Button
                look="iconb"
                aria-label={`${name}: hours after a break`}
                onClick={() => onChange([...spans, SECOND])}
              >
                <PlusIcon />
              </Button>
            ) : (
              <Button
                look="iconb"
                aria-label={`${name}: remove these hours`}
                onClick={() => onChange(spans.filter((_, n) => n !== at))}
              >
                <CrossIcon />
              </Button>
            )}
            <small>{endsNextDay(day, span)}</small>
          </div>
        ))}
      </div>
    </li>
  );
}
