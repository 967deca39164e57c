import { useState } from 'react';
import { addMachine, readMachine } from '../api/calls.ts';
import { fieldsOf } from '../api/client.ts';
import { MACHINE, ME, TONIGHT, useChange, useRead } from '../api/queries.ts';
import { Link } from '../router.tsx';
import { useMe } from '../session/me.tsx';
import { Loaded } from '../shell/Loaded.tsx';
import { Page } from '../shell/Page.tsx';
import { Button } from '../ui/Button.tsx';
import { Field, Select } from '../ui/Field.tsx';
import { Failed } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';
import { IdleIcon, WellDrawing } from '../ui/State.tsx';
import { ZONE_HERE, ZoneSelect } from '../ui/ZoneSelect.tsx';
import { KeyShown } from './NewKey.tsx';

const NEW = 'new';

/** A machine that was added by its code, until it has its key (HAND-C2). */
function Pairing({ id }: { id: string }) {
  const read = useRead([...MACHINE, id], () => readMachine(id), ['machines']);
  return (
    <div className="w32">
      <Panel title="Has it got its key?">
        <Loaded read={read} what="whether it has its key" lines={2}>
          {({ machine, keys: [key] }) => (
            <p className="mt2" role="status">
              <span className={key?.last_used_at ? 'st' : 'st st--off'}>
                {key?.last_used_at ? <WellDrawing /> : <IdleIcon />}
                {key === undefined && `Waiting for ${machine.name}. It asks every few seconds`}
                {key?.last_used_at === null &&
                  `Its key was sent. Waiting for ${machine.name} to call`}
                {key?.last_used_at && `${machine.name} has called with its key`}
              </span>
            </p>
          )}
        </Loaded>
        <Link className="btn btn--full mt3" to={`/console/machines/${id}`}>
          Done
        </Link>
      </Panel>
    </div>
  );
}

export function AddMachine() {
  const { venues, role, limited } = useMe();
  const owner = role === 'owner';
  const [name, setName] = useState('');
  const [picked, setPicked] = useState(venues[0]?.name ?? (owner ? NEW : ''));
  // An owner may add the first venue while the page is open.
  const chosen = picked || (venues[0]?.name ?? '');
  const nowhere = chosen === '';
  const [venue, setVenue] = useState('');
  const [timezone, setTimezone] = useState(ZONE_HERE);
  const [code, setCode] = useState('');
  const add = useChange(
    () =>
      addMachine({
        name,
        ...(chosen === NEW ? { venue, timezone } : { venue: chosen }),
        ...(code.trim() !== '' && { code }),
      }),
    { stale: [TONIGHT, ME] },
  );
  const fields = fieldsOf(add.error);
  const back = { to: '/console/', name: 'Tonight' };
  if (add.data?.key === null)
    return (
      <Page title={add.data.name} about={add.data.venue ?? ''} back={back}>
        <Pairing id={add.data.id} />
      </Page>
    );
  if (add.data)
    return (
      <Page title="Its key" about={`${add.data.name}, ${add.data.venue}`} back={back}>
        <KeyShown id={add.data.id} name={add.data.name} machineKey={add.data.key} />
      </Page>
    );
  return (
    <Page
      title="Add a machine"
      about="By the code that it shows, or with a key that you put in."
      back={back}
    >
      <div className="w32">
        <Panel title="Which one?">
          <form
            className="form mt3"
            onSubmit={(event) => {
              event.preventDefault();
              if (!add.isPending && !nowhere) add.mutate(undefined);
            }}
          >
            <Field
              label="Name"
              required
              maxLength={60}
              value={name}
              error={fields.name}
              help="What you call it on the floor. Players see it beside their games."
              onChange={(event) => setName(event.target.value)}
            />
            <Select
              label="Venue"
              value={chosen}
              error={chosen === NEW ? undefined : fields.venue}
              help={
                nowhere
                  ? `You have no venue yet. ${limited ? 'Ask an owner for one' : 'An owner adds one'}.`
                  : undefined
              }
              onChange={(event) => setPicked(event.target.value)}
            >
              {venues.map(({ id, name }) => (
                <option key={id}>{name}</option>
              ))}
              {owner && <option value={NEW}>A new venue…</option>}
            </Select>
            {chosen === NEW && (
              <>
                <Field
                  label="Name of the venue"
                  required
                  maxLength={60}
                  value={venue}
                  error={fields.venue}
                  onChange={(event) => setVenue(event.target.value)}
                />
                <ZoneSelect value={timezone} error={fields.timezone} onChange={setTimezone} />
              </>
            )}
            <Field
              label="Code that the machine shows"
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              maxLength={20}
              value={code}
              error={fields.code}
              help="If it shows none, leave this empty: you get its key on the next page."
              onChange={(event) => setCode(event.target.value)}
            />
            {add.isError && Object.keys(fields).length === 0 && (
              <Failed what="Not added" error={add.error} kept="Your entries are still here." />
            )}
            <div className="acts">
              <Button look="primary" type="submit" busy={add.isPending || nowhere}>
                {code.trim() === '' ? 'Add and show the key' : 'Add the machine'}
              </Button>
              <Link className="btn" to="/console/">
                Cancel
              </Link>
            </div>
          </form>
        </Panel>
      </div>
    </Page>
  );
}
