import type { MachinePage } from '#contract/wire/machines.ts';
import { stopOldKey } from '../api/calls.ts';
import { MACHINE, TONIGHT, useChange } from '../api/queries.ts';
import { AskDialog } from '../ui/ask.tsx';

/** A machine key without its secret. */
export type Key = MachinePage['keys'][number];

/** A machine's newest key, and the old one if it still works. */
export function workingKeys({ keys, machine, server_time }: MachinePage): {
  newest: Key | undefined;
  old: Key | undefined;
} {
  if (machine.revoked) return { newest: undefined, old: undefined };
  const now = Date.parse(server_time);
  return {
    newest: keys.find(({ ends_at }) => ends_at === null),
    old: keys.find(({ ends_at }) => ends_at !== null && Date.parse(ends_at) > now),
  };
}

/** Asks before the old key is stopped. */
export function StopOldKey({
  page,
  old,
  onClose,
  onStopped,
}: {
  page: MachinePage;
  old: Key;
  onClose: () => void;
  onStopped: () => void;
}) {
  const { machine } = page;
  const { newest } = workingKeys(page);
  const stop = useChange(() => stopOldKey(machine.id, old.id), {
    stale: [MACHINE, TONIGHT],
    onDone: onStopped,
  });
  const arrived = newest !== undefined && newest.last_used_at !== null;
  return (
    <AskDialog
      title="Stop the old key?"
      stops={[
        'The old key: its next call is refused, whoever makes it',
        ...(arrived
          ? []
          : [
              `${machine.name} itself, until the new key is in it: it reports no games and greets nobody by name`,
            ]),
      ]}
      stays={
        arrived
          ? [`${machine.name} goes on with its new key ${newest.id}`]
          : [
              'Players can go on playing: games wait on its disk, up to 30 days',
              `The new key ${newest?.id ?? ''} works, and brings the games with it`,
            ]
      }
      verb={`Stop ${old.id}`}
      failed="Not stopped"
      change={stop}
      onClose={onClose}
    >
      <p>
        {arrived ? (
          <>
            <b>{machine.name}</b> already calls with its new key. Only the old one stops:{' '}
            <code>{old.id}</code>.
          </>
        ) : (
          <>
            <b>{machine.name}</b> has not called with its new key yet. Put it in first, if you can
            wait. The old key is <code>{old.id}</code>.
          </>
        )}
      </p>
    </AskDialog>
  );
}
