import { useState } from 'react';
import { ROLE_NAMES, ROLES, type Role } from '#contract/console.ts';
import type { LinkAnswer, StaffRow } from '#contract/staff.ts';
import {
  changeStaff,
  endSession,
  listSessions,
  newLink,
  removeStaff,
  removeStaffDevice,
} from '../api/calls.ts';
import { fieldsOf } from '../api/client.ts';
import { useChange, useRead } from '../api/queries.ts';
import { useMe } from '../session/me.tsx';
import { Loaded } from '../shell/Loaded.tsx';
import { AskDialog, DialogButtons } from '../ui/ask.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Field, Select } from '../ui/Field.tsx';
import { TabletIcon } from '../ui/Icon.tsx';
import { Failed, Note } from '../ui/Notice.tsx';
import { when } from '../ui/times.ts';
import { STAFF } from './keys.ts';
import { PlacesField } from './PlacesField.tsx';
import { roleSays } from './roles.ts';

type Props = {
  person: StaffRow;
  lastOwner: boolean;
  onClose: () => void;
  onLink: (link: LinkAnswer) => void;
};

/** Changes a person: name, role, venues, devices, sessions, a new link, removal. */
export function ChangePerson({ person, lastOwner, onClose, onLink }: Props) {
  const me = useMe();
  const [removing, setRemoving] = useState(false);
  const [form, setForm] = useState({
    name: person.name,
    role: person.role,
    venues: person.venues.map(({ id }) => id),
    leagues: person.leagues.map(({ id }) => id),
  });
  const saving = useChange(
    (change: Parameters<typeof changeStaff>[1]) => changeStaff(person.id, change),
    { stale: [STAFF], onDone: onClose },
  );
  const linking = useChange(newLink, { stale: [STAFF], onDone: onLink });
  const errors = fieldsOf(saving.error);
  const owner = form.role === 'owner';
  const namesOf = (ids: string[]) =>
    me.venues.filter(({ id }) => ids.includes(id)).map(({ name }) => name);
  if (removing) return <Removal person={person} onClose={onClose} />;

  /**
   * Send only the fields that differ. A change of any field but the name ends the person's sessions
   * (P62).
   */
  function changes(): Parameters<typeof changeStaff>[1] {
    const same = (one: string[], other: { id: string }[]) =>
      one.toSorted().join() ===
      other
        .map(({ id }) => id)
        .toSorted()
        .join();
    return {
      ...(form.name === person.name ? {} : { name: form.name }),
      ...(form.role === person.role ? {} : { role: form.role }),
      ...(owner || same(form.venues, person.venues) ? {} : { venues: form.venues }),
      ...(owner || same(form.leagues, person.leagues) ? {} : { leagues: form.leagues }),
    };
  }
  const rights = Object.keys(changes()).some((key) => key !== 'name');

  return (
    <Dialog title={person.name} onClose={onClose}>
      <form
        className="form mt3"
        onSubmit={(event) => {
          event.preventDefault();
          if (!saving.isPending) saving.mutate(changes());
        }}
      >
        <Field
          label="Name"
          value={form.name}
          error={errors.name}
          onChange={(event) => setForm({ ...form, name: event.target.value })}
        />
        <Select
          label="Role"
          value={form.role}
          disabled={lastOwner}
          help={
            lastOwner
              ? 'The last owner stays one. Make somebody else an owner first.'
              : roleSays(form.role, namesOf(form.venues))
          }
          onChange={(event) => setForm({ ...form, role: event.target.value as Role })}
        >
          {ROLES.map((role) => (
            <option key={role} value={role}>
              {ROLE_NAMES[role]}
            </option>
          ))}
        </Select>
        {!owner && <PlacesField {...form} onChange={(places) => setForm({ ...form, ...places })} />}
        {rights && (
          <Note>
            {person.id === me.id ? 'You sign in' : `${person.name} signs in`} again afterwards.
          </Note>
        )}
        {saving.isError && errors.name === undefined && (
          <Failed what="Not saved" error={saving.error} />
        )}
        <DialogButtons verb="Save" busy={saving.isPending} onClose={onClose} />
      </form>
      <hr className="rule" />
      <Devices person={person} />
      <Sessions person={person} />
      {linking.isError && <Failed what="No link was made" error={linking.error} />}
      <div className="acts mt3">
        <button className="btn" type="button" onClick={() => linking.mutate(person.id)}>
          New link
        </button>
        {!lastOwner && (
          <button className="btn" type="button" onClick={() => setRemoving(true)}>
            Remove…
          </button>
        )}
      </div>
    </Dialog>
  );
}

function Devices({ person }: { person: StaffRow }) {
  const removing = useChange((device: string) => removeStaffDevice(person.id, device), {
    stale: [STAFF],
  });
  if (person.devices.length === 0) return <p className="sm">No device yet.</p>;
  return (
    <>
      <h3>Devices</h3>
      {removing.isError && <Failed what="Not removed" error={removing.error} />}
      <ul className="rows rows--i">
        {person.devices.map(({ id, name, last_used_at, created_at }) => (
          <li key={id}>
            <TabletIcon />
            <span>
              <b>{name}</b>
              <small>Used {when(last_used_at ?? created_at)}</small>
            </span>
            <button className="txt" type="button" onClick={() => removing.mutate(id)}>
              Remove<span className="sr"> {name}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function Sessions({ person }: { person: StaffRow }) {
  const key = [...STAFF, person.id, 'sessions'];
  const sessions = useRead(key, () => listSessions(person.id), ['staff']);
  const ending = useChange((session: string) => endSession(person.id, session), { stale: [key] });
  return (
    <Loaded read={sessions} what="the sessions" lines={1}>
      {({ results }) =>
        results.length > 0 && (
          <>
            <h3 className="mt3">Signed in</h3>
            {ending.isError && <Failed what="Not signed out" error={ending.error} />}
            <ul className="rows">
              {results.map(({ id, device, client, last_used_at, current }) => (
                <li key={id}>
                  <span>
                    <b>{device}</b>
                    <small>
                      {client}, {current ? 'this session' : `last here ${when(last_used_at)}`}
                    </small>
                  </span>
                  {!current && (
                    <button className="txt" type="button" onClick={() => ending.mutate(id)}>
                      Sign out<span className="sr"> {device}</span>
                    </button>
                  )}
                </li>
              ))}
            </ul>
          </>
        )
      }
    </Loaded>
  );
}

function Removal({ person, onClose }: { person: StaffRow; onClose: () => void }) {
  const removing = useChange(() => removeStaff(person.id), { stale: [STAFF], onDone: onClose });
  return (
    <AskDialog
      title={`Remove ${person.name}`}
      stops={[
        'Every session ends at once, on all devices.',
        'The passkeys and an open link stop working.',
      ]}
      stays={[`The audit keeps what ${person.name} did.`]}
      verb="Remove"
      failed="Not removed"
      change={removing}
      onClose={onClose}
    />
  );
}
