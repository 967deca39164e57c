import { type ReactNode, useState } from 'react';
import { BACKUP_OLD_MS, MAIL_LATE_MS } from '#contract/rules/system.ts';
import type { SystemAnswer } from '#contract/wire/system.ts';
import { serverDate, serverNow } from '../../web/ui/server-clock.ts';
import { readSystem, signOutAllPlayers } from '../api/calls.ts';
import { useChange, useRead } from '../api/queries.ts';
import { Loaded } from '../shell/Loaded.tsx';
import { Page } from '../shell/Page.tsx';
import { AskDialog } from '../ui/ask.tsx';
import { Button } from '../ui/Button.tsx';
import { Copyable } from '../ui/Copy.tsx';
import { TroubleIcon, WellIcon } from '../ui/Icon.tsx';
import { Panel } from '../ui/Panel.tsx';
import { Table } from '../ui/Table.tsx';
import { count, when } from '../ui/times.ts';

const HOUR_MS = 3_600_000;
/** A disk needs attention when its free share is smaller than this. */
const DISK_LOW = 0.1;
const REPLICA_LATE_S = 30;

function size(bytes: number): string {
  const [value, unit] = bytes < 1e9 ? [bytes / 1e6, 'MB'] : [bytes / 1e9, 'GB'];
  return `${value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en')} ${unit}`;
}

function span(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)];
  if (days > 0) return `${days} d ${hours} h`;
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
}

const since = (time: string) => serverNow() - Date.parse(time);

/** Version, database, mails and last backup, for owners. */
export function System() {
  const system = useRead(['system'], readSystem);
  return (
    <Page title="System" about={window.location.host}>
      <div className="cols cols--wide">
        <div className="col">
          <Loaded read={system} what="the system" lines={6}>
            {(value) => (
              <>
                <Health system={value} />
                <WaitingMails mail={value.mail} />
              </>
            )}
          </Loaded>
        </div>
        <div className="col">
          {system.data && <LastBackup backup={system.data.backup} />}
          <CommandLineOnly />
          <EverybodyOut />
        </div>
      </div>
    </Page>
  );
}

function Row({ well, name, children }: { well: boolean; name: string; children: ReactNode }) {
  return (
    <li>
      {well ? <WellIcon /> : <TroubleIcon />}
      <span>
        <b>{name}</b>
        <small>{children}</small>
      </span>
      <span className="sm">{well ? 'well' : 'look at it'}</span>
    </li>
  );
}

function Health({ system }: { system: SystemAnswer }) {
  const { version, node, up_since, processes, database, warnings, disk, mail, replica } = system;
  const [oldest] = mail.waits;
  const late = oldest !== undefined && since(oldest.since) > MAIL_LATE_MS;
  return (
    <Panel title="Is it well?" flush>
      <ul className="rows rows--i mt2">
        <Row well name="Server">
          Version {version} on Node {node.replace('v', '')}, up for {span(since(up_since))},{' '}
          {count(processes, 'process', 'processes')}
        </Row>
        <Row well={database.connections < 0.9 * database.connections_max} name="Database">
          PostgreSQL {database.version.split(' ')[0]}, {database.connections} of{' '}
          {database.connections_max} connections, {size(database.bytes)}, schema {database.schema}
        </Row>
        {warnings.map((text) => (
          <Row key={text} well={false} name="Warning">
            {text}
          </Row>
        ))}
        {disk && (
          <Row well={disk.free_bytes > DISK_LOW * disk.bytes} name="Disk">
            {size(disk.free_bytes)} of {size(disk.bytes)} free
          </Row>
        )}
        <Row well={!late} name="Mail">
          {mail.kept
            ? 'No mail server is set up: mails stay on the mailbox page'
            : oldest
              ? `${count(mail.waits.length, 'mail waits', 'mails wait')}, the oldest for ${span(since(oldest.since))}`
              : 'Nothing waits'}
        </Row>
        {replica && (
          <Row well={replica.behind_s !== null && replica.behind_s < REPLICA_LATE_S} name="Standby">
            {replica.behind_s === null
              ? 'Away: the first database answers for it'
              : `${replica.behind_s.toFixed(1)} s behind`}
          </Row>
        )}
      </ul>
    </Panel>
  );
}

