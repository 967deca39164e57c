import { useState } from 'react';
import { LINK_HOURS, ROLE_NAMES, ROLES, type Role } from '#contract/rules/staff.ts';
import type { LinkAnswer, StaffRow } from '#contract/wire/staff.ts';
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
import { AskDialog, AskHere, DialogButtons, useAsking } from '../ui/ask.tsx';
import { Button } from '../ui/Button.tsx';
import { changedFields } from '../ui/changed-fields.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { Field, Select } from '../ui/Field.tsx';
import { ComputerIcon, KeyIcon, PhoneIcon, TabletIcon } from '../ui/Icon.tsx';
import { Failed, Note } from '../ui/Notice.tsx';
import { when } from '../ui/times.ts';
import { STAFF } from './keys.ts';
import { PlacesField } from './PlacesField.tsx';
import { mergePlaces, type Places, placesSent, samePlaces } from './places.ts';
import { roleSays } from './roles.ts';

type Props = {
  person: StaffRow;
  lastOwner: boolean;
  onClose: () => void;
  onLink: (link: LinkAnswer) => void;
  onRemoved: () => void;
};

const placesOf = ({ everything, venues, leagues }: StaffRow): Places => ({
  everything,
  venues: venues.map(({ id }) => id),
  leagues: leagues.map(({ id }) => id),
});

/** A person's dialog (STAFF-25). */
export function ChangePerson({ person, lastOwner, onClose, onLink, onRemoved }: Props) {
  const me = useMe();
  const [removing, setRemoving] = useState(false);
  // Another owner may change the person meanwhile: compare with what the form began with.
  const [opened] = useState(person);
  const given = placesOf(opened);
  const [form, setForm] = useState({ name: opened.name, role: opened.role });
  const [places, setPlaces] = useState<Places>(given);
  const saving = useChange(
    (change: Parameters<typeof changeStaff>[1]) => changeStaff(person.id, change),
    { stale: [STAFF], onDone: onClose },
  );
  const linking = useChange(newLink, { stale: [STAFF], onDone: onLink });
  const errors = fieldsOf(saving.error);
  const owner = form.role === 'owner';
  const namesOf = (ids: string[]) =>
    me.venues.filter(({ id }) => ids.includes(id)).map(({ name }) => name);
  if (removing) return <Removal person={person} onClose={onClose} onRemoved={onRemoved} />;

  /** The changed fields only: sending role, venues or leagues ends the person's sessions (P62). */
  function changes(): Parameters<typeof changeStaff>[1] {
    const live = placesOf(person);
    const merged = mergePlaces(given, places, live);
    const same = opened.role !== 'owner' && samePlaces(merged, live);
    return { ...changedFields(opened, form), ...(owner || same ? {} : placesSent(merged)) };
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
              ? 'There has to be an owner. Make somebody else one first.'
              : roleSays(form.role, places.everything ? null : namesOf(places.venues))
          }
          onChange={(event) => setForm({ ...form, role: event.target.value as Role })}
        >
          {ROLES.map((role) => (
            <option key={role} value={role}>
              {ROLE_NAMES[role]}
            </option>
          ))}
        </Select>
        {!owner && <PlacesField places={places} onChange={setPlaces} />}
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
      <Devices person={person} lastOwner={lastOwner} />
      <Sessions person={person} />
      <hr className="rule" />
      <h3>Another device</h3>
      <p className="sm mt1">
        For a new phone, or in place of a lost one. The link works once, for {LINK_HOURS} hours.
      </p>
      <Button
        look="full"
        className="mt2"
        busy={linking.isPending}
        onClick={() => linking.mutate(person.id)}
      >
        New link for {person.name}
      </Button>
      {linking.isError && <Failed what="No link was made" error={linking.error} />}
      {!lastOwner && (
        <>
          <hr className="rule" />
          <h3>Leaves the staff</h3>
          <p className="sm mt1">
            {person.name} is signed out everywhere, and no device of theirs opens the console.
          </p>
          <Button look="full" className="mt2" onClick={() => setRemoving(true)}>
            Remove {person.name}…
          </Button>
        </>
      )}
      <hr className="rule" />
      <Button look="full" onClick={onClose}>
        Close
      </Button>
    </Dialog>
  );
}

