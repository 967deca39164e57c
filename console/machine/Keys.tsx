import { useState } from 'react';
import type { MachinePage } from '#contract/tonight.ts';
import { revokeMachine } from '../api/calls.ts';
import { MACHINE, TONIGHT, useChange } from '../api/queries.ts';
import { Link } from '../router.tsx';
import { AskDialog } from '../ui/ask.tsx';
import { KeyIcon } from '../ui/Icon.tsx';
import { clockIn, sinceIn } from '../ui/machine-words.ts';
import { Panel } from '../ui/Panel.tsx';
import { when } from '../ui/times.ts';
import { StopOldKey, workingKeys } from './StopOldKey.tsx';

function Revoke({ page, onClose }: { page: MachinePage; onClose: () => void }) {
  const { machine } = page;
  const { newest, old } = workingKeys(page);
  const revoke = useChange(() => revokeMachine(machine.id), {
    stale: [MACHINE, TONIGHT],
    onDone: onClose,
  });
  const which = [newest, old].flatMap((key) => (key === undefined ? [] : [key.id]));
  return (
    <AskDialog
      title={old ? 'Revoke both keys?' : 'Revoke its key?'}
      stops={[
        old ? `The keys ${which.join(' and ')} stop working` : `The key ${which[0]} stops working`,
        'Its next call is refused; it reports no more games',
        'It greets nobody by name',
      ]}
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

/**
 * The keys of a machine, without their secrets: since when each works, its last call and its end.
 * The old key can be stopped alone; `Revoke` says which keys it stops (MACH-21).
 */
export function Keys({ page, now }: { page: MachinePage; now: Date }) {
  const [asking, setAsking] = useState<'revoke' | 'stop' | null>(null);
  const { machine, keys } = page;
  const { newest, old } = workingKeys(page);
  const close = () => setAsking(null);
  return (
    <Panel title="Keys">
      <ul className="rows keys mt2">
        {keys.map(({ id, created_at, last_used_at, ends_at }) => (
          <li key={id} className={id === newest?.id || id === old?.id ? undefined : 'is-over'}>
            <span>
              <b>
                <code>{id}</code>
                {old && id === newest?.id && <span className="tag">New key</span>}
                {id === old?.id && <span className="tag tag--line">Old key</span>}
              </b>
              <small>
                {ends_at === null
                  ? `Works since ${when(created_at)}`
                  : id === old?.id
                    ? `Works until ${clockIn(ends_at, machine.timezone)}`
                    : `Stopped ${sinceIn(ends_at, machine.timezone, now)}, never works again`}
              </small>
              <small>
                {last_used_at
                  ? `Last call ${sinceIn(last_used_at, machine.timezone, now)}`
                  : 'No call with it yet'}
              </small>
            </span>
            {id === newest?.id && old === undefined && (
              <button className="btn" type="button" onClick={() => setAsking('revoke')}>
                Revoke
              </button>
            )}
            {id === old?.id && (
              <button className="btn btn--full" type="button" onClick={() => setAsking('stop')}>
                Stop the old key now
              </button>
            )}
          </li>
        ))}
      </ul>
      <p className="sm mt2">
        These characters stand near the start of each key, after <code>bbm_</code>.
      </p>
      <p className="sm mt2">
        {old
          ? `Has somebody seen the old key? Stop it as soon as the new one is in ${machine.name}.`
          : 'Has somebody seen the key? Make a new one, put it in, then stop the old one here. Otherwise the old one ends by itself after 1 h.'}
      </p>
      <div className="acts acts--full mt3">
        <Link className="btn" to={`/console/machines/${machine.id}/key`}>
          <KeyIcon />
          New key
        </Link>
        {old && (
          <button className="btn" type="button" onClick={() => setAsking('revoke')}>
            Revoke both keys
          </button>
        )}
      </div>
      {asking === 'revoke' && <Revoke page={page} onClose={close} />}
      {asking === 'stop' && old && <StopOldKey page={page} old={old} onClose={close} />}
    </Panel>
  );
}
