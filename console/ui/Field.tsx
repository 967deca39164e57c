import { type ComponentProps, type ReactNode, useId } from 'react';
import { AlertIcon } from './Icon.tsx';
import { dayInWords } from './times.ts';

type Labelled = { label: string; help?: string | undefined; error?: string | undefined };

type Texts = Pick<Labelled, 'help' | 'error'> & { day?: string | null };

function describe(id: string, { help, error, day }: Texts) {
  const ids = [error && `${id}-error`, day && `${id}-day`, help && `${id}-help`]
    .filter(Boolean)
    .join(' ');
  return {
    'aria-invalid': error ? true : undefined,
    'aria-describedby': ids === '' ? undefined : ids,
  };
}

function Below({ id, help, error, day }: { id: string } & Texts) {
  return (
    <>
      {error && (
        <p className="err" id={`${id}-error`} role="alert">
          <AlertIcon />
          <span>{error}</span>
        </p>
      )}
      {day && (
        <p className="help" id={`${id}-day`}>
          {day}
        </p>
      )}
      {help && (
        <p className="help" id={`${id}-help`}>
          {help}
        </p>
      )}
    </>
  );
}

/** A labelled input with a help text, an error and, for a date, its day in words (HAND-C16). */
export function Field({
  label,
  help,
  error,
  ...input
}: Labelled & Omit<ComponentProps<'input'>, 'className'>) {
  const ownId = useId();
  const id = input.id ?? ownId;
  const isDate = input.type === 'date' || input.type === 'datetime-local';
  const texts = { help, error, day: isDate ? dayInWords(String(input.value).slice(0, 10)) : null };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input {...input} id={id} className="input" {...describe(id, texts)} />
      <Below id={id} {...texts} />
    </div>
  );
}

/** As `Field`, for text of several lines. */
export function TextArea({
  label,
  help,
  error,
  ...area
}: Labelled & Omit<ComponentProps<'textarea'>, 'className' | 'id'>) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea {...area} id={id} className="input" {...describe(id, { help, error })} />
      <Below id={id} help={help} error={error} />
    </div>
  );
}

/** A labelled select. `quiet`: only screen readers get the label. */
export function Select({
  label,
  help,
  error,
  quiet = false,
  children,
  ...select
}: Labelled & { quiet?: boolean; children: ReactNode } & Omit<
    ComponentProps<'select'>,
    'className'
  >) {
  const ownId = useId();
  const id = select.id ?? ownId;
  return (
    <div className="field">
      <label htmlFor={id} className={quiet ? 'sr' : undefined}>
        {label}
      </label>
      <span className="select">
        <select {...select} id={id} className="input" {...describe(id, { help, error })}>
          {children}
        </select>
      </span>
      <Below id={id} help={help} error={error} />
    </div>
  );
}

/**
 * Radio buttons under a legend. `words`: the label of each value, in order. `help` is shown below
 * its value.
 */
export function Choice<Value extends string>({
  legend,
  words,
  help = {},
  value,
  onChoose,
}: {
  legend: string;
  words: Record<Value, string>;
  help?: Partial<Record<Value, string>>;
  value: Value;
  onChoose: (value: Value) => void;
}) {
  const name = useId();
  return (
    <fieldset className="field">
      <legend>{legend}</legend>
      {(Object.keys(words) as Value[]).map((one) => (
        <label className="check" key={one}>
          <input type="radio" name={name} checked={value === one} onChange={() => onChoose(one)} />
          <span>
            <b>{words[one]}</b>
            {help[one] !== undefined && <small>{help[one]}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

export function Check({
  children,
  ...input
}: { children: ReactNode } & Omit<ComponentProps<'input'>, 'type'>) {
  return (
    <label className="check">
      <input {...input} type="checkbox" />
      <span>{children}</span>
    </label>
  );
}
