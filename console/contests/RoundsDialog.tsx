import { useState } from 'react';
import type { CupForStaff } from '#contract/wire/cups.ts';
import { moveCupWindows } from '../api/calls.ts';
import { fieldsOf } from '../api/client.ts';
import { CONTESTS, useChange } from '../api/queries.ts';
import { Field } from '../ui/Field.tsx';
import { FormDialog } from '../ui/FormDialog.tsx';
import { inputTime } from '../ui/times.ts';

/** An open round. Times are of datetime-local inputs, on the cup's clock. */
type Round = { name: string; starts: string; ends: string; begun: boolean; pairings: string[] };

/** The rounds with open pairings, from the first. */
export function openRounds({ cup, rounds, now }: Pick<CupForStaff, 'cup' | 'rounds' | 'now'>) {
  const local = (iso: string) => inputTime(new Date(iso), cup.timezone);
  return rounds.flatMap(({ name, pairings }): Round[] => {
    const open = pairings.filter(({ decided, starts_at }) => !decided && starts_at !== null);
    const starts = open.flatMap(({ starts_at }) => starts_at ?? []).sort();
    const ends = open.flatMap(({ ends_at }) => ends_at ?? []).sort();
    const [first, last] = [starts[0], ends.at(-1)];
    if (first === undefined || last === undefined) return [];
    return [
      {
        name,
        starts: local(first),
        ends: local(last),
        begun: first <= now,
        pairings: open.map(({ id }) => id),
      },
    ];
  });
}

const utc = (local: string) => Date.parse(`${local}Z`);
const later = (local: string, ms: number) => new Date(utc(local) + ms).toISOString().slice(0, 16);

/** Sets a time of the round `at`. What comes after it moves along, so that pauses stay. */
export function withTime(
  rounds: readonly Round[],
  at: number,
  key: 'starts' | 'ends',
  value: string,
): Round[] {
  const by = utc(value) - utc(rounds[at]?.[key] ?? '');
  return rounds.map((round, index) => {
    if (index < at) return round;
    if (index === at && (key === 'ends' || Number.isNaN(by))) return { ...round, [key]: value };
    if (Number.isNaN(by)) return round;
    return { ...round, starts: later(round.starts, by), ends: later(round.ends, by) };
  });
}

/** Moves all open rounds at once (CUP-07). */
export function RoundsDialog({ page, onClose }: { page: CupForStaff; onClose: () => void }) {
  const [before] = useState(() => openRounds(page));
  const [rounds, setRounds] = useState(before);
  const moving = useChange(
    () =>
      moveCupWindows(
        page.cup.id,
        rounds
          .filter(({ starts, ends }, at) => {
            const was = before[at];
            return was === undefined || was.starts !== starts || was.ends !== ends;
          })
          .flatMap(({ pairings, begun, starts, ends }) =>
            pairings.map((pairing) => ({ pairing, ends, ...(begun ? {} : { starts }) })),
          ),
      ),
    { stale: [CONTESTS], onDone: onClose },
  );
  const error = fieldsOf(moving.error).windows;
  return (
    <FormDialog
      title="Move the rounds"
      verb="Move"
      failed="Not moved"
      change={moving}
      onClose={onClose}
    >
      <p className="sm">Later rounds move along with an earlier one.</p>
      {rounds.map(({ name, starts, ends, begun }, at) => (
        <fieldset className="field" key={name}>
          <legend>{name}</legend>
          <div className="form form--times">
            {!begun && (
              <Field
                label="Begins"
                aria-label={`${name} begins`}
                type="datetime-local"
                value={starts}
                onChange={(event) => setRounds(withTime(rounds, at, 'starts', event.target.value))}
              />
            )}
            <Field
              label="Ends"
              aria-label={`${name} ends`}
              type="datetime-local"
              value={ends}
              error={at === rounds.length - 1 ? error : undefined}
              onChange={(event) => setRounds(withTime(rounds, at, 'ends', event.target.value))}
            />
          </div>
        </fieldset>
      ))}
    </FormDialog>
  );
}
