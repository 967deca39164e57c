import { useState } from 'react';
import type { MachineState } from './machine.ts';
import { SignIcon } from './Slip.tsx';
import { games, nameless, STOPPED } from './words.ts';

type CableProps = {
  state: MachineState;
  names: ReadonlyMap<string, string>;
  onPlug: (plugged: boolean) => void;
  onNewKey: () => Promise<void>;
};

const clock = (time: string) =>
  new Date(time).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });

/** The cable, and the games on disk, newest first (LOOK-93). */
export function Cable({
  state: { waiting, plugged, stopped },
  names,
  onPlug,
  onNewKey,
}: CableProps) {
  const [failed, setFailed] = useState<string | null>(null);
  const wait = waiting.length === 1 ? 'waits' : 'wait';
  const queue = waiting.length === 0 ? 'Nothing waits' : `${games(waiting.length)} ${wait}`;
  return (
    <section className="box" aria-label="Network">
      <label className="plug">
        <b>Network cable</b>
        <small>
          {plugged ? 'Plugged in' : 'Pulled'}. {queue} on disk.
        </small>
        <input
          type="checkbox"
          role="switch"
          aria-label="Network cable"
          aria-checked={plugged}
          checked={plugged}
          onChange={(event) => onPlug(event.target.checked)}
        />
      </label>
      <div role="status">
        {stopped && (
          <div className="stopped">
            <p>
              {STOPPED}. It said {stopped.status}: {stopped.detail}
            </p>
            <button
              className="btn btn--primary"
              type="button"
              onClick={() => {
                setFailed(null);
                onNewKey().catch((error: Error) => setFailed(error.message));
              }}
            >
              New key
            </button>
            {failed !== null && <p className="err">{failed}</p>}
          </div>
        )}
      </div>
      {waiting.length > 0 && (
        <ol className="queue" aria-label="Waiting on disk">
          {waiting.toReversed().map((game) => (
            <li key={game.id}>
              <SignIcon sign="disk" />
              <span>
                {names.get(game.player) ?? nameless(game.player)}, {clock(game.played_at)}
              </span>
              <b>{game.score}</b>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
