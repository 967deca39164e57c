import { useState } from 'react';
import { firstPlayed } from '#contract/rules/leagues.ts';
import type { SeasonListed } from '#contract/wire/seasons.ts';
import { enterTeam, leaveTeamOut, undoWithdrawal, withdrawTeam } from '../api/calls.ts';
import { fieldsOf } from '../api/client.ts';
import { LEAGUES, useChange } from '../api/queries.ts';
import { AskDialog, DialogButtons, Goes, useSaid } from '../ui/ask.tsx';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Field } from '../ui/Field.tsx';
import { FormDialog } from '../ui/FormDialog.tsx';
import { Failed } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';
import { PrintPosters } from './LeagueTeams.tsx';
import { longDay, plusDays, roundWeeks, shortDay } from './words.ts';

type Team = { id: string; name: string; players: readonly unknown[] };
type Entry = SeasonListed['entries'][number];
type Asked =
  | { what: 'withdraw'; team: Team; entry: Entry }
  | { what: 'enter'; team: Team; entry: Entry | undefined }
  | { what: 'leave'; team: Team };
type Say = (sentence: string) => void;

/** The teams of a season: late joiners and withdrawals (SEASON-34, SEASON-35). */
export function Entries({
  league,
  season,
  teams,
}: {
  league: string;
  season: SeasonListed;
  teams: Team[];
}) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const { say, said } = useSaid();
  /** The team that staff changed last. */
  const [changed, setChanged] = useState('');
  const undoing = useChange((team: string) => undoWithdrawal(team), {
    stale: [LEAGUES],
    onDone: ({ changes }) => say(['The team stays in the season.', ...changes].join(' ')),
  });
  const done = (sentence: string) => {
    setChanged(asked?.team.id ?? '');
    setAsked(null);
    say(sentence);
  };
  const close = () => setAsked(null);
  const isOpen = season.state === 'planned' || season.state === 'running';
  const paused = season.pauses.map(({ week }) => week);
  const hasWeeks = season.entries.some(({ matchups }) => matchups > 0);
  return (
    <Panel title="Teams of the season" flush action={<PrintPosters league={league} />}>
      {undoing.isError && <Failed what="Not taken back" error={undoing.error} />}
      <ul className="rows rows--acts mt2">
        {teams.map((team) => {
          const entry = season.entries.find((one) => one.team === team.name);
          const late = entry !== undefined && entry.from_week > season.starts_on;
          const idle = hasWeeks && entry?.matchups === 0 && !entry.to_week;
          const left = entry?.to_week ?? null;
          const returns =
            left !== null &&
            season.state === 'running' &&
            firstPlayed(plusDays(left, 7), paused) >= season.current_week;
          const enters = left === null && isOpen && (entry === undefined || late || idle);
          return (
            <li key={team.id}>
              <span>
                <b>{team.name}</b>
                {entry === undefined && <small>Not in this season</small>}
                {idle && <small>No matchups yet</small>}
                {team.players.length === 0 && entry && <small>No players yet</small>}
                {late && <small>Since {longDay(entry.from_week)}</small>}
                {entry?.reason && <small>Withdrew: {entry.reason}</small>}
                {team.id === changed && said}
              </span>
              <span className="acts">
                {returns && (
                  <Button
                    busy={undoing.isPending}
                    onClick={() => {
                      say('');
                      setChanged(team.id);
                      undoing.mutate(team.id);
                    }}
                  >
                    Take it back<span className="sr"> for {team.name}</span>
                  </Button>
                )}
                {enters && (
                  <Button onClick={() => setAsked({ what: 'enter', team, entry })}>
                    {entry === undefined ? 'Take it in' : 'Matchups'}
                    <span className="sr">
                      {entry === undefined ? ': ' : ' for '}
                      {team.name}
                    </span>
                  </Button>
                )}
                {entry !== undefined && left === null && season.state === 'running' && (
                  <Button onClick={() => setAsked({ what: 'withdraw', team, entry })}>
                    Withdraw<span className="sr"> {team.name}</span>
                  </Button>
                )}
                {entry !== undefined && season.state === 'planned' && (
                  <Button onClick={() => setAsked({ what: 'leave', team })}>
                    Leave out<span className="sr"> {team.name}</span>
                  </Button>
                )}
              </span>
            </li>
          );
        })}
      </ul>
      {asked?.what === 'withdraw' && (
        <Withdraw {...asked} week={season.current_week} onClose={close} onDone={done} />
      )}
      {asked?.what === 'enter' && (
        <Enter {...asked} season={season} onClose={close} onDone={done} />
      )}
      {asked?.what === 'leave' && (
        <Leave season={season} team={asked.team} onClose={close} onDone={done} />
      )}
    </Panel>
  );
}

type Dialogs = { team: Team; onClose: () => void; onDone: Say };

const ANNULLED = {
  stops:
    'Fewer than half of their matchups are played by then, so all are annulled, past ones too.',
  stays: 'Opponents have a bye in those weeks. Totals stay: nobody loses a point.',
};
const FORFEITS = {
  stops: 'Their matchups from then on are forfeits, which the opponents win.',
  stays: 'At least half of their matchups are played by then, so those stand. Totals stay.',
};

