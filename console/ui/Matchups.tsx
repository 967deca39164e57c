import type { TonightLeague } from '#contract/wire/leagues.ts';

type Matchup = TonightLeague['matchups'][number];
type Side = Matchup['home'];

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

function Total({ side, leads }: { side: Side; leads: boolean }) {
  const total = side.total.toLocaleString('en');
  return leads ? <b>{total}</b> : <span>{total}</span>;
}

/** A running week's matchups, with live totals. */
export function Matchups({ matchups }: { matchups: readonly Matchup[] }) {
  return (
    <ul className="fix">
      {matchups.map(({ home, away }) => (
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
  );
}
