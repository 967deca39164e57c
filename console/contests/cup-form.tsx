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
import type { LeaguePage } from '#contract/wire/leagues.ts';
import {
  type CupFields,
  listContests,
  listLeagues,
  listSeasons,
  readLeague,
} from '../api/calls.ts';
import { CONTESTS, LEAGUES, leagueKey, seasonKey, useRead } from '../api/queries.ts';
import { useMe } from '../session/me.tsx';
import { Check, Choice, Field, Select, TextArea } from '../ui/Field.tsx';
import { count } from '../ui/times.ts';
import { namesIn, ONE_SIDE_A_LINE } from './cup-words.ts';
import { Begins, NOW } from './fields.tsx';

type From = CupFields['from'];
const FROM: Record<From, string> = {
  week: 'This week’s board of the venue',
  season: 'Final table of a season',
  contest: 'Places of a contest',
  sides: 'Sides by hand',
};

/** The default number of sides of a cup that takes the top of a table or board. */
const USUAL_SIDES = 8;

/** What staff type about a cup. An empty number means the default, an empty venue all venues. */
export type CupForm = {
  name: string;
  from: From;
  venue: string;
  league: string;
  season: string;
  contest: string;
  /** null: staff have typed nothing, and the field shows the chosen league's teams. */
  sides: string | null;
  size: string;
  best: string;
  of: string;
  per_player: string;
  /** `NOW`, or the value of a datetime-local input, or of a date input if the windows are weeks. */
  starts: string;
  minutes: string;
  pause: string;
  windows: CupWindows;
  third: boolean;
  draw: boolean;
  /** Whether the cup decides the season's title. */
  champion: 'no' | 'yes';
};

export const newCup = (venue: string): CupForm => ({
  ...{ name: 'Finals night', from: 'week', venue, league: '', season: '', contest: '' },
  ...{ sides: null, size: '', best: '', of: '', per_player: '', starts: '', windows: 'hours' },
  ...{ minutes: String(CUP_MINUTES), pause: String(CUP_PAUSE), third: true, draw: false },
  champion: 'no',
});

/**
 * The form's first values when a season's page links to it. Sides come from the season's table; a
 * running season's page names no season, and staff then choose among the league's teams.
 */
export const ofSeason = (league: string | null, season: string | null): Partial<CupForm> =>
  league === null
    ? {}
    : season === null
      ? { from: 'sides', league }
      : { from: 'season', league, season };

/**
 * The names of a league's teams, one a line. While the season runs, they are in the table's order,
 * otherwise by name.
 */
export function teamLines(
  page: Pick<LeaguePage, 'teams' | 'standings' | 'week' | 'weeks' | 'ended'>,
): string {
  const { week, weeks, ended } = page;
  const runs = week > 0 && (weeks === 0 || ended < weeks);
  const table = runs ? page.standings.map(({ team }) => team) : [];
  const teams = page.teams.map(({ name }) => name);
  const placed = table.filter((name) => teams.includes(name));
  return [...placed, ...teams.filter((name) => !placed.includes(name))].join('\n');
}

/**
 * The form after staff choose a league. Keeps sides that staff typed, and removes teams that the
 * form filled in.
 */
export const ofLeague = (
  { sides }: Pick<CupForm, 'sides'>,
  league: string,
  filled: string,
): Partial<CupForm> => ({
  ...{ league, season: '' },
  ...((sides === '' || sides === filled) && { sides: null }),
});

/**
 * The leagues, the chosen league's seasons that are over, and the teams that fill the sides until
 * staff type. For a cup from a table, the only league or season is chosen already.
 */
export function useSources(form: CupForm) {
  const leagues = useRead(LEAGUES, listLeagues, ['weeks']).data?.results ?? [];
  const contests = useRead([...CONTESTS, null], () => listContests(null), ['contests']).data;
  const takesTable = form.from === 'season';
  const league = form.league === '' && takesTable ? onlyOf(leagues) : form.league;
  const read = useRead(seasonKey(league), () => listSeasons(league), ['weeks'], league !== '');
  const seasons = (read.data?.results ?? []).filter(
    ({ state }) => state === 'grace' || state === 'final',
  );
  const season = form.season === '' && takesTable ? onlyOf(seasons) : form.season;
  const takesTeams = form.from === 'sides' && league !== '';
  const page = useRead(leagueKey(league), () => readLeague(league), ['weeks'], takesTeams).data;
  const filled = takesTeams && page !== undefined ? teamLines(page) : '';
  return {
    chosen: { ...form, league, season, sides: form.sides ?? filled },
    filled,
    leagues,
    seasons,
    contests: (contests?.results ?? []).filter(({ state }) => state === 'final'),
  };
}

const onlyOf = (rows: readonly { id: string }[]) => (rows.length === 1 ? (rows[0]?.id ?? '') : '');

const hasTeams = ({ from, league }: CupForm) =>
  from === 'season' || (from === 'sides' && league !== '');

