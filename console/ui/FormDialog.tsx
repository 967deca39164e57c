import { type ComponentProps, type ReactNode, useState } from 'react';
import { fieldsOf } from '../api/client.ts';
import { type Change, DialogButtons } from './ask.tsx';
import { Dialog } from './Dialog.tsx';
import { Field } from './Field.tsx';
import { Refused } from './Refused.tsx';

/**
 * A dialog with a form that makes one change. Its fields show their own errors; any other error is
 * above the buttons. `failed` is a participle: “Not moved”. `missing` disables the button while a
 * required input is empty.
 */
export function FormDialog({
  title,
  verb,
  failed,
  missing = false,
  change,
  onClose,
  children,
}: {
  title: string;
  verb: string;
  failed: string;
  missing?: boolean;
  change: Change<undefined>;
  onClose: () => void;
  children: ReactNode;
}) {
  const busy = change.isPending || missing;
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className="form mt3"
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) change.mutate(undefined);
        }}
      >
        {children}
        <Refused what={failed} error={change.error} />
        <DialogButtons verb={verb} busy={busy} onClose={onClose} />
      </form>
    </Dialog>
  );
}

/** Asks for a name. `failed` is a participle. */
export function NameDialog({
  name = '',
  change,
  children,
  ...form
}: Omit<ComponentProps<typeof FormDialog>, 'change' | 'children'> & {
  name?: string;
  change: Change<string>;
  children?: ReactNode;
}) {
  const [typed, setTyped] = useState(name);
  return (
    <FormDialog {...form} change={{ ...change, mutate: () => change.mutate(typed) }}>
      <Field
        label="Name"
        value={typed}
        error={fieldsOf(change.error).name}
        autoComplete="off"
        data-first
        onChange={(event) => setTyped(event.target.value)}
      />
      {children}
    </FormDialog>
  );
}

/** Asks for the new name of `name`. */
export function RenameDialog({
  name,
  change,
  onClose,
}: {
  name: string;
  change: Change<string>;
  onClose: () => void;
}) {
  return (
    <NameDialog
      title={`Rename ${name}`}
      name={name}
      verb="Rename"
      failed="Not renamed"
      change={change}
      onClose={onClose}
    />
  );
}
