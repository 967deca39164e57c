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
import { textOf, weekOf } from '../ui/week.ts';
import { ZoneSelect } from '../ui/ZoneSelect.tsx';

const OPEN = { legend: 'Open', off: 'Closed', from: 'opens', to: 'closes' };

function Form({ venue }: { venue: VenueRow }) {
  // A colleague may change the venue meanwhile: compare with what the form began with.
  const [opened, setOpened] = useState(venue);
  const [always, setAlways] = useState(venue.hours === null);
  const [week, setWeek] = useState(() => weekOf(venue.hours));
  const [wrong, setWrong] = useState<string>();
  const [timezone, setTimezone] = useState(venue.timezone);
  const save = useChange(
    (hours: string | null) => changeVenue(venue.id, changedFields(opened, { hours, timezone })),
    {
      stale: [VENUES, MACHINE, TONIGHT],
      onDone: (saved) => {
        setOpened(saved);
        setAlways(saved.hours === null);
        setWeek(weekOf(saved.hours));
        setTimezone(saved.timezone);
      },
    },
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
          save.mutate(always ? null : textOf(week));
          setWrong(undefined);
        } catch (error) {
          save.reset();
          setWrong(error instanceof Error ? error.message : undefined);
        }
      }}
    >
      <Check ref={first} checked={always} onChange={(event) => setAlways(event.target.checked)}>
        <b>Always open</b>
        <small>A silent machine raises an alert at any hour</small>
      </Check>
      {!always && (
        <WeekHours
          words={OPEN}
          week={week}
          error={wrong ?? fields.hours}
          onChange={(changed) => {
            setWeek(changed);
            setWrong(undefined);
          }}
        />
      )}
      <ZoneSelect value={timezone} error={fields.timezone} onChange={setTimezone} />
      {save.isError && Object.keys(fields).length === 0 && (
        <Failed what="Not saved" error={save.error} kept="Your entries are still here." />
      )}
      <Button type="submit" busy={save.isPending}>
        Save the hours
      </Button>
      {save.isSuccess && <p role="status">Saved.</p>}
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
