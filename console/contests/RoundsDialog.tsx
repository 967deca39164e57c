import { useState } from 'react';
import type { CupForStaff } from '#contract/wire/cups.ts';
import { moveCupWindows } from '../api/calls.ts';
import { fieldsOf } from '../api/client.ts';
import { CONTESTS, useChange } from '../api/queries.ts';
import { FormDialog } from '../ui/FormDialog.tsx';
import { inputLater, inputSpan, inputTime } from '../ui/times.ts';
import { WindowField } from './WindowField.tsx';

/** Times are values of datetime-local inputs, on the cup's clock. */
type Window = { pairing: string; starts: string; ends: string; begun: boolean };
/**
 * An open round with the windows of its open pairings. `starts` and `ends` are the round's, and
 * empty while staff type them.
 */
type Round = { name: string; starts: string; ends: string; begun: boolean; windows: Window[] };

const beginOf = (windows: readonly Window[]) => windows.map(({ starts }) => starts).sort()[0] ?? '';
const endOf = (windows: readonly Window[]) =>
  windows
    .map(({ ends }) => ends)
    .sort()
    .at(-1) ?? '';

/** The rounds with open pairings, from the first. */
export function openRounds({ cup, rounds, now }: Pick<CupForStaff, 'cup' | 'rounds' | 'now'>) {
  const local = (iso: string) => inputTime(new Date(iso), cup.timezone);
  return rounds.flatMap(({ name, pairings }): Round[] => {
    const windows = pairings.flatMap(({ id, decided, starts_at, ends_at }): Window[] => {
      if (decided || starts_at === null || ends_at === null) return [];
      const begun = starts_at <= now;
      return [{ pairing: id, starts: local(starts_at), ends: local(ends_at), begun }];
    });
    if (windows.length === 0) return [];
    const begun = windows.some((window) => window.begun);
    return [{ name, starts: beginOf(windows), ends: endOf(windows), begun, windows }];
  });
}

/** Moves a round's starts by `begin` ms and its ends by `end` ms. A start that has passed stays. */
function movedBy(round: Round, begin: number, end: number): Round {
  const windows = round.windows.map(({ starts, ends, ...window }) => ({
    ...window,
    starts: window.begun ? starts : inputLater(starts, begin),
    ends: inputLater(ends, end),
  }));
  return { ...round, starts: beginOf(windows), ends: endOf(windows), windows };
}

/**
 * Sets the start or end of the round with index `at`. Its pairings' windows and all later rounds
 * move by the same time, so that pauses stay.
 */
export function withTime(
  rounds: readonly Round[],
  at: number,
  key: 'starts' | 'ends',
  value: string,
): Round[] {
  const { windows = [] } = rounds[at] ?? {};
  const by = inputSpan(key === 'starts' ? beginOf(windows) : endOf(windows), value);
  return rounds.map((round, index) => {
    if (Number.isNaN(by)) return index === at ? { ...round, [key]: value } : round;
    if (index < at) return round;
    return movedBy(round, index === at && key === 'ends' ? 0 : by, by);
  });
}

/** The windows of `rounds` that differ from `before`, as the call takes them. */
export function movedWindows(before: readonly Round[], rounds: readonly Round[]) {
  const was = new Map(
    before.flatMap(({ windows }) => windows.map((window) => [window.pairing, window])),
  );
  return rounds.flatMap(({ windows }) =>
    windows
      .filter(({ pairing, starts, ends }) => {
        const old = was.get(pairing);
        return old?.starts !== starts || old.ends !== ends;
      })
      .map(({ pairing, starts, ends, begun }) => ({ pairing, ends, ...(!begun && { starts }) })),
  );
}

/** Moves all open rounds at once (CUP-07). */
export function RoundsDialog({ page, onClose }: { page: CupForStaff; onClose: () => void }) {
  const [before] = useState(() => openRounds(page));
  const [rounds, setRounds] = useState(before);
  const windows = movedWindows(before, rounds);
  const isTyping = rounds.some(({ starts, ends }) => starts === '' || ends === '');
  const moving = useChange(() => moveCupWindows(page.cup.id, windows), {
    stale: [CONTESTS],
    onDone: onClose,
  });
  const error = fieldsOf(moving.error).windows;
  return (
    <FormDialog
      title="Move the rounds"
      verb="Move"
      failed="Not moved"
      missing={isTyping || windows.length === 0}
      change={moving}
      onClose={onClose}
    >
      <p className="sm">Later rounds move along with an earlier one.</p>
      {rounds.map(({ name, starts, ends, begun }, at) => (
        <fieldset className="field" key={name}>
          <legend>{name}</legend>
          <div className="form form--times">
            {!begun && (
              <WindowField
                windows={page.cup.windows}
                kind="begin"
                of={name}
                value={starts}
                onChange={(value) => setRounds(withTime(rounds, at, 'starts', value))}
              />
            )}
            <WindowField
              windows={page.cup.windows}
              kind="end"
              of={name}
              value={ends}
              error={at === rounds.length - 1 ? error : undefined}
              onChange={(value) => setRounds(withTime(rounds, at, 'ends', value))}
            />
          </div>
        </fieldset>
      ))}
    </FormDialog>
  );
}
