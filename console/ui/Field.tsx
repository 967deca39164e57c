import { type ComponentProps, type ReactNode, useId } from 'react';
import { AlertIcon } from './Icon.tsx';

type Labelled = { label: string; help?: string | undefined; error?: string | undefined };

function describe(id: string, { help, error }: Pick<Labelled, 'help' | 'error'>) {
  const ids = [error && `${id}-error`, help && `${id}-help`].filter(Boolean).join(' ');
  return {
    'aria-invalid': error ? true : undefined,
    'aria-describedby': ids === '' ? undefined : ids,
  };
}

function Below({ id, help, error }: { id: string } & Pick<Labelled, 'help' | 'error'>) {
  return (
    <>
      {error && (
        <p className="err" id={`${id}-error`} role="alert">
          <AlertIcon />
          <span>{error}</span>
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

/** A labelled input with a help text and an error. */
export function Field({
  label,
  help,
  error,
  ...input
}: Labelled & Omit<ComponentProps<'input'>, 'className'>) {
  const ownId = useId();
  const id = input.id ?? ownId;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input {...input} id={id} className="input" {...describe(id, { help, error })} />
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