function DeviceIcon({ name }: { name: string }) {
  if (/computer|laptop|desktop|\b(pc|mac|macbook)\b/i.test(name)) return <ComputerIcon />;
  if (/tablet|ipad/i.test(name)) return <TabletIcon />;
  return /phone|mobile|android|pixel/i.test(name) ? <PhoneIcon /> : <KeyIcon />;
}

function Devices({ person, lastOwner }: Pick<Props, 'person' | 'lastOwner'>) {
  const { asked, opener, cancel, finish, said } = useAsking();
  const needed = lastOwner && person.devices.length === 1;
  return (
    <>
      <h3>Devices</h3>
      <p className="sm mt1">
        {person.devices.length === 0
          ? person.joined
            ? 'No device. A new link sets up the next one.'
            : 'No device yet.'
          : needed
            ? 'The only device of the only owner. Is it lost? Make a new link for the next one, then remove it here.'
            : 'Is a phone lost? Remove it here: it is signed out at once. Then make a new link for the next one.'}
      </p>
      {said}
      <ul className="rows rows--i">
        {person.devices.map((device) => (
          <li key={device.id}>
            {asked === device.id ? (
              <AskHere
                question={`Remove “${device.name}” of ${person.name}?`}
                about={[
                  'It is signed out at once, and cannot sign in again.',
                  ...(person.devices.length > 1
                    ? []
                    : [`${person.name} has no other device, and needs a new link.`]),
                ].join(' ')}
                verb={`Remove ${device.name}`}
                failed="Not removed"
                act={() => removeStaffDevice(person.id, device.id)}
                stale={[STAFF]}
                onClose={cancel}
                onDone={() => finish(`“${device.name}” is removed and signed out.`)}
              />
            ) : (
              <>
                <DeviceIcon name={device.name} />
                <span>
                  <b>{device.name}</b>
                  <small>Used {when(device.last_used_at ?? device.created_at)}</small>
                </span>
                {!needed && (
                  <Button look="txt" {...opener(device.id)}>
                    Remove<span className="sr"> {device.name}</span>
                  </Button>
                )}
              </>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function Sessions({ person }: { person: StaffRow }) {
  const key = [...STAFF, person.id, 'sessions'];
  const sessions = useRead(key, () => listSessions(person.id), ['staff']);
  const { asked, opener, cancel, finish, said } = useAsking();
  return (
    <Loaded read={sessions} what="the sessions" lines={1}>
      {({ results }) => (
        <>
          {results.length > 0 && (
            <>
              <h3 className="mt3">Signed in now</h3>
              <p className="sm mt1">
                “Sign out” ends a session; the device can sign in again. For a lost phone, use
                “Remove” above.
              </p>
            </>
          )}
          {said}
          <ul className="rows">
            {results.map(({ id, device, client, last_used_at, current }) => (
              <li key={id}>
                {asked === id ? (
                  <AskHere
                    question={`Sign ${person.name} out on “${device}”?`}
                    about="It can sign in again with its passkey. For a lost phone, remove the device instead."
                    verb={`Sign out ${device}`}
                    failed="Not signed out"
                    act={() => endSession(person.id, id)}
                    stale={[key]}
                    onClose={cancel}
                    onDone={() => finish(`“${device}” is signed out.`)}
                  />
                ) : (
                  <>
                    <span>
                      <b>{device}</b>
                      <small>
                        {client}, {current ? 'this session' : `last here ${when(last_used_at)}`}
                      </small>
                    </span>
                    {!current && (
                      <Button look="txt" {...opener(id)}>
                        Sign out<span className="sr"> {device}</span>
                      </Button>
                    )}
                  </>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </Loaded>
  );
}

function Removal({ person, onClose, onRemoved }: Pick<Props, 'person' | 'onClose' | 'onRemoved'>) {
  const removing = useChange(() => removeStaff(person.id), { stale: [STAFF], onDone: onRemoved });
  return (
    <AskDialog
      title={`Remove ${person.name}?`}
      stops={[
        'Every session ends at once, on all devices.',
        'The passkeys and an open link stop working.',
      ]}
      stays={[`The audit keeps what ${person.name} did.`]}
      verb={`Remove ${person.name}`}
      failed="Not removed"
      change={removing}
      onClose={onClose}
    />
  );
}
