import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type CupFields, listVenues, makeCup, previewCup } from '../api/calls.ts';
import { fieldsOf, sentenceOf } from '../api/client.ts';
import { CONTESTS, useChange, useRead, VENUES } from '../api/queries.ts';
import { navigate, useLocation } from '../router.tsx';
import { useMe } from '../session/me.tsx';
import { Page } from '../shell/Page.tsx';
import { Button } from '../ui/Button.tsx';
import { useLater } from '../ui/later.ts';
import { Panel } from '../ui/Panel.tsx';
import { Refused } from '../ui/Refused.tsx';
import { count } from '../ui/times.ts';
import { CupTree } from './CupTree.tsx';
import { type CupForm, CupFormFields, newCup, ofSeason, sentCup, useSources } from './cup-form.tsx';
import { nextHour, nextMonday } from './fields.tsx';

/** A form for a new cup, with a live preview on the left (CUP-01). */
export function NewCup() {
  const { venues } = useMe();
  const { query } = useLocation();
  const [form, setForm] = useState(() => ({
    ...newCup(venues[0]?.id ?? ''),
    ...ofSeason(query.get('league'), query.get('season')),
  }));
  const zones = useRead(VENUES, listVenues, ['machines']).data?.results;
  const { chosen, ...sources } = useSources(form);
  const timezone =
    zones?.find(({ id }) => id === form.venue)?.timezone ??
    sources.leagues.find(({ id }) => id === chosen.league)?.timezone ??
    'UTC';
  const starts = form.windows === 'weeks' ? nextMonday(timezone) : nextHour(timezone);
  const fields = sentCup({ ...chosen, starts: form.starts || starts });
  const wanted = JSON.stringify(fields);
  const asked = useLater(wanted);
  const making = useChange(() => makeCup(fields), {
    stale: [CONTESTS],
    onDone: ({ id }) => navigate(`/console/contests/cups/${id}`),
  });
  const preview = useQuery({
    queryKey: ['new cup', asked],
    // Once the cup is made, a preview may be refused.
    enabled: !making.isPending && !making.isSuccess,
    queryFn: () => previewCup(JSON.parse(asked) as CupFields),
    placeholderData: keepPreviousData,
  });
  const answered = asked === wanted && !preview.isPlaceholderData;
  // An empty field is not an error yet.
  const wrong = Object.entries(fieldsOf(preview.error)).filter(
    ([field]) => answered && chosen[field as keyof CupForm],
  );
  const errors = { ...Object.fromEntries(wrong), ...fieldsOf(making.error) };
  return (
    <Page
      title="New cup"
      about="Knockout: who loses is out"
      back={{ to: '/console/contests', name: 'Contests' }}
    >
      <div className="cols">
        <div className="col">
          <Preview read={preview} wrong={wrong[0]?.[1]} of={fields.of ?? 0} timezone={timezone} />
        </div>
        <div className="col">
          <Panel title="Cup">
            <form
              className="form mt3"
              noValidate
              onSubmit={(event) => {
                event.preventDefault();
                if (!making.isPending) making.mutate(undefined);
              }}
            >
              <CupFormFields
                form={chosen}
                errors={errors}
                sources={sources}
                sides={answered ? preview.data?.sides.length : undefined}
                starts={starts}
                change={(part) => setForm({ ...form, ...part })}
              />
              <Refused what="Not made" error={making.error} />
              <Button look="primary full" type="submit" busy={making.isPending}>
                Make this cup
              </Button>
            </form>
          </Panel>
        </div>
      </div>
    </Page>
  );
}

/** A preview of the cup. If seeds are drawn, they are drawn again when the cup is made. */
function Preview({
  read: { data, error, isError },
  wrong,
  of,
  timezone,
}: {
  read: UseQueryResult<Awaited<ReturnType<typeof previewCup>>>;
  /** What is wrong with a field of the form. */
  wrong: string | undefined;
  of: number;
  timezone: string;
}) {
  if (isError)
    return (
      <Panel title="What it would be">
        <p className="sm mt2">{wrong ?? sentenceOf(error)}</p>
      </Panel>
    );
  if (data === undefined) return null;
  const { sides, rounds } = data;
  const byes = rounds.flatMap(({ pairings }) => pairings.filter(({ how }) => how === 'bye'));
  const parts = [
    count(sides.length, 'side'),
    ...(byes.length === 0 ? [] : [count(byes.length, 'bye')]),
    count(rounds.length, 'round'),
  ];
  return (
    <Panel title={parts.join(', ')}>
      <p className="sm mt1">Nothing is kept until you press the button.</p>
      <CupTree rounds={rounds} timezone={timezone} of={of} />
    </Panel>
  );
}
