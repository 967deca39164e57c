import { startRegistration } from '@simplewebauthn/browser';
import { useState } from 'react';
import { DEVICE_NAME_MAX, reaches } from '#contract/rules/staff.ts';
import { NOT_KEPT } from '../../web/ui/storage.ts';
import { addDevice, deviceOptions, listDevices, removeDevice, signOut } from '../api/calls.ts';
import { ApiError } from '../api/client.ts';
import { useChange, useRead } from '../api/queries.ts';
import { Link } from '../router.tsx';
import { roleWords, useMe } from '../session/me.tsx';
import { Loaded } from '../shell/Loaded.tsx';
import { NAV, roleOf } from '../shell/nav.tsx';
import { Page } from '../shell/Page.tsx';
import { Search } from '../shell/Search.tsx';
import { isDark, setDark } from '../shell/theme.ts';
import { AskHere, DialogButtons, useAsking } from '../ui/ask.tsx';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Field } from '../ui/Field.tsx';
import { NextIcon, TabletIcon } from '../ui/Icon.tsx';
import { Failed } from '../ui/Notice.tsx';
import { dayAndTime, when } from '../ui/times.ts';
import { Mails } from './Mails.tsx';

const DEVICES = ['devices'] as const;

/** The pages that a phone's bar leaves out, and the person's settings. */
export function More() {
  const me = useMe();
  const [dark, keepDark] = useState(isDark);
  const [kept, setKept] = useState(true);
  const leaving = useChange(signOut, {
    // Load the page again: nothing of this person stays in it.
    onDone: () => window.location.reload(),
  });
  const below = NAV.filter((entry) => !entry.icon && reaches(me.role, roleOf(entry)));
  return (
    <Page title="More">
      <div className="col w34">
        <Search className="p-only" />
        {below.length > 0 && (
          <section className="panel panel--flush" aria-label="Pages">
            <ul className="more">
              {below.map(({ name, path, about }) => (
                <li key={path}>
                  <Link to={path}>
                    <span>
                      {name}
                      <small>{about}</small>
                    </span>
                    <NextIcon />
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        )}
        <section className="panel" aria-labelledby="you">
          <h2 id="you">{me.name}</h2>
          <p className="sm">{roleWords(me)}</p>
          {me.session.kind === 'link' ? (
            <p className="sm mt2">
              A link opened the console on this device, until {dayAndTime(me.session.expires_at)}.
            </p>
          ) : (
            <Devices />
          )}
          <div className="mt2">
            <label className="switch">
              <b>Dark</b>
              <small>On this device, for behind the bar</small>
              <input
                type="checkbox"
                role="switch"
                aria-checked={dark}
                checked={dark}
                onChange={(event) => {
                  setKept(setDark(event.target.checked));
                  keepDark(event.target.checked);
                }}
              />
            </label>
            <p className="sm" role="status">
              {!kept && NOT_KEPT}
            </p>
          </div>
          {leaving.isError && <Failed what="Not signed out" error={leaving.error} />}
          <div className="acts mt3">
            <AddDevice />
            <Button onClick={() => leaving.mutate(undefined)}>Sign out</Button>
          </div>
        </section>
        <Mails />
      </div>
    </Page>
  );
}

function Devices() {
  const devices = useRead(DEVICES, listDevices, ['staff']);
  const { asked, opener, cancel, finish, said } = useAsking();
  return (
    <Loaded read={devices} what="your devices">
      {({ results }) => (
        <>
          {said}
          <ul className="rows rows--i mt2">
            {results.map(({ id, name, current, created_at, last_used_at }) => (
              <li key={id}>
                {asked === id ? (
                  <AskHere
                    question={`Remove “${name}”?`}
                    about="It is signed out at once, and cannot sign in again."
                    verb={`Remove ${name}`}
                    failed="Not removed"
                    act={() => removeDevice(id)}
                    stale={[DEVICES]}
                    onClose={cancel}
                    onDone={() => finish(`“${name}” is removed and signed out.`)}
                  />
                ) : (
                  <>
                    <TabletIcon />
                    <span>
                      <b>{name}</b>
                      <small>
                        {current
                          ? `This device, passkey since ${when(created_at)}`
                          : `Used ${when(last_used_at ?? created_at)}`}
                      </small>
                    </span>
                    {!current && (
                      <Button look="txt" {...opener(id)}>
                        Remove<span className="sr"> {name}</span>
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

function AddDevice() {
  const [open, setOpen] = useState(false);
  const [device, setDevice] = useState('');
  const adding = useChange(
    async (name: string) => {
      const options = await deviceOptions();
      const response = await startRegistration({
        optionsJSON: options,
      });
      return addDevice(name, response);
    },
    { stale: [DEVICES], onDone: () => setOpen(false) },
  );
  if (!window.isSecureContext) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>Add a device</Button>
      {open && (
        <Dialog title="Add a device" onClose={() => setOpen(false)}>
          <p>The browser asks where to keep the new passkey: here, on a phone, or on a stick.</p>
          {adding.isError && (
            <Failed
              what="No passkey was made"
              error={
                adding.error instanceof ApiError
                  ? adding.error
                  : new ApiError(400, { detail: 'the browser gave up.' })
              }
            />
          )}
          <form
            className="form mt4"
            onSubmit={(event) => {
              event.preventDefault();
              if (device.trim() !== '' && !adding.isPending) adding.mutate(device.trim());
            }}
          >
            <Field
              label="What do you call it?"
              value={device}
              maxLength={DEVICE_NAME_MAX}
              data-first
              onChange={(event) => setDevice(event.target.value)}
            />
            <DialogButtons
              verb="Make a passkey"
              busy={device.trim() === '' || adding.isPending}
              onClose={() => setOpen(false)}
            />
          </form>
        </Dialog>
      )}
    </>
  );
}
