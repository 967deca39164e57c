import { useEffect, useRef, useState } from 'react';
import type { VenueRow } from '#contract/wire/venues.ts';
import { changeVenue, listVenues } from '../api/calls.ts';
import { fieldsOf } from '../api/client.ts';
import { MACHINE, TONIGHT, useChange, useRead, VENUES } from '../api/queries.ts';
import { Loaded } from '../shell/Loaded.tsx';
import { Button } from '../ui/Button.tsx';
import { changedFields } from '../ui/changed-fields.ts';
import { Check } from '../ui/Field.tsx';
import { Failed } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';
import { WeekHours } from '../ui/WeekHours.tsx';
import { textOf, type Week, weekOf } from '../ui/week.ts';
import { ZoneSelect } from '../ui/ZoneSelect.tsx';

const OPEN = { legend: 'Open', off: 'Closed', from: 'opens', to: 'closes' };

type HoursForm = { always: boolean; week: Week; timezone: string };

const formOf = ({ hours, timezone }: VenueRow): HoursForm => ({
  always: hours === null,
  week: weekOf(hours),
  timezone,
});

function Form({ venue }: { venue: VenueRow }) {
  // A colleague may change the venue meanwhile: compare with what the form began with.
  const [opened, setOpened] = useState(venue);
  const [typed, setTyped] = useState<HoursForm | null>(null);
  const [wrong, setWrong] = useState<string>();
  const form = typed ?? formOf(opened);
  const change = (part: Partial<HoursForm>) => setTyped({ ...form, ...part });
  const save = useChange(
    (sent: Pick<VenueRow, 'hours' | 'timezone'>) =>
      changeVenue(venue.id, changedFields(opened, sent)),
    { stale: [VENUES, MACHINE, TONIGHT], onDone: setOpened },
  );
  const fields = fieldsOf(save.error);
  const first = useRef<HTMLInputElement>(null);
  // The form replaces the focused button, so focus the first input.
  useEffect(() => first.current?.focus(), []);
  return (
    <form
      className="form mt3"
      onSubmit={(event) => {
        event.preventDefault();
        if (save.isPending) return;
        try {
          const hours = form.always ? null : textOf(form.week);
          save.mutate(
            { hours, timezone: form.timezone },
            // Keep what was typed during the save.
            { onSuccess: () => setTyped((now) => (now === typed ? null : now)) },
          );
          setWrong(undefined);
        } catch (error) {
          save.reset();
          setWrong(error instanceof Error ? error.message : undefined);
        }
      }}
    >
      <Check
        ref={first}
        checked={form.always}
        onChange={(event) => change({ always: event.target.checked })}
      >
        <b>Always open</b>
        <small>A silent machine raises an alert at any hour</small>
      </Check>
      {!form.always && (
        <WeekHours
          words={OPEN}
          week={form.week}
          error={wrong ?? fields.hours}
          onChange={(week) => {
            change({ week });
            setWrong(undefined);
          }}
        />
      )}
      <ZoneSelect
        value={form.timezone}
        error={fields.timezone}
        onChange={(timezone) => change({ timezone })}
      />
      {save.isError && Object.keys(fields).length === 0 && (
        <Failed what="Not saved" error={save.error} kept="Your entries are still here." />
      )}
      <Button type="submit" busy={save.isPending}>
        Save the hours
      </Button>
      <p className="sm" role="status">
        {save.isSuccess && typed === null && 'Saved.'}
      </p>
    </form>
  );
}

/** The opening hours of the venue `name`. Outside them, a machine may be silent (MACH-09). */
export function VenueHours({ name }: { name: string }) {
  const read = useRead(VENUES, listVenues, ['machines']);
  const [changing, setChanging] = useState(false);
  return (
    <Panel title={`Hours of ${name}`}>
      <Loaded read={read} what="the opening hours" lines={2}>
        {({ results }) => {
          const venue = results.find((row) => row.name === name);
          if (venue === undefined) return null;
          if (changing) return <Form key={venue.id} venue={venue} />;
          return (
            <>
              <p className="mt2">{venue.hours ?? 'Always open'}</p>
              <Button className="mt3" onClick={() => setChanging(true)}>
                Change the hours
              </Button>
            </>
          );
        }}
      </Loaded>
    </Panel>
  );
}
