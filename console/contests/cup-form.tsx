import {
  CUP_BEST_MAX,
  CUP_DEFAULTS,
  CUP_MINUTES,
  CUP_MINUTES_STEP,
  CUP_NAME_MAX,
  CUP_OF_MAX,
  CUP_PAUSE,
  CUP_SIDES_MAX,
  CUP_SIDES_MIN,
  type CupWindows,
  THIRD_FROM,
} from '#contract/rules/cups.ts';
import { type CupFields, listContests, listLeagues, listSeasons } from '../api/calls.ts';
import { CONTESTS, LEAGUES, seasonKey, useRead } from '../api/queries.ts';
import { useMe } from '../session/me.tsx';
import { Check, Choice, Field, Select, TextArea } from '../ui/Field.tsx';
import { namesIn, ONE_SIDE_A_LINE } from './cup-words.ts';

type From = CupFields['from'];
const FROM: Record<From, string> = {
  week: 'This week’s board of the venue',
  season: 'Final table of a season',
  contest: 'Places of a contest',
  sides: 'Sides by hand',
};

/** What staff type about a cup. An empty number is the default, an empty venue all venues. */
export type CupForm = {
  name: string;
  from: From;
  venue: string;
  league: string;
  season: string;
  contest: string;
  sides: string;
  size: string;
  best: string;
  of: string;
  per_player: string;
  starts: string;
  minutes: string;
  pause: string;
  windows: CupWindows;
  third: boolean;
  draw: boolean;
};

export const newCup = (venue: string): CupForm => ({
  ...{ name: 'Finals night', from: 'week', venue, league: '', season: '', contest: '' },
  ...{ sides: '', size: '8', best: '', of: '', per_player: '', starts: '', windows: 'hours' },
  ...{ minutes: String(CUP_MINUTES), pause: String(CUP_PAUSE), third: true, draw: false },
});

/** The fields of a cup from the table of a season, whose page leads here. */
export const ofSeason = (league: string | null, season: string | null): Partial<CupForm> =>
  league === null || season === null ? {} : { from: 'season', league, season };

const hasTeams = ({ from, league }: CupForm) =>
  from === 'season' || (from === 'sides' && league !== '');

/** The form as the calls take it. */
export function sentCup(form: CupForm): CupFields {
  const { from, windows, draw } = form;
  const number = (text: string) => (text === '' ? undefined : Number(text));
  const sides = namesIn(form.sides, '\n');
  const count = from === 'sides' ? sides.length : Number(form.size);
  return {
    ...{ name: form.name, from, windows, draw },
    ...(form.venue !== '' && { venue: `id:${form.venue}` }),
    ...(from === 'sides' && { sides }),
    ...(from === 'sides' && form.league !== '' && { league: `id:${form.league}` }),
    ...(from === 'season' && form.season !== '' && { season: `id:${form.season}` }),
    ...(from === 'contest' && form.contest !== '' && { contest: `id:${form.contest}` }),
    ...(from !== 'sides' && { size: number(form.size) }),
    ...{ best: number(form.best), of: number(form.of) },
    ...(hasTeams(form) && { per_player: number(form.per_player) }),
    ...((count < THIRD_FROM || !form.third) && { third: false }),
    ...(form.starts !== '' && { starts: form.starts }),
    ...{ minutes: number(form.minutes), pause: number(form.pause) },
  };
}

type Named = { id: string; name: string };
type Errors = Record<string, string | undefined>;
type Props = {
  form: CupForm;
  errors: Errors;
  /** The begin without a typed one, as the input shows it. */
  starts: string;
  change: (part: Partial<CupForm>) => void;
};

