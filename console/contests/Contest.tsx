import { useState } from 'react';
import { GREY_JERSEY } from '#brand/jersey-colour.ts';
import { inFull } from '#contract/rules/games.ts';
import { SLIDE_LABELS } from '#contract/rules/screens.ts';
import type { ContestForStaff, LevelPlace } from '#contract/wire/contests.ts';
import {
  cancelContest,
  changeContest,
  correctContest,
  leaveContest,
  readContest,
} from '../api/calls.ts';
import { fieldsOf } from '../api/client.ts';
import { CONTESTS, useChange, useRead } from '../api/queries.ts';
import { Link, navigate } from '../router.tsx';
import { Loaded } from '../shell/Loaded.tsx';
import { Page } from '../shell/Page.tsx';
import { cancelledPath } from '../shell/paths.ts';
import { useMinutes, useTurns } from '../shell/until.ts';
import { AskDialog, useSaid } from '../ui/ask.tsx';
import { Button } from '../ui/Button.tsx';
import { CorrectOrLeave } from '../ui/CorrectOrLeave.tsx';
import { FormDialog } from '../ui/FormDialog.tsx';
import { Jersey } from '../ui/Jersey.tsx';
import { Panel } from '../ui/Panel.tsx';
import { HeldIcon, IdleIcon, PlayingIcon } from '../ui/State.tsx';
import { Table } from '../ui/Table.tsx';
import { clockTime, count, inputTime, when } from '../ui/times.ts';
import { changedNight, NightFields, type NightForm } from './fields.tsx';
import { StopDialog } from './StopDialog.tsx';
import {
  countsWords,
  levelWords,
  machinesWords,
  stateWords,
  waitEndsWords,
  waitsWords,
  windowWords,
} from './words.ts';

type Asking = 'change' | 'stop' | 'cancel' | null;

/** A contest: what it waits for, its places with names, and what the screens show (CONTEST-11). */
export function Contest({ id }: { id: string }) {
  const read = useRead([...CONTESTS, 'page', id], () => readContest(id), [
    'contests',
    'games',
    'held',
    'machines',
    'screens',
  ]);
  useTurns(read, read.data ? [read.data.contest.starts_at, read.data.contest.ends_at] : []);
  return (
    <Loaded read={read} what="the contest">
      {(page) => <Night page={page} />}
    </Loaded>
  );
}

