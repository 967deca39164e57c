import { useState } from 'react';
import { LINK_HOURS, ROLE_NAMES, ROLES, type Role } from '#contract/rules/staff.ts';
import type { LinkAnswer, StaffRow } from '#contract/wire/staff.ts';
import { serverNow } from '../../web/ui/server-clock.ts';
import { addStaff, listStaff } from '../api/calls.ts';
import { fieldsOf } from '../api/client.ts';
import { useChange, useRead } from '../api/queries.ts';
import { Link } from '../router.tsx';
import { useMe } from '../session/me.tsx';
import { Loaded } from '../shell/Loaded.tsx';
import { Page } from '../shell/Page.tsx';
import { useMinutes } from '../shell/until.ts';
import { useSaid } from '../ui/ask.tsx';
import { Button } from '../ui/Button.tsx';
import { Field, Select } from '../ui/Field.tsx';
import { Failed } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';
import { ACTIONS, Table } from '../ui/Table.tsx';
import { count, soon, when } from '../ui/times.ts';
import { ChangePerson } from './ChangePerson.tsx';
import { STAFF } from './keys.ts';
import { NewLink } from './NewLink.tsx';
import { PlacesField } from './PlacesField.tsx';
import { type Places, placesSent } from './places.ts';
import { placesInWords, RIGHTS, roleSays } from './roles.ts';

/** A person who called the server within this time is “Here now”. */
const HERE_MS = 5 * 60_000;

const linkWorks = ({ link_until }: StaffRow) =>
  link_until !== null && Date.parse(link_until) > serverNow();

function lastHere(person: StaffRow, me: boolean): string {
  const { joined, devices, last_seen_at, link_until } = person;
  if (linkWorks(person) && (!joined || devices.length === 0))
    return `${joined ? 'A new link' : 'Invited. The link'} works once, until ${soon(link_until ?? '')}.`;
  if (!joined) return 'Invited. The link has run out: make a new one.';
  if (devices.length === 0 && last_seen_at === null)
    return 'Signed out, without a device. A new link lets them in again.';
  const here = last_seen_at !== null && serverNow() - Date.parse(last_seen_at) < HERE_MS;
  if (me) return 'You, here now';
  if (here) return 'Here now';
  return last_seen_at === null ? 'Signed out' : `Here ${when(last_seen_at)}`;
}

/** The staff, and a form to invite another person. For owners. */
export function Staff() {
  const staff = useRead(STAFF, listStaff, ['staff']);
  const [link, setLink] = useState<LinkAnswer | null>(null);
  if (link !== null) return <NewLink link={link} onDone={() => setLink(null)} />;
  const people = staff.data?.results;
  const here = people?.filter(({ joined }) => joined).length ?? 0;
  const invited = (people?.length ?? 0) - here;
  return (
    <Page
      title="Staff"
      about={
        people && `${count(here, 'person', 'people')}${invited > 0 ? `, ${invited} invited` : ''}`
      }
      actions={
        <Link className="btn" to="/console/staff/audit">
          Audit
        </Link>
      }
    >
      <div className="cols">
        <div className="col">
          <Loaded read={staff} what="the staff">
            {({ results }) => <People people={results} onLink={setLink} />}
          </Loaded>
        </div>
        <div className="col">
          <Invite onLink={setLink} />
          <Panel title="What each may do" flush>
            <ul className="rows rows--plain mt2">
              {RIGHTS.map(([role, rights]) => (
                <li key={role}>
                  <b>{ROLE_NAMES[role]}</b>
                  <small>{rights}</small>
                </li>
              ))}
              <li>
                <b>Who answers the inbox?</b>
                <small>Managers and owners. Floor staff do not see it.</small>
              </li>
            </ul>
          </Panel>
        </div>
      </div>
    </Page>
  );
}