/** `week`: the Monday of the running week. */
function Withdraw({
  team,
  entry,
  week,
  onClose,
  onDone,
}: Dialogs & { entry: Entry; week: string }) {
  const [reason, setReason] = useState('');
  const isLastWeek = entry.annuls.next === null;
  const [now, setNow] = useState(isLastWeek);
  const what = entry.annuls[now ? 'now' : 'next'] ? ANNULLED : FORFEITS;
  const changing = useChange(() => withdrawTeam(team.id, reason, now), {
    stale: [LEAGUES],
    onDone: ({ changes }) => onDone(changes.join(' ')),
  });
  const errors = fieldsOf(changing.error);
  return (
    <Dialog title={`${team.name} withdraw?`} onClose={onClose}>
      <form
        className="form mt3"
        onSubmit={(event) => {
          event.preventDefault();
          if (!changing.isPending) changing.mutate(undefined);
        }}
      >
        <fieldset className="field">
          <legend className="sr">From when</legend>
          {(isLastWeek ? [true] : [false, true]).map((atOnce) => (
            <label className="check" key={String(atOnce)}>
              <input
                type="radio"
                name="from"
                checked={now === atOnce}
                onChange={() => setNow(atOnce)}
              />
              <span>
                {atOnce
                  ? `From the running week, which began on Mon ${shortDay(week)}`
                  : `From Mon ${shortDay(plusDays(week, 7))}`}
              </span>
            </label>
          ))}
        </fieldset>
        <Goes
          stops={[what.stops]}
          stays={[
            what.stays,
            'Their players can be moved to other teams.',
            'Until that week is over you can take it back.',
          ]}
        />
        <Field
          label="Reason, the league reads it"
          value={reason}
          error={errors.reason}
          autoComplete="off"
          onChange={(event) => setReason(event.target.value)}
        />
        {changing.isError && errors.reason === undefined && (
          <Failed what="Not withdrawn" error={changing.error} />
        )}
        <DialogButtons
          verb="Withdraw them"
          look="danger"
          first
          busy={changing.isPending || reason.trim() === ''}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}

/** For an odd number of teams: says that there are byes, and which numbers of weeks are fair. */
function unevenWords(teams: number): string[] {
  if (teams % 2 === 0) return [];
  const round = roundWeeks(teams);
  return [
    `With ${teams} teams one has a bye each week: ${round} or ${2 * round} weeks are fair to all.`,
  ];
}

/** Takes a team out of a season that has not begun (SEASON-52). */
function Leave({ season, team, onClose, onDone }: Dialogs & { season: SeasonListed }) {
  const leaving = useChange(() => leaveTeamOut(team.id, season.starts_on), {
    stale: [LEAGUES],
    onDone: ({ changes }) => onDone(changes.join(' ')),
  });
  return (
    <AskDialog
      title={`Leave ${team.name} out?`}
      stops={[
        `${team.name} has no matchups in ${season.name}.`,
        'The weeks are made again, for the other teams.',
        ...unevenWords(season.entries.length - 1),
      ]}
      stays={[
        'The first week, the number of weeks and the weeks without matchups stay.',
        'Its players stay on the team. You can take it in again.',
      ]}
      verb="Leave it out"
      failed="Not left out"
      change={leaving}
      onClose={onClose}
    />
  );
}

const MATCHUPS = {
  byes: ['Meet whoever has a bye', 'Nothing else moves'],
  replan: ['Make the coming weeks anew', 'As many as before, among all teams'],
  none: ['No matchups', 'Its games count for its total'],
} as const;
type How = keyof typeof MATCHUPS;

/** Takes a team into the season, or makes matchups for a team that came later (SEASON-34). */
function Enter({
  season,
  team,
  entry,
  onClose,
  onDone,
}: Dialogs & { season: SeasonListed; entry: Entry | undefined }) {
  const isPlanned = season.state === 'planned';
  const [how, setHow] = useState<How>(isPlanned ? 'replan' : 'byes');
  const isNew = entry === undefined;
  const changing = useChange(() => enterTeam(team.id, season.id, how), {
    stale: [LEAGUES],
    onDone: () =>
      onDone(isNew ? `${team.name} is in the season.` : `The matchups of ${team.name} are made.`),
  });
  return (
    <FormDialog
      title={isNew ? `Take ${team.name} in` : `Matchups for ${team.name}`}
      verb={isNew ? 'Take it in' : 'Make the matchups'}
      failed={isNew ? 'Not taken in' : 'Not changed'}
      change={changing}
      onClose={onClose}
    >
      <fieldset className="field">
        <legend className="sr">Matchups</legend>
        {(Object.keys(MATCHUPS) as How[]).map((one) => (
          <label className="check" key={one}>
            <input type="radio" name="how" checked={how === one} onChange={() => setHow(one)} />
            <span>
              <b>{MATCHUPS[one][0]}</b>
              <small>{MATCHUPS[one][1]}</small>
            </span>
          </label>
        ))}
      </fieldset>
    </FormDialog>
  );
}
