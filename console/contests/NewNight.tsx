import { useState } from 'react';
import { CONTEST_HOURS } from '#contract/rules/contests.ts';
import { serverNow } from '../../web/ui/server-clock.ts';
import { listVenues, makeContest } from '../api/calls.ts';
import { fieldsOf } from '../api/client.ts';
import { CONTESTS, useChange, useRead, VENUES } from '../api/queries.ts';
import { navigate } from '../router.tsx';
import { useMe } from '../session/me.tsx';
import { useVenue } from '../session/venue.tsx';
import { Button } from '../ui/Button.tsx';
import { Select } from '../ui/Field.tsx';
import { Panel } from '../ui/Panel.tsx';
import { Refused } from '../ui/Refused.tsx';
import { inputTime } from '../ui/times.ts';
import { NightFields, type NightForm, NOW, newNight, nextHour, sentNight } from './fields.tsx';

export function NewNight() {
  const { venues } = useMe();
  const { venue } = useVenue();
  const [chosen, choose] = useState<string | null>(null);
  const at = chosen ?? venue ?? venues[0]?.id ?? '';
  const zones = useRead(VENUES, listVenues, ['machines']).data?.results;
  const timezone = zones?.find(({ id }) => id === at)?.timezone;
  const [typed, setTyped] = useState<Partial<NightForm>>({});
  const making = useChange((form: NightForm) => makeContest(at, sentNight(form)), {
    stale: [CONTESTS],
    onDone: ({ id }) => navigate(`/console/contests/${id}`),
  });
  const errors = fieldsOf(making.error);
  if (venues.length === 0) return null;
  const zone = timezone ?? 'UTC';
  const starts =
    typed.starts === NOW
      ? inputTime(new Date(serverNow()), zone)
      : (typed.starts ?? nextHour(zone));
  const form = { ...newNight(starts, nextHour(zone, CONTEST_HOURS)), ...typed };
  const off = making.isPending || timezone === undefined;
  return (
    <Panel title="New night">
      <form
        className="form mt3"
        onSubmit={(event) => {
          event.preventDefault();
          if (!off) making.mutate(form);
        }}
      >
        {venues.length > 1 && (
          <Select
            label="Venue"
            value={at}
            error={errors.venue}
            onChange={(event) => {
              choose(event.target.value);
              setTyped({ ...typed, machines: [] });
            }}
          >
            {venues.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
        <NightFields
          form={form}
          venue={venues.find(({ id }) => id === at)?.name ?? ''}
          timezone={zone}
          errors={errors}
          change={(part) => setTyped({ ...typed, ...part })}
        />
        <Refused what="Not made" error={making.error} />
        <Button look="primary full" type="submit" busy={off}>
          Make this night
        </Button>
      </form>
    </Panel>
  );
}