function People({ people, onLink }: { people: StaffRow[]; onLink: (link: LinkAnswer) => void }) {
  const me = useMe();
  // Render again every 30 s, because a link may expire while the page is open.
  useMinutes();
  const [changing, setChanging] = useState<string | null>(null);
  const { say, said } = useSaid();
  const person = people.find(({ id }) => id === changing);
  const owners = people.filter(({ role }) => role === 'owner');
  return (
    <>
      <Panel title="People" flush>
        {said}
        <Table kind="3" caption="Staff" columns={['Name', 'Role', 'Venues', 'Devices', ACTIONS]}>
          {people.map((one) => (
            <tr key={one.id}>
              <th scope="row">
                {one.name}
                <small>{lastHere(one, one.id === me.id)}</small>
              </th>
              <td data-l="Role">{ROLE_NAMES[one.role]}</td>
              <td data-l="Venues">{one.everything ? 'All' : placesInWords(one)}</td>
              <td data-l="Devices">{one.devices.length || (one.joined ? 'none' : 'none yet')}</td>
              <td className="full" data-l="">
                <div className="acts">
                  <Button onClick={() => setChanging(one.id)}>
                    Manage<span className="sr"> {one.name}</span>
                  </Button>
                </div>
              </td>
            </tr>
          ))}
        </Table>
        <p className="sm mt2 mb3">
          Somebody lost a phone? Press “Manage” beside the name, then “Remove” beside the device.
        </p>
        {owners.length === 1 && (
          <p className="sm mt2 mb3">
            {owners[0]?.name} is the only owner. Make another one, so that a lost device locks
            nobody out.
          </p>
        )}
      </Panel>
      {person && (
        <ChangePerson
          person={person}
          lastOwner={person.role === 'owner' && owners.length === 1}
          onClose={() => setChanging(null)}
          onLink={onLink}
          onRemoved={() => {
            setChanging(null);
            say(`${person.name} is removed and signed out.`);
          }}
        />
      )}
    </>
  );
}

const EMPTY = { name: '', role: 'floor' as Role };
const NOWHERE: Places = { everything: false, venues: [], leagues: [] };

function Invite({ onLink }: { onLink: (link: LinkAnswer) => void }) {
  const { venues } = useMe();
  const [form, setForm] = useState(EMPTY);
  const [places, setPlaces] = useState(NOWHERE);
  const namesOf = (ids: string[]) =>
    venues.filter(({ id }) => ids.includes(id)).map(({ name }) => name);
  const inviting = useChange(addStaff, {
    stale: [STAFF],
    onDone: (link) => {
      setForm(EMPTY);
      setPlaces(NOWHERE);
      onLink(link);
    },
  });
  const errors = fieldsOf(inviting.error);
  const owner = form.role === 'owner';
  return (
    <Panel title="Invite">
      <form
        className="form mt3"
        onSubmit={(event) => {
          event.preventDefault();
          if (inviting.isPending) return;
          inviting.mutate(owner ? form : { ...form, ...placesSent(places) });
        }}
      >
        <Field
          label="Name"
          value={form.name}
          error={errors.name}
          autoComplete="off"
          onChange={(event) => setForm({ ...form, name: event.target.value })}
        />
        <Select
          label="Role"
          value={form.role}
          help={roleSays(form.role, places.everything ? null : namesOf(places.venues))}
          onChange={(event) => setForm({ ...form, role: event.target.value as Role })}
        >
          {ROLES.map((role) => (
            <option key={role} value={role}>
              {ROLE_NAMES[role]}
            </option>
          ))}
        </Select>
        {!owner && <PlacesField places={places} onChange={setPlaces} />}
        {inviting.isError && errors.name === undefined && (
          <Failed what="Not invited" error={inviting.error} />
        )}
        <div>
          <Button
            look="primary full"
            type="submit"
            busy={inviting.isPending}
            aria-describedby="link-life"
          >
            Make a link
          </Button>
          <p className="sm mt2" id="link-life">
            It works once, for {LINK_HOURS} hours. When it has run out, “Manage” beside the name
            makes another.
          </p>
        </div>
      </form>
    </Panel>
  );
}