/** The form as the calls take it. */
export function sentCup(form: CupForm): CupFields {
  const { from, windows, draw } = form;
  const number = (text: string) => (text === '' ? undefined : Number(text));
  const sides = namesIn(form.sides ?? '', '\n');
  const size = number(form.size) ?? USUAL_SIDES;
  const many = from === 'sides' ? sides.length : size;
  return {
    ...{ name: form.name, from, windows, draw },
    ...(form.venue !== '' && { venue: `id:${form.venue}` }),
    ...(from === 'sides' && { sides }),
    ...(from === 'sides' && form.league !== '' && { league: `id:${form.league}` }),
    ...(from === 'season' && { champion: form.champion === 'yes' }),
    ...(from === 'season' && form.season !== '' && { season: `id:${form.season}` }),
    ...(from === 'contest' && form.contest !== '' && { contest: `id:${form.contest}` }),
    ...(from !== 'sides' && { size }),
    ...{ best: number(form.best), of: number(form.of) },
    ...(hasTeams(form) && { per_player: number(form.per_player) }),
    ...((many < THIRD_FROM || !form.third) && { third: false }),
    ...(form.starts !== '' && {
      starts: windows === 'weeks' ? `${form.starts}T00:00` : form.starts,
    }),
    ...{ minutes: number(form.minutes), pause: number(form.pause) },
  };
}

type Named = { id: string; name: string };
type Errors = Record<string, string | undefined>;
type Props = {
  form: CupForm;
  errors: Errors;
  sources: Pick<ReturnType<typeof useSources>, 'leagues' | 'seasons' | 'contests' | 'filled'>;
  /** How many sides this cup would have; undefined until the server has said it. */
  sides: number | undefined;
  /** The default start, as the input shows it. */
  starts: string;
  change: (part: Partial<CupForm>) => void;
};

const FROM_THE_TOP = `From the top. Without a number: ${USUAL_SIDES}, or as many as there are.`;

/** Says how many teams the table of a season has, if the cup has room for more. */
export function sizeHelp({ from, size }: CupForm, sides: number | undefined): string {
  const wanted = Number(size) || USUAL_SIDES;
  if (from !== 'season' || sides === undefined || sides >= wanted) return FROM_THE_TOP;
  return `${FROM_THE_TOP} The table has ${count(sides, 'team')}.`;
}

/** `Of the first 8 games of a side in a round, the best 4 are added up. The higher sum wins.` */
export function countWords(best: number, of: number): string {
  if (of === 1) return 'The first game of a side in a round counts. The higher score wins.';
  const games = `Of the first ${of} games of a side in a round, the best`;
  if (best === 1) return `${games} one counts. The higher score wins.`;
  return `${games} ${best} are added up. The higher sum wins.`;
}

/** The fields of a new cup (CUP-01 to CUP-07). */
export function CupFormFields(props: Props) {
  const { form, errors, sides, starts, change } = props;
  const teams = hasTeams(form);
  const defaults = CUP_DEFAULTS[teams ? 'teams' : 'players'];
  const best = form.best || String(defaults.best);
  const of = form.of || String(Math.max(defaults.of, Number(best)));
  const number = (key: 'size' | 'best' | 'of' | 'per_player' | 'minutes' | 'pause') => ({
    type: 'number',
    value: form[key],
    error: errors[key],
    onChange: (event: { target: { value: string } }) => change({ [key]: event.target.value }),
  });
  const begin = {
    label: 'Begins',
    value: form.starts || starts,
    error: errors.starts,
    onChange: (event: { target: { value: string } }) => change({ starts: event.target.value }),
  };
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
          value={form.sides ?? ''}
          error={errors.sides}
          onChange={(event) => change({ sides: event.target.value })}
        />
      ) : (
        <Field
          label="How many sides"
          min={CUP_SIDES_MIN}
          max={CUP_SIDES_MAX}
          placeholder={String(sides ?? USUAL_SIDES)}
          help={sizeHelp(form, sides)}
          {...number('size')}
        />
      )}
      <Venues {...props} all={teams} />
      <div className="form form--pair">
        <Field label="Best" min={1} max={CUP_BEST_MAX} placeholder={best} {...number('best')} />
        <Field
          label="of a side’s first"
          min={1}
          max={CUP_OF_MAX}
          placeholder={of}
          {...number('of')}
        />
      </div>
      <p className="help">{countWords(Number(best), Number(of))}</p>
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
        onChoose={(windows) => change({ windows, starts: '' })}
      />
      {form.windows === 'weeks' ? (
        <Field
          {...begin}
          type="date"
          help="Begins on a Monday. If you choose another day, it begins on the Monday after."
        />
      ) : (
        <Begins
          now={form.starts === NOW}
          later={starts}
          choose={(begins) => change({ starts: begins })}
        >
          <Field {...begin} type="datetime-local" />
        </Begins>
      )}
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
        <small>Who meets whom is drawn by lot, and does not follow the order above.</small>
      </Check>
    </>
  );
}

/** Where the sides come from (CUP-04). */
function Sides({ form, errors, sources, change }: Props) {
  const { leagues, seasons, contests, filled } = sources;
  const { league } = form;
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
          onChange={(event) => change(ofLeague(form, event.target.value, filled))}
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
          help={
            seasons.length === 0
              ? 'No season of this league is over. Choose “Sides by hand” above.'
              : 'One that is over, also while late games count.'
          }
          onChange={(event) => change({ season: event.target.value })}
        >
          <option value="">Choose</option>
          <Options rows={seasons} />
        </Select>
      )}
      {form.from === 'season' && (
        <Choice
          legend="Does this cup decide the title of the season?"
          words={{ no: 'No, it is for fun', yes: 'Yes, its winner is the champion' }}
          help={{
            no: 'First place of the final table has the title.',
            yes: 'Until the cup is over, the page of the season says “The cup decides”. A season has one such cup at most.',
          }}
          value={form.champion}
          onChoose={(champion) => change({ champion })}
        />
      )}
      {form.from === 'contest' && (
        <Select
          label="Contest"
          value={form.contest}
          error={errors.contest}
          onChange={(event) => change({ contest: event.target.value })}
        >
          <option value="">Choose</option>
          <Options rows={contests} />
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
