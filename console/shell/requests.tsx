import type { JoinRequestRow } from '#contract/wire/teams.ts';
import { listRequests } from '../api/calls.ts';
import { REQUESTS, useRead } from '../api/queries.ts';
import { Link } from '../router.tsx';
import { useMay } from '../session/me.tsx';
import { Panel } from '../ui/Panel.tsx';
import { when } from '../ui/times.ts';

/** The requests to join a team, oldest first. Empty while loading, and for floor staff. */
export function useRequests(): readonly JoinRequestRow[] {
  const may = useMay('manager');
  return useRead(REQUESTS, listRequests, ['weeks'], may).data?.results ?? [];
}

export const wantToJoin = (number: number): string =>
  number === 1 ? '1 person wants to join' : `${number} people want to join`;

/** The number of requests as a link to `to`; nothing without requests. */
export function WaitingTag({ number, to }: { number: number; to: string }) {
  if (number === 0) return null;
  return (
    <Link className="tag tag--line" to={to}>
      {wantToJoin(number)}
    </Link>
  );
}

/** The requests to join, by team. They can wait, so “Needs a hand” does not list them. */
export function JoinRequests() {
  const requests = useRequests();
  if (requests.length === 0) return null;
  const byTeam = [...Map.groupBy(requests, ({ team_id }) => team_id).values()];
  return (
    <Panel
      title={
        requests.length === 1
          ? '1 person wants to join a team'
          : `${requests.length} people want to join a team`
      }
      flush
    >
      <ul className="rows mt2">
        {byTeam.map((waiting) => {
          const [oldest] = waiting;
          if (oldest === undefined) return null;
          const names = waiting.map(({ username }) => username ?? 'no name yet').join(', ');
          return (
            <li key={oldest.team_id}>
              <span>
                <b>{oldest.team}</b>
                <small>
                  {names}. {waiting.length === 1 ? 'Asked' : 'The first asked'}{' '}
                  {when(oldest.asked_at)}
                </small>
              </span>
              <Link className="btn" to={`/console/leagues/teams/${oldest.team_id}`}>
                Answer
                <span className="sr">
                  {waiting.length === 1 ? ' the request' : ' the requests'} to join {oldest.team}
                </span>
              </Link>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
