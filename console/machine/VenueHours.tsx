import { useState } from 'react';
import type { VenueRow } from '#contract/venues.ts';
import { changeVenue, listVenues } from '../api/calls.ts';
import { fieldsOf } from '../api/client.ts';
import { MACHINE, TONIGHT, useChange, useRead, VENUES } from '../api/queries.ts';
import { Loaded } from '../shell/Loaded.tsx';
import { Field } from '../ui/Field.tsx';
import { Failed } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';

function Form({ venue }: { venue: VenueRow }) {
  const [hours, setHours] = useState(venue.hours ?? '');
  const [timezone, setTimezone] = useState(venue.timezone);
  const save = useChange(
    () => changeVenue(venue.id, { hours: hours.trim() === '' ? null : hours, timezone }),
    { stale: [VENUES, MACHINE, TONIGHT], onDone: (saved) => setHours(saved.hours ?? '') },
  );
  const fields = fieldsOf(save.error);
  return (
    <form
      className="form mt3"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(undefined);
      }}
    >
      <Field
        label="Open"
        value={hours}
        error={fields.hours}
        help="Such as “mon-thu 15:00-23:00, fri-sat 12:00-01:00”. Empty: always open."
        onChange={(event) => setHours(event.target.value)}
      />
      <Field
        label="Time zone"
        required
        value={timezone}
        error={fields.timezone}
        onChange={(event) => setTimezone(event.target.value)}
      />
      {save.isError && Object.keys(fields).length === 0 && (
        <Failed what="Not saved" error={save.error} kept="Your entries are still here." />
      )}
      <button className="btn" type="submit" disabled={save.isPending}>
        Save the hours
      </button>
      {save.isSuccess && <p role="status">Saved.</p>}
    </form>
  );
}

/** The opening hours of a machine's venue: outside of them nobody misses it (MACH-09). */
export function VenueHours({ name }: { name: string }) {
  const read = useRead(VENUES, listVenues, ['machines']);
  return (
    <Panel title={`Hours of ${name}`}>
      <Loaded read={read} what="the opening hours" lines={2}>
        {({ results }) => {
          const venue = results.find((row) => row.name === name);
          return venue === undefined ? null : <Form key={venue.id} venue={venue} />;
        }}
      </Loaded>
    </Panel>
  );
}
