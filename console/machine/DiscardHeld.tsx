import { useState } from 'react';
import type { MachinePage } from '#contract/wire/machines.ts';
import { discardHeld } from '../api/calls.ts';
import { MACHINE, TONIGHT, useChange } from '../api/queries.ts';
import { AskDialog } from '../ui/ask.tsx';
import { Button } from '../ui/Button.tsx';

/** Below this many, staff decide about each game in the inbox. */
const MANY = 10;

/** Discards all held games of a machine, when there are many (GAME-14). */
export function DiscardHeld({ page: { machine, held } }: { page: MachinePage }) {
  const [asking, setAsking] = useState(false);
  const [discarded, setDiscarded] = useState<number | null>(null);
  const change = useChange(() => discardHeld(machine.id), {
    stale: [MACHINE, TONIGHT],
    onDone: (games) => {
      setDiscarded(games);
      setAsking(false);
    },
  });
  return (
    <>
      <p role="status" className="sm">
        {discarded !== null && `Discarded held games: ${discarded.toLocaleString('en')}`}
      </p>
      {held > MANY && (
        <Button look="txt" onClick={() => setAsking(true)}>
          Discard all held games
        </Button>
      )}
      {asking && (
        <AskDialog
          title="Discard all held games?"
          stops={[
            `All ${held.toLocaleString('en')} held games of ${machine.name}, also of earlier nights: none of them counts`,
          ]}
          stays={['Games that count already', 'Games of other machines']}
          verb="Discard all"
          failed="Not discarded"
          change={change}
          onClose={() => setAsking(false)}
        >
          <p>
            So many held games usually come from a stolen key or a broken sensor. If you are not
            sure, decide about each game in the inbox.
          </p>
        </AskDialog>
      )}
    </>
  );
}
