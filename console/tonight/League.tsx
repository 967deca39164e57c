import type { TonightLeague } from '#contract/wire/leagues.ts';
import { Link } from '../router.tsx';
import { useMay } from '../session/me.tsx';
import { Matchups } from '../ui/Matchups.tsx';
import { spanOf } from '../ui/machine-words.ts';
import { Panel } from '../ui/Panel.tsx';

export function League({ league, now }: { league: TonightLeague; now: Date }) {
  const may = useMay('manager');
  const left = spanOf(now.toISOString(), new Date(league.closes_at));
  return (
    <Panel
      title={league.name}
      flush
      action={
        may && (
          <Link className="txt" to={`/console/leagues/${league.id}`}>
            Open<span className="sr"> {league.name}</span>
          </Link>
        )
      }
    >
      <p className="sm">
        Week {league.week} of {league.weeks}, closes in {left}
      </p>
      <Matchups matchups={league.matchups} />
      <p className="xs mt2" style={{ marginBottom: 12 }}>
        The best four games of each player make a team’s total. Under each team: its games so far,
        and how many can count at most.
      </p>
    </Panel>
  );
}
