import { useState } from 'react';
import type { MachinePage } from '#contract/wire/machines.ts';
import { revokeMachine } from '../api/calls.ts';
import { MACHINE, TONIGHT, useChange } from '../api/queries.ts';
import { Link } from '../router.tsx';
import { AskDialog, useSaid } from '../ui/ask.tsx';
import { Button } from '../ui/Button.tsx';
import { KeyIcon } from '../ui/Icon.tsx';
import { clockIn, dayAndTimeIn, sinceIn } from '../ui/machine-words.ts';
import { Panel } from '../ui/Panel.tsx';
import { type Key, StopOldKey, workingKeys } from './StopOldKey.tsx';

function Revoke({
  page,
  onClose,
  onRevoked,
}: {
  page: MachinePage;
  onClose: () => void;
  onRevoked: () => void;
}) {
  const { machine } = page;
  const { newest, old } = workingKeys(page);
  const revoke = useChange(() => revokeMachine(machine.id), {
    stale: [MACHINE, TONIGHT],
    onDone: onRevoked,
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

type Which = 'newest' | 'old' | 'ended';
const TAGS: Record<Which, { name: string; look: string }> = {
  newest: { name: 'Newest', look: 'tag' },
  old: { name: 'Old', look: 'tag tag--line' },
  ended: { name: 'Stopped', look: 'tag tag--line' },
};

function lifeOf({ created_at, ends_at }: Key, which: Which, zone: string): string {
  if (ends_at === null || which === 'newest')
    return `Made ${dayAndTimeIn(created_at, zone)}. Works until somebody stops it`;
  return which === 'old'
    ? `Works until ${clockIn(ends_at, zone)}, then it stops by itself`
    : `Stopped ${dayAndTimeIn(ends_at, zone)}. It never works again`;
}

function adviceOf({ machine }: MachinePage, newest: Key | undefined, old: Key | undefined): string {
  if (newest === undefined) return `No key of ${machine.name} works. Make a new one and put it in.`;
  if (machine.keyless)
    return `${machine.name} has no working key: nobody has called with ${newest.id} yet. Put it in. If it is lost, make a new key.`;
  return old
    ? `Has somebody seen the key ${old.id}? Put ${newest.id} into ${machine.name}, then stop ${old.id}.`
    : `Has somebody seen the key? Make a new one and put it in, then stop the old one here: otherwise it works for 1 h more. “Revoke” stops the key and takes ${machine.name} out of service until it has a new one.`;
}

/**
 * The machine's working keys, and ended keys until the first rotation after 30 days (MACH-17,
 * MACH-21).
 */
export function Keys({ page, now }: { page: MachinePage; now: Date }) {
  const [asking, setAsking] = useState<'revoke' | 'stop' | null>(null);
  const { machine, keys } = page;
  const { newest, old } = workingKeys(page);
  const { say, said } = useSaid();
  const close = () => setAsking(null);
  const finish = (sentence: string) => {
    close();
    say(sentence);
  };
  return (
    <Panel title="Keys">
      {said}
      <ul className="rows keys mt2">
        {keys.map((key) => {
          const { id, last_used_at } = key;
          const which = id === newest?.id ? 'newest' : id === old?.id ? 'old' : 'ended';
          return (
            <li key={id} className={which === 'ended' ? 'is-over' : undefined}>
              <span>
                <b>
                  <code>{id}</code>
                  <span className={TAGS[which].look}>{TAGS[which].name}</span>
                </b>
                <small>{lifeOf(key, which, machine.timezone)}</small>
                <small>
                  {last_used_at
                    ? `Last call ${sinceIn(last_used_at, machine.timezone, now)}`
                    : which === 'ended'
                      ? 'Never used'
                      : 'Never called in'}
                </small>
              </span>
              {which === 'newest' && old === undefined && (
                <Button look="full" onClick={() => setAsking('revoke')}>
                  Revoke {id}
                </Button>
              )}
              {which === 'old' && (
                <Button look="full" onClick={() => setAsking('stop')}>
                  Stop {id} now
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      <p className="sm mt2">
        You find these characters in the key itself, after <code>bbm_live_</code> or{' '}
        <code>bbm_test_</code>.
      </p>
      <p className="sm mt2">{adviceOf(page, newest, old)}</p>
      <div className="acts acts--full mt3">
        <Link className="btn" to={`/console/machines/${machine.id}/key`}>
          <KeyIcon />
          New key
        </Link>
        {old && <Button onClick={() => setAsking('revoke')}>Revoke both keys</Button>}
      </div>
      {asking === 'revoke' && (
        <Revoke
          page={page}
          onClose={close}
          onRevoked={() => finish(`${machine.name} is out of service.`)}
        />
      )}
      {asking === 'stop' && old && (
        <StopOldKey
          page={page}
          old={old}
          onClose={close}
          onStopped={() => finish(`${old.id} is stopped.`)}
        />
      )}
    </Panel>
  );
}