function WaitingMails({ mail: { waits } }: { mail: SystemAnswer['mail'] }) {
  if (waits.length === 0) return null;
  return (
    <Panel title="Mails that wait" flush>
      <Table caption="Mails that wait, the oldest first" columns={['Since', ['Tries', 'r']]}>
        {waits.map(({ since: at, tries }, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: mails have no name to show
          <tr key={row}>
            <th scope="row">{when(at)}</th>
            <td className="r" data-l="Tries">
              {tries}
            </td>
          </tr>
        ))}
      </Table>
      <p className="sm mt2 mb3">
        Each mail is tried again until it would come too late. The log says why the last try failed.
      </p>
    </Panel>
  );
}

function LastBackup({ backup }: { backup: SystemAnswer['backup'] }) {
  const file = `backboard-${serverDate().toISOString().slice(0, 10)}.gz`;
  const old = backup === null || since(backup.at) > BACKUP_OLD_MS;
  return (
    <Panel title="Last backup">
      {backup === null ? (
        <p className="mt2">
          <span className="st st--bad">
            <TroubleIcon />
            None yet
          </span>
        </p>
      ) : (
        <>
          <p className="mt2">
            <span className="num d2">
              {Math.floor(since(backup.at) / HOUR_MS).toLocaleString('en')}
            </span>{' '}
            <span className="sm">hours ago</span>
          </p>
          <p className="sm">
            {when(backup.at)}
            {backup.bytes === null ? '' : `, ${size(backup.bytes)}`}, by the command line.
          </p>
        </>
      )}
      <p className="sm">
        {old ? <b className="b">Make one now. </b> : null}One every night is enough. This page
        cannot make it: send this line to whoever runs the server, to be typed there.
      </p>
      <div className="mt3">
        <Copyable text={`./backboard backup ${file}`} />
      </div>
      <p className="xs mt2">
        On the server. It holds addresses and password hashes: keep a copy elsewhere, delete it
        after 35 days.
      </p>
    </Panel>
  );
}

const COMMANDS: [string, string][] = [
  ['Save everything', './backboard backup FILE'],
  ['Put a backup back', './backboard restore FILE'],
  ['Make all figures anew', './backboard rebuild'],
  ['A made-up league', './backboard demo'],
  ['A link for the first owner', './backboard staff add NAME --role owner'],
];

function CommandLineOnly() {
  return (
    <Panel title="Command line only">
      <p className="sm mt1">
        What could lose everything is not a button. Whoever runs the server types these lines there.
      </p>
      <dl className="cmds mt2">
        {COMMANDS.map(([what, command]) => (
          <div key={command}>
            <dt className="sm">{what}</dt>
            <dd>
              <code className="b">{command}</code>
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

function EverybodyOut() {
  const [asking, setAsking] = useState(false);
  const leaving = useChange(signOutAllPlayers, { onDone: () => setAsking(false) });
  return (
    <Panel title="Everybody out">
      <p className="sm mt1">
        When a secret may have been seen. Every player signs in again; staff stay.
      </p>
      <p className="sm mt2" role="status">
        {leaving.data && `${count(leaving.data.sessions_ended, 'session')} ended.`}
      </p>
      <div className="mt3">
        <Button look="full" onClick={() => setAsking(true)}>
          Sign out all players…
        </Button>
      </div>
      {asking && (
        <AskDialog
          title="Sign out all players"
          stops={['Every player signs in again, on every phone.']}
          stays={['Machines, games and codes go on as before.']}
          verb="Sign out all"
          failed="Nobody was signed out"
          change={leaving}
          onClose={() => setAsking(false)}
        />
      )}
    </Panel>
  );
}
