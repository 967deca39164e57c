import { useState } from 'react';
import type { MachinePage } from '#contract/tonight.ts';
import { revokeMachine } from '../api/calls.ts';
import { MACHINE, TONIGHT, useChange } from '../api/queries.ts';
import { Link } from '../router.tsx';
import { AskDialog } from '../ui/ask.tsx';
import { KeyIcon } from '../ui/Icon.tsx';
import { clockIn } from '../ui/machine-words.ts';
import { Panel } from '../ui/Panel.tsx';
import { when } from '../ui/times.ts';

function Revoke({ page: { machine }, onClose }: { page: MachinePage; onClose: () => void }) {
  const revoke = useChange(() => revokeMachine(machine.id), {
    stale: [MACHINE, TONIGHT],
    onDone: onClose,
  });
  return (
    <AskDialog
      title="Revoke its key?"
      stops={['Its next call is refused; it reports no more games', 'It greets nobody by name']}
      stays={[
        'Players can go on playing: games wait on its disk, up to 30 days',
        'A new key brings it back, and the games with it',
      ]}
      verb="Revoke"
      failed="Not revoked"
      change={revoke}
      onClose={onClose}
    >
      <p>
        <b>{machine.name}</b> is out of service at once.
      </p>
    </AskDialog>
  );
}

/** The keys of a machine, without their secrets, and how to replace or revoke them. */
export function Keys({ page }: { page: MachinePage }) {
  const [asking, setAsking] = useState(false);
  const { machine, keys } = page;
  const [newest] = keys;
  return (
    <Panel title="Keys">
      <ul className="rows mt2">
        {keys.map(({ id, created_at, last_used_at, ends_at }) => (
          <li key={id}>
            <span>
              <b>{id}</b>
              <small>
                {machine.revoked
                  ? 'Revoked'
                  : ends_at === null
                    ? `Valid since ${when(created_at)}`
                    : Date.parse(ends_at) > Date.parse(page.server_time)
                      ? `Works until ${clockIn(ends_at, machine.timezone)}`
                      : 'No longer works'}
                {last_used_at ? `, last used ${when(last_used_at)}` : ', not used yet'}
              </small>
            </span>
            {id === newest?.id && !machine.revoked && (
              <button className="btn" type="button" onClick={() => setAsking(true)}>
                Revoke
              </button>
            )}
          </li>
        ))}
      </ul>
      <p className="sm mt2">
        A new key lets the old one live for 1 h, so nothing is lost while you walk over.
      </p>
      <div className="mt3">
        <Link className="btn btn--full" to={`/console/machines/${machine.id}/key`}>
          <KeyIcon />
          New key
        </Link>
      </div>
      {asking && <Revoke page={page} onClose={() => setAsking(false)} />}
    </Panel>
  );
}
