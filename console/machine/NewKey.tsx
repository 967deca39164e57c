import { useRef, useState } from 'react';
import { CANNOT_PRINT, copyText, printPage, SELECTED } from '../../web/ui/copy.ts';
import { readMachine, rotateMachine } from '../api/calls.ts';
import { MACHINE, TONIGHT, useChange, useRead } from '../api/queries.ts';
import { Link } from '../router.tsx';
import { AskLeave } from '../shell/AskLeave.tsx';
import { Loaded } from '../shell/Loaded.tsx';
import { Page } from '../shell/Page.tsx';
import { useSaid } from '../ui/ask.tsx';
import { Button } from '../ui/Button.tsx';
import { CopyIcon, KeyIcon } from '../ui/Icon.tsx';
import { clockIn } from '../ui/machine-words.ts';
import { Failed, Note } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';
import { Qr } from '../ui/Qr.tsx';
import { IdleIcon, WellDrawing } from '../ui/State.tsx';
import { StopOldKey, workingKeys } from './StopOldKey.tsx';

const partsOf = (key: string) =>
  key.match(/^bbm_[a-z]+_|[a-z0-9]{12}(?=_)|_?[a-z0-9]{8}|.+/g) ?? [key];

/** A machine's name in a file name: `hoop-9`. */
const fileName = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '') || 'machine';

/** Shows a new key, once, and whether the machine has called with it. */
export function KeyShown({
  id,
  name,
  machineKey,
}: {
  id: string;
  name: string;
  machineKey: string;
}) {
  const [taken, setTaken] = useState<string | null>(null);
  const [stopping, setStopping] = useState(false);
  const shown = useRef<HTMLElement>(null);
  const { say, said } = useSaid();
  const read = useRead([...MACHINE, id], () => readMachine(id), ['machines']);
  const keyId = machineKey.split('_')[2];
  const file = `${fileName(name)}-key.txt`;
  const arrived = read.data?.keys.some(
    ({ id, last_used_at }) => id === keyId && last_used_at !== null,
  );
  return (
    <div className="cols cols--wide">
      {taken === null && !arrived && (
        <AskLeave title="Leave without the key?" verb="Leave">
          Nobody can read this key again. Copy, save or print it first, or make another one later.
        </AskLeave>
      )}
      <div className="col">
        <Panel title="Shown this once">
          <p className="sm">
            Nobody can read it here again; if it gets lost, make another. No spaces: the gaps are
            for the eye.
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: selected and copied by keyboard */}
          <code className="key mt3" tabIndex={0} ref={shown}>
            {partsOf(machineKey).map((part, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts never change
              <span key={at}>{part}</span>
            ))}
          </code>
          <div className="acts mt3">
            <Button
              look="primary"
              onClick={() =>
                void copyText(machineKey, shown.current).then((copied) =>
                  setTaken(
                    copied ? 'Copied. Put it into the machine, not into a chat.' : `${SELECTED}.`,
                  ),
                )
              }
            >
              <CopyIcon />
              Copy
            </Button>
            <a
              className="btn"
              download={file}
              href={`data:text/plain,${encodeURIComponent(machineKey)}`}
              onClick={() =>
                setTaken(`Saved as ${file}. Delete the file when the machine has the key.`)
              }
            >
              Save as a file
            </a>
            <Button
              onClick={() => {
                setTaken('Printed? Tear the sheet up when the machine has the key.');
                if (!printPage()) setTaken(CANNOT_PRINT);
              }}
            >
              Print
            </Button>
          </div>
          <p className="sm mt3" role="status">
            {taken}
          </p>
          <p className="sm mt3">For a machine that reads it with its camera:</p>
          <Qr text={machineKey} label={`The key of ${name} as a QR code`} size="10rem" />
        </Panel>
        <Panel title="Put it on the machine">
          <ol className="steps">
            <li>
              <span>
                <b>Open the service menu</b>
                <br />
                As the maker’s manual says; on most it is a key switch behind the coin door.
              </span>
            </li>
            <li>
              <span>
                <b>Network, then Server key</b>
                <br />
                Paste it, or put the file on a USB stick. Capitals and small letters matter.
              </span>
            </li>
            <li>
              <span>
                <b>Save, and wait for one call</b>
                <br />
                The machine calls by itself. This page says when.
              </span>
            </li>
          </ol>
        </Panel>
      </div>
      <div className="col">
        <Panel title="Has it arrived?">
          <Loaded read={read} what="whether it has called" lines={2}>
            {(page) => {
              const { machine, keys } = page;
              const used = keys.find((key) => key.id === keyId)?.last_used_at ?? null;
              const { old } = workingKeys(page);
              const ended = keys.find((key) => key.id !== keyId && key.ends_at !== null);
              return (
                <>
                  <p className="mt2" role="status">
                    <span className={used === null ? 'st st--off' : 'st'}>
                      {used === null ? <IdleIcon /> : <WellDrawing />}
                      {used === null
                        ? `Waiting for ${machine.name} to call`
                        : `${machine.name} called with it at ${clockIn(used, machine.timezone)}`}
                    </span>
                  </p>
                  {used === null && (
                    <p className="sm mt1">
                      Once the key is typed in or saved, you can leave this page: it stays good.
                    </p>
                  )}
                  {ended?.ends_at && (
                    <>
                      <hr className="rule" />
                      <h3>The old key</h3>
                      {said}
                      {old ? (
                        <>
                          <p className="sm mt1">
                            <code>{old.id}</code> works until{' '}
                            <b>{clockIn(ended.ends_at, machine.timezone)}</b>. Has somebody seen
                            this old key? Stop it now.
                          </p>
                          <Button look="full" className="mt3" onClick={() => setStopping(true)}>
                            Stop {old.id} now
                          </Button>
                        </>
                      ) : (
                        <p className="sm mt1" role="status">
                          <code>{ended.id}</code> stopped at{' '}
                          {clockIn(ended.ends_at, machine.timezone)} and never works again.
                        </p>
                      )}
                    </>
                  )}
                  {stopping && old && (
                    <StopOldKey
                      page={page}
                      old={old}
                      onClose={() => setStopping(false)}
                      onStopped={() => {
                        setStopping(false);
                        say(`${old.id} is stopped.`);
                      }}
                    />
                  )}
                </>
              );
            }}
          </Loaded>
        </Panel>
        <Link className="btn btn--full" to={`/console/machines/${id}`}>
          Done
        </Link>
      </div>
    </div>
  );
}

