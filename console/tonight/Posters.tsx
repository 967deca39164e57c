import { listTeams } from '../api/calls.ts';
import { useRead } from '../api/queries.ts';
import { Link } from '../router.tsx';
import { Panel } from '../ui/Panel.tsx';

/**
 * The teams' posters. They are here for floor staff, who cannot open the leagues. Empty without
 * teams.
 */
export function Posters() {
  const read = useRead(['teams'], listTeams, ['weeks']);
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