/** The fields of a new cup (CUP-01 to CUP-07). */
export function CupFormFields(props: Props) {
  const { form, errors, starts, change } = props;
  const teams = hasTeams(form);
  const defaults = CUP_DEFAULTS[teams ? 'teams' : 'players'];
  const number = (key: 'size' | 'best' | 'of' | 'per_player' | 'minutes' | 'pause') => ({
    type: 'number',
    value: form[key],
    error: errors[key],
    onChange: (event: { target: { value: string } }) => change({ [key]: event.target.value }),
  });
  return (
    <>
      <Field
        label="Name"
        value={form.name}
        error={errors.name}
        maxLength={CUP_NAME_MAX}
        onChange={(event) => change({ name: event.target.value })}
      />
      <Sides {...props} />
      {form.from === 'sides' ? (
        <TextArea
          label={ONE_SIDE_A_LINE}
          rows={8}
          value={form.sides}
          error={errors.sides}
          onChange={(event) => change({ sides: event.target.value })}
        />
      ) : (
        <Field label="How many sides" min={CUP_SIDES_MIN} max={CUP_SIDES_MAX} {...number('size')} />
      )}
      <Venues {...props} all={teams} />
      <div className="form form--pair">
        <Field
          label="Best"
          min={1}
          max={CUP_BEST_MAX}
          placeholder={String(defaults.best)}
          {...number('best')}
        />
        <Field
          label="of a side’s first"
          min={1}
          max={CUP_OF_MAX}
          placeholder={String(defaults.of)}
          {...number('of')}
        />
      </div>
      {teams && (
        <Field
          label="Games of one player"
          min={1}
          max={CUP_OF_MAX}
          placeholder={String(defaults.per_player)}
          {...number('per_player')}
        />
      )}
      <Choice
        legend="Windows"
        words={{ hours: 'Hours, one night', weeks: 'A week each' }}
        help={{ weeks: 'Monday to Monday' }}
        value={form.windows}
        onChoose={(windows) => change({ windows })}
      />
      <Field
        label="Begins"
        type="datetime-local"
        value={form.starts || starts}
        error={errors.starts}
        onChange={(event) => change({ starts: event.target.value })}
      />
      {form.windows === 'hours' && (
        <div className="form form--pair">
          <Field
            label="Minutes each"
            min={CUP_MINUTES_STEP}
            step={CUP_MINUTES_STEP}
            {...number('minutes')}
          />
          <Field label="Minutes between" min={0} {...number('pause')} />
        </div>
      )}
      <Check checked={form.third} onChange={(event) => change({ third: event.target.checked })}>
        Play for third place
      </Check>
      <Check checked={form.draw} onChange={(event) => change({ draw: event.target.checked })}>
        Draw the seeds instead
      </Check>
    </>
  );
}

/** Where the sides come from (CUP-04). */
function Sides({ form, errors, change }: Props) {
  const leagues = useRead(LEAGUES, listLeagues, ['weeks']).data?.results ?? [];
  const contests = useRead([...CONTESTS, null], () => listContests(null), ['contests']).data;
  const { league } = form;
  const seasons = useRead(seasonKey(league), () => listSeasons(league), ['weeks'], league !== '');
  const isOver = ({ state }: { state: string }) => state === 'grace' || state === 'final';
  return (
    <>
      <Select
        label="Sides"
        value={form.from}
        onChange={(event) => change({ from: event.target.value as From, season: '' })}
      >
        {Object.entries(FROM).map(([from, words]) => (
          <option key={from} value={from}>
            {words}
          </option>
        ))}
      </Select>
      {(form.from === 'sides' || form.from === 'season') && (
        <Select
          label="League"
          value={league}
          error={errors.league}
          onChange={(event) => change({ league: event.target.value, season: '' })}
        >
          <option value="">{form.from === 'sides' ? 'None: players' : 'Choose'}</option>
          <Options rows={leagues} />
        </Select>
      )}
      {form.from === 'season' && league !== '' && (
        <Select
          label="Season"
          value={form.season}
          error={errors.season}
          help="One that is over, also while late games count."
          onChange={(event) => change({ season: event.target.value })}
        >
          <option value="">Choose</option>
          <Options rows={(seasons.data?.results ?? []).filter(isOver)} />
        </Select>
      )}
      {form.from === 'contest' && (
        <Select
          label="Contest"
          value={form.contest}
          error={errors.contest}
          onChange={(event) => change({ contest: event.target.value })}
        >
          <option value="">Choose</option>
          <Options rows={(contests?.results ?? []).filter(({ state }) => state === 'final')} />
        </Select>
      )}
    </>
  );
}

function Venues({ form, errors, change, all }: Props & { all: boolean }) {
  const { venues } = useMe();
  return (
    <Select
      label="Venue"
      value={form.venue}
      error={errors.venue}
      onChange={(event) => change({ venue: event.target.value })}
    >
      {all && <option value="">All venues</option>}
      <Options rows={venues} />
    </Select>
  );
}

const Options = ({ rows }: { rows: readonly Named[] }) =>
  rows.map(({ id, name }) => (
    <option key={id} value={id}>
      {name}
    </option>
  ));
