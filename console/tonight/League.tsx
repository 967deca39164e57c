import type { TonightLeague } from '#contract/tonight.ts';
import { spanOf } from '../ui/machine-words.ts';
import { Panel } from '../ui/Panel.tsx';

type Side = TonightLeague['matchups'][number]['home'];

function Team({ side, leads }: { side: Side; leads: boolean }) {
  return (
    <span>
      <b className={leads ? 'win' : undefined} style={{ fontWeight: leads ? 700 : 500 }}>
        {side.team}
      </b>
      <small>
        {side.games}/{side.max} games
      </small>
    </span>
  );
}

const Total = ({ side, leads }: { side: Side; leads: boolean }) =>
  leads ? <b>{side.total.toLocaleString('en')}</b> : side.total.toLocaleString('en');

/** This week's matchups of a league, with live totals. */
export function League({ league, now }: { league: TonightLeague; now: Date }) {
  const left = spanOf(now.toISOString(), new Date(league.closes_at));
  return (
    <Panel title={league.name} flush>
      <p className="sm">
        Week {league.week} of {league.weeks}, closes in {left}
      </p>
      <ul className="fix">
        {league.matchups.map(({ home, away }) => (
          <li key={home.team}>
            <Team side={home} leads={away !== null && home.total > away.total} />
            {away === null ? (
              <span className="num">bye</span>
            ) : (
              <span className="num">
                <Total side={home} leads={home.total > away.total} />
                {' – '}
                <Total side={away} leads={away.total > home.total} />
              </span>
            )}
            {away === null ? <span /> : <Team side={away} leads={away.total > home.total} />}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
