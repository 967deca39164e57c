import type { TonightLeague } from '#contract/wire/leagues.ts';
import type { Tonight } from '#contract/wire/tonight.ts';
import { Link } from '../router.tsx';
import { useMay } from '../session/me.tsx';
import { Matchups } from '../ui/Matchups.tsx';
import { spanOf } from '../ui/machine-words.ts';
import { Panel } from '../ui/Panel.tsx';
import { dayInWords } from '../ui/times.ts';

function Open({ league: { id, name } }: { league: Pick<TonightLeague, 'id' | 'name'> }) {
  const may = useMay('manager');
  if (!may) return null;
  return (
    <Link className="txt" to={`/console/leagues/${id}`}>
      Open<span className="sr"> {name}</span>
    </Link>
  );
}

/** A league whose weeks are over. */
export const Between = ({ league }: { league: Tonight['between'][number] }) => (
  <Panel title={league.name} action={<Open league={league} />}>
    <p className="sm">
      {league.next === null ? 'No season planned' : `Next season begins ${dayInWords(league.next)}`}
    </p>
  </Panel>
);

export function League({ league, now }: { league: TonightLeague; now: Date }) {
  const left = spanOf(now.toISOString(), new Date(league.closes_at));
  return (
    <Panel title={league.name} flush action={<Open league={league} />}>
      <p className="sm">
        Week {league.week} of {league.weeks}, closes in {left}
      </p>
      <Matchups matchups={league.matchups} />
      <p className="xs mt2 mb3">
        The best four games of each player make a team’s total. Under each team: its games so far,
        and how many can count at most.
      </p>
    </Panel>
  );
}
