import { useEffect, useRef, useState } from 'react';
import { listAlerts, setAlerts } from '../api/calls.ts';
import { fieldsOf } from '../api/client.ts';
import { ALERTS, TONIGHT, useChange, useRead } from '../api/queries.ts';
import { useLocation } from '../router.tsx';
import { useMe } from '../session/me.tsx';
import { Loaded } from '../shell/Loaded.tsx';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { Failed } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';

function Form({ email: known }: { email: string | null }) {
  const [email, setEmail] = useState(known ?? '');
  const save = useChange((typed: string) => setAlerts(typed.trim() === '' ? null : typed), {
    stale: [ALERTS, TONIGHT],
  });
  const fields = fieldsOf(save.error);
  const input = useRef<HTMLInputElement>(null);
  const asked = useLocation().query.has('mails');
  // A link on Tonight leads to this input, which is at the end of the page.
  useEffect(() => {
    if (asked) input.current?.focus();
  }, [asked]);
  return (
    <form
      className="form mt3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!save.isPending) save.mutate(email);
      }}
    >
      <Field
        ref={input}
        label="Email for mails about machines"
        type="email"
        autoComplete="email"
        value={email}
        error={fields.email}
        help="You get a mail when a machine of your venues goes silent, has a wrong clock or has games refused, and when that is over. Empty: no mails."
        onChange={(event) => setEmail(event.target.value)}
      />
      {save.isError && Object.keys(fields).length === 0 && (
        <Failed what="Not saved" error={save.error} kept="Your entry is still here." />
      )}
      <Button type="submit" busy={save.isPending}>
        Save the address
      </Button>
      {save.isSuccess && save.variables === email && <p role="status">Saved.</p>}
    </form>
  );
}

/** Where the person gets mails about machines (MACH-15). */
export function Mails() {
  const { name } = useMe();
  const read = useRead(ALERTS, listAlerts, ['staff']);
  return (
    <Panel title="Mails about machines">
      <Loaded read={read} what="your address" lines={2}>
        {({ results }) => <Form email={results.find((row) => row.name === name)?.email ?? null} />}
      </Loaded>
    </Panel>
  );
}
