import { listTeams } from '../api/calls.ts';
import { TEAMS, useRead } from '../api/queries.ts';
import { Link } from '../router.tsx';
import { Panel } from '../ui/Panel.tsx';

/** The teams' posters, for floor staff, who cannot open the leagues. */
export function Posters() {
  const read = useRead(TEAMS, listTeams, ['weeks']);
  const teams = read.data?.results ?? [];
  if (teams.length === 0) return null;
  return (
    <Panel title="Join posters" flush>
      <ul className="rows mt2">
        {teams.map(({ id, name, league }) => (
          <li key={id}>
            <span>
              <b>{name}</b>
              <small>{league}</small>
            </span>
            <Link className="btn" to={`/console/leagues/teams/${id}/poster`}>
              Print<span className="sr"> the poster of {name}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
