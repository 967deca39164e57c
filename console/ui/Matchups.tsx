import type { TonightLeague } from '#contract/wire/leagues.ts';
import { rulingWords } from './week-words.ts';

type Matchup = TonightLeague['matchups'][number];
type Side = Matchup['home'];

function Team({ side, leads }: { side: Side; leads: boolean }) {
  return (
    <span>
      {leads ? <b>{side.team}</b> : side.team}
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

/** The side that leads, or that wins by a ruling; null if neither does. */
function leaderOf({ home, away, ruling }: Matchup): 'home' | 'away' | null {
  if (ruling !== undefined) return ruling === 'home' || ruling === 'away' ? ruling : null;
  if (away === null || home.total === away.total) return null;
  return home.total > away.total ? 'home' : 'away';
}

function Row({ matchup }: { matchup: Matchup }) {
  const { home, away, ruling } = matchup;
  const leader = leaderOf(matchup);
  return (
    <li>
      <Team side={home} leads={leader === 'home'} />
      {away === null ? (
        <span className="num">bye</span>
      ) : (
        <span className="num">
          <Total side={home} leads={leader === 'home'} />
          {' – '}
          <Total side={away} leads={leader === 'away'} />
        </span>
      )}
      {away === null ? <span /> : <Team side={away} leads={leader === 'away'} />}
      {away !== null && ruling && <small>{rulingWords(home.team, away.team, ruling)}</small>}
    </li>
  );
}

/** A running week's matchups, with live totals. */
export const Matchups = ({ matchups }: { matchups: readonly Matchup[] }) => (
  <ul className="fix">
    {matchups.map((matchup) => (
      <Row key={matchup.home.team} matchup={matchup} />
    ))}
  </ul>
);
