import { useState } from 'react';
import { addMachine } from '../api/calls.ts';
import { fieldsOf } from '../api/client.ts';
import { ME, TONIGHT, useChange } from '../api/queries.ts';
import { Link } from '../router.tsx';
import { useMe } from '../session/me.tsx';
import { Page } from '../shell/Page.tsx';
import { Button } from '../ui/Button.tsx';
import { Field, Select } from '../ui/Field.tsx';
import { Failed } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';
import { ZONE_HERE, ZoneSelect } from '../ui/ZoneSelect.tsx';
import { KeyShown } from './NewKey.tsx';

const NEW = 'new';

export function AddMachine() {
  const { venues, role } = useMe();
  const owner = role === 'owner';
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState(venues[0]?.name ?? (owner ? NEW : ''));
  const [venue, setVenue] = useState('');
  const [timezone, setTimezone] = useState(ZONE_HERE);
  const add = useChange(
    () => addMachine({ name, ...(chosen === NEW ? { venue, timezone } : { venue: chosen }) }),
    { stale: [TONIGHT, ME] },
  );
  const fields = fieldsOf(add.error);
  const back = { to: '/console/', name: 'Tonight' };
  if (add.data)
    return (
      <Page title="Its key" about={`${add.data.name}, ${add.data.venue}`} back={back}>
        <KeyShown id={add.data.id} name={add.data.name} machineKey={add.data.key} />
      </Page>
    );
  return (
    <Page title="Add a machine" about="You get its key on the next page." back={back}>
      <div style={{ maxWidth: '32rem' }}>
        <Panel title="Which one?">
          <form
            className="form mt3"
            onSubmit={(event) => {
              event.preventDefault();
              if (!add.isPending) add.mutate(undefined);
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
              onChange={(event) => setChosen(event.target.value)}
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
            {add.isError && Object.keys(fields).length === 0 && (
              <Failed what="Not added" error={add.error} kept="Your entries are still here." />
            )}
            <div className="acts">
              <Button look="primary" type="submit" busy={add.isPending}>
                Add and show the key
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
