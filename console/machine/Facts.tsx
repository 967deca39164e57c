import type { ReactNode } from 'react';
import type { MachinePage } from '#contract/wire/machines.ts';
import { clockWords, queueWords, sinceIn, spanOf, stateWords } from '../ui/machine-words.ts';
import { State } from '../ui/State.tsx';
import { count } from '../ui/times.ts';

/** Shown in place of a figure that the machine does not report. */
const SILENT_ABOUT = 'Not reported';

type Step = { title: string; about: string };
const TRY: Partial<Record<MachinePage['machine']['state'], readonly Step[]>> = {
  silent: [
    {
      title: 'Is it on?',
      about: 'Screen dark: switch it off at the back, wait 10 s, switch it on.',
    },
    {
      title: 'Is the cable in?',
      about: 'If the machines beside it work, the venue’s line is probably fine.',
    },
    { title: 'Does it say 401 or 403?', about: 'Then it needs a new key.' },
  ],
  refused: [
    { title: 'Give it a new key', about: 'Its games stay on its disk until it has the new key.' },
    { title: 'Still refused?', about: 'The key was not typed in whole. Capitals matter.' },
  ],
  clock: [
    {
      title: 'Is its clock set by the network?',
      about: 'In its service menu, look for time or NTP, and switch it on.',
    },
    {
      title: 'Does it go wrong again?',
      about:
        'Its clock battery is empty. Until there is a new one, it may follow this server’s clock.',
    },
  ],
};

const NO_KEY: readonly Step[] = [
  {
    title: 'Is its new key at hand?',
    about: 'Put it in. The machine calls by itself, and its games come with the call.',
  },
  {
    title: 'Is the new key lost?',
    about: 'Make another, and put that one in. Nobody can read a key again.',
  },
];

/** A machine's state and what to try. Screen readers announce `children`. */
export function Facts({
  page,
  now,
  children,
}: {
  page: MachinePage;
  now: Date;
  children: ReactNode;
}) {
  const { machine } = page;
  const { timezone, heard_at, last_game, software, state, since } = machine;
  const queue = machine.queued === null ? SILENT_ABOUT : queueWords(machine).join('');
  const noKey = state === 'refused' && machine.keyless;
  const steps = noKey ? NO_KEY : TRY[state];
  return (
    <section className="panel" aria-labelledby="state">
      <h2 id="state" className="sr">
        State
      </h2>
      <p className="d0">
        <State state={state} words={stateWords(machine, now)} />
      </p>
      <p className="sm mt1" role="status">
        {children}
      </p>
      {state === 'silent' && since !== null && (
        <p className="sm mt1">
          Nothing heard for {spanOf(since, now)}. It calls every minute, even when nobody plays.
        </p>
      )}
      {noKey && since !== null && (
        <p className="sm mt1">
          The key in it ended at {sinceIn(since, timezone, now)}, and it has not called with a newer
          one. It reports no games and greets nobody by name; its games wait on its disk.
        </p>
      )}
      <dl className="facts">
        <div>
          <dt>Last heard</dt>
          <dd>{heard_at === null ? 'Never' : sinceIn(heard_at, timezone, now)}</dd>
        </div>
        <div>
          <dt>Last game</dt>
          <dd>
            {last_game === null
              ? 'None'
              : [sinceIn(last_game.played_at, timezone, now), last_game.username]
                  .filter(Boolean)
                  .join(', ')}
          </dd>
        </div>
        <div>
          <dt>Waiting on its disk</dt>
          <dd>{queue}</dd>
        </div>
        <div>
          <dt>Clock</dt>
          <dd>{clockWords(machine.clock_error_ms)}</dd>
        </div>
        <div>
          <dt>Software</dt>
          <dd>{software === null ? SILENT_ABOUT : `v ${software}`}</dd>
        </div>
        {machine.rejected !== null && machine.rejected > 0 && (
          <div>
            <dt>Set aside</dt>
            <dd>{count(machine.rejected, 'rejected game')}</dd>
          </div>
        )}
      </dl>
      {machine.queued !== 0 && (
        <p className="xs mt3">
          Without a connection, a machine keeps its games on its own disk and sends them later.
        </p>
      )}
      {steps && !machine.revoked && (
        <>
          <hr className="rule" />
          <h3>What to try</h3>
          <ol className="steps">
            {steps.map(({ title, about }) => (
              <li key={title}>
                <span>
                  <b>{title}</b>
                  <br />
                  {about}
                </span>
              </li>
            ))}
          </ol>
          <p className="sm mt4">
            Nothing helps? <b>Mark it in repair:</b> mails about it stop, and the others see that
            somebody knows. People can still play: games are safe on its disk.
          </p>
        </>
      )}
    </section>
  );
}