function Night({ page }: { page: ContestForStaff }) {
  const { contest } = page;
  const [asking, ask] = useState<Asking>(null);
  const { say, said } = useSaid();
  const isOpen = contest.state === 'planned' || contest.state === 'running';
  return (
    <Page
      title={contest.name}
      about={`${contest.venue}, ${windowWords(contest)}. ${countsWords(contest.scoring, contest.n)}.${machinesWords(contest)}`}
      back={{ to: '/console/contests', name: 'Contests' }}
      actions={
        <>
          <Link className="btn" to={`/console/contests/${contest.id}/poster`}>
            Poster
          </Link>
          {isOpen && <Button onClick={() => ask('change')}>Change</Button>}
          {contest.state === 'running' && <Button onClick={() => ask('stop')}>Stop now</Button>}
          {contest.state !== 'final' && contest.state !== 'cancelled' && (
            <Button onClick={() => ask('cancel')}>Cancel it</Button>
          )}
        </>
      }
    >
      {said}
      <div className="cols cols--wide">
        <div className="col">
          <Waits page={page} />
          <Changes page={page} say={say} />
          <Places page={page} />
          <Corrections page={page} />
        </div>
        <div className="col">
          <Figures page={page} />
          <Wall page={page} />
          <Panel title="Walk-ins">
            <p className="sm mt2">
              Guests without an account scan the code on the screen or the poster with their phone,
              or open {contest.url.replace(/^https?:\/\//, '')} on it. It takes about a minute. A
              game without an account is nobody’s, and cannot be claimed later.
            </p>
            <p className="code-xl num mt2">{contest.code}</p>
          </Panel>
          {contest.prizes !== null && (
            <Panel title="Prizes">
              <p className="sm lines mt2">{contest.prizes}</p>
            </Panel>
          )}
        </div>
      </div>
      {asking === 'change' && <ChangeDialog page={page} onClose={() => ask(null)} />}
      {asking === 'stop' && (
        <StopDialog
          contest={contest}
          onClose={() => ask(null)}
          onDone={() => {
            ask(null);
            say('It is over. Places are final when the last games are in.');
          }}
        />
      )}
      {asking === 'cancel' && <CancelDialog page={page} onClose={() => ask(null)} />}
    </Page>
  );
}

function Waits({ page }: { page: ContestForStaff }) {
  const { contest, waiting, waits_until, held, held_more } = page;
  if (contest.state !== 'settling' && held.length === 0) return null;
  return (
    <Panel title={contest.state === 'settling' ? 'Last games are coming in' : 'Held games'} flush>
      {contest.state === 'settling' && waiting.length + held.length === 0 && (
        <p className="sm mt2">All games are in. The places are final in a moment.</p>
      )}
      <ul className="rows rows--i mt2">
        {waiting.map(({ machine_id, reported_at, ...wait }) => (
          <li key={machine_id}>
            {wait.why === 'playing' ? <PlayingIcon /> : <IdleIcon />}
            <span>
              <b>{waitsWords(wait)}</b>
              <small>
                {reported_at === null
                  ? 'It has never reported'
                  : `Last report at ${clockTime(reported_at)}`}
              </small>
            </span>
            <Link className="btn" to={`/console/machines/${machine_id}`}>
              Look<span className="sr"> at {wait.machine}</span>
            </Link>
          </li>
        ))}
        {held.map(({ game, player, score, place }) => (
          <li key={game}>
            <HeldIcon />
            <span>
              <b>{`${player ?? 'Former player'}, ${inFull(score)}: held`}</b>
              <small>{`Released, it brings place ${place}`}</small>
            </span>
            <Link className="btn" to="/console/inbox">
              Judge<span className="sr"> the game of {player ?? 'Former player'}</span>
            </Link>
          </li>
        ))}
      </ul>
      {waits_until !== null && waiting.length + held.length > 0 && (
        <p className="sm mt2">
          {waitEndsWords(waits_until, { machines: waiting.length, held: held.length })}
        </p>
      )}
      {held_more > 0 && <p className="sm mt2">{`And ${count(held_more, 'more held game')}.`}</p>}
    </Panel>
  );
}

/** What a new count would change in a final contest (CONTEST-06). */
function Changes({
  page: { contest, changes },
  say,
}: {
  page: ContestForStaff;
  say: (sentence: string) => void;
}) {
  if (changes.length === 0) return null;
  return (
    <CorrectOrLeave
      title="A new count would change"
      verb="Correct the places"
      stale={[CONTESTS]}
      correct={(reason) => correctContest(contest.id, reason)}
      leave={() => leaveContest(contest.id)}
      corrected={() => 'Corrected. The page of the contest shows the new places.'}
      left="Left as it is."
      say={say}
    >
      <ul className="sm mt2">
        {changes.map((change) => (
          <li key={change}>{change}</li>
        ))}
      </ul>
    </CorrectOrLeave>
  );
}

const PlaceRow = ({ row }: { row: LevelPlace }) => (
  <tr>
    <td data-l="#">{row.place}</td>
    <th scope="row">
      <span className="who">
        <Jersey colour={row.avatar_color ?? GREY_JERSEY.body} number={row.jersey_number ?? ''} />
        <span>
          {row.account === null ? (
            'Former player'
          ) : (
            <Link to={`/console/players/${row.account}`}>{row.username}</Link>
          )}
          {row.level !== null && <small>{levelWords(row.level)}</small>}
          {row.account !== null && !row.on_screens && <small>“A player” on screens</small>}
        </span>
      </span>
    </th>
    <td className="r" data-l="Games">
      {row.games}
    </td>
    <td className="sc" data-l="Points">
      {inFull(row.points)}
    </td>
  </tr>
);

function Places({ page: { contest, places } }: { page: ContestForStaff }) {
  const now = useMinutes();
  return (
    <Panel title="Places" flush action={<span className="tag">{stateWords(contest, now)}</span>}>
      {places.length === 0 ? (
        <p className="sm mt2">Nobody has played yet.</p>
      ) : (
        <Table
          kind="places"
          caption="Places"
          columns={['#', 'Player', ['Games', 'r'], ['Points', 'sc']]}
        >
          {places.map((row) => (
            <PlaceRow key={row.place} row={row} />
          ))}
        </Table>
      )}
    </Panel>
  );
}

function Corrections({ page: { corrections } }: { page: ContestForStaff }) {
  if (corrections.length === 0) return null;
  return (
    <Panel title="Corrected" flush>
      <ul className="rows mt2">
        {corrections.map(({ version, at, who, reason, changes }) => (
          <li key={version}>
            <span>
              <b>{reason}</b>
              <small>
                {who}, {when(at)}. {changes.join('; ')}
              </small>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const WALL_ROWS = 4;

/**
 * What the screens show of a contest. A player whom they may not name is “A player” (CONTEST-09).
 */
function Wall({ page: { contest, places, screens } }: { page: ContestForStaff }) {
  const now = useMinutes();
  if (contest.state === 'cancelled') return null;
  if (contest.state !== 'final' && screens === 0)
    return (
      <Panel title="On the wall">
        <p className="sm mt2">
          {contest.venue} has no paired television yet. <Link to="/console/screens">Pair one</Link>
        </p>
      </Panel>
    );
  if (contest.state === 'planned')
    return (
      <Panel title="On the wall">
        <p className="sm mt2">
          The televisions of {contest.venue} show it from its start on, unless their slide “
          {SLIDE_LABELS.contest}” is off.
        </p>
      </Panel>
    );
  return (
    <Panel title="On the wall">
      <div className="wall mt2">
        <h3>{contest.name}</h3>
        <ol>
          {places.slice(0, WALL_ROWS).map(({ place, on_screens, points: sum, ...player }) => (
            <li key={place}>
              <b>{place}</b>
              <Jersey
                colour={(on_screens ? player.avatar_color : null) ?? GREY_JERSEY.body}
                number={(on_screens ? player.jersey_number : null) ?? ''}
              />
              <span>{(on_screens ? player.username : null) ?? 'A player'}</span>
              <b>{inFull(sum)}</b>
            </li>
          ))}
        </ol>
        <p>{stateWords(contest, now)}</p>
      </div>
    </Panel>
  );
}

const FIGURES: Partial<Record<ContestForStaff['contest']['state'], string>> = {
  planned: 'To come',
  running: 'Tonight',
  settling: 'Tonight',
};

function Figures({ page: { contest, new_accounts } }: { page: ContestForStaff }) {
  return (
    <section className="score" aria-label="Figures">
      <h2>{FIGURES[contest.state] ?? 'That night'}</h2>
      <dl>
        <div>
          <dt>{contest.players === 1 ? 'player' : 'players'}</dt>
          <dd>{contest.players}</dd>
        </div>
        <div>
          <dt>{contest.games === 1 ? 'game' : 'games'}</dt>
          <dd>{inFull(contest.games)}</dd>
        </div>
        <div>
          <dt>{new_accounts === 1 ? 'new account' : 'new accounts'}</dt>
          <dd>{new_accounts}</dd>
        </div>
      </dl>
    </section>
  );
}

function ChangeDialog({
  page: { contest },
  onClose,
}: {
  page: ContestForStaff;
  onClose: () => void;
}) {
  const begun = contest.state === 'running';
  const at = (iso: string) => inputTime(new Date(iso), contest.timezone);
  const [before] = useState<NightForm>({
    ...{ name: contest.name, starts: at(contest.starts_at), ends: at(contest.ends_at) },
    ...{ scoring: contest.scoring, n: contest.n, prizes: contest.prizes ?? '', only: contest.only },
    machines: contest.machines ?? [],
  });
  const [form, setForm] = useState(before);
  const changing = useChange(() => changeContest(contest.id, changedNight(before, form, begun)), {
    stale: [CONTESTS],
    onDone: onClose,
  });
  return (
    <FormDialog
      title={`Change ${contest.name}`}
      verb="Change"
      failed="Not changed"
      change={changing}
      onClose={onClose}
    >
      <NightFields
        form={form}
        venue={contest.venue}
        timezone={contest.timezone}
        errors={fieldsOf(changing.error)}
        begun={begun}
        change={(part) => setForm({ ...form, ...part })}
      />
    </FormDialog>
  );
}

function CancelDialog({
  page: { contest },
  onClose,
}: {
  page: ContestForStaff;
  onClose: () => void;
}) {
  const cancelling = useChange(() => cancelContest(contest.id), {
    stale: [CONTESTS],
    onDone: () => navigate(cancelledPath('night')),
  });
  return (
    <AskDialog
      title={`Cancel ${contest.name}?`}
      stops={['There are no places and no winner.', 'Its slide leaves the screens.']}
      stays={
        contest.games === 0
          ? []
          : [
              `The ${count(contest.games, 'game')} of ${count(contest.players, 'player')} still count for their players.`,
            ]
      }
      verb="Cancel the night"
      keep="Keep it"
      failed="Not cancelled"
      change={cancelling}
      onClose={onClose}
    />
  );
}