export function NewKey({ id }: { id: string }) {
  const read = useRead([...MACHINE, id], () => readMachine(id), ['machines']);
  const rotate = useChange(rotateMachine, { stale: [MACHINE, TONIGHT] });
  const name = read.data?.machine.name ?? 'Machine';
  const place = read.data?.machine.venue;
  const { newest, old } = read.data ? workingKeys(read.data) : {};
  return (
    <Page
      title="New key"
      about={place ? `${name}, ${place}` : name}
      back={{ to: `/console/machines/${id}`, name }}
    >
      {rotate.data ? (
        <KeyShown id={id} name={name} machineKey={rotate.data.key} />
      ) : (
        <Panel title={`A new key for ${name}`}>
          <p className="sm mt1">
            It is shown once.
            {newest && (
              <>
                {' '}
                The key that {name} has now, <code>{newest.id}</code>, works for one more hour, so
                nothing is lost while you walk over. Has somebody seen that key? Then stop it on the
                next page.
              </>
            )}
          </p>
          {newest && old && (
            <div className="mt3">
              <Note>
                Only two keys work at a time: <code>{old.id}</code> stops at once.
                {newest.last_used_at === null &&
                  ` ${name} has not called with ${newest.id}, so it reports no games until a new key is in it.`}
              </Note>
            </div>
          )}
          {rotate.isError && (
            <Failed what="No new key" error={rotate.error} onAgain={() => rotate.mutate(id)} />
          )}
          <div className="acts mt3">
            <Button look="primary" busy={rotate.isPending} onClick={() => rotate.mutate(id)}>
              <KeyIcon />
              Make a new key
            </Button>
            <Link className="btn" to={`/console/machines/${id}`}>
              Cancel
            </Link>
          </div>
        </Panel>
      )}
    </Page>
  );
}
