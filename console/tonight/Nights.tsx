import { Link } from '../router.tsx';
import { useMay } from '../session/me.tsx';
import { useContests, useCups } from '../shell/contests.ts';
import { dayAndTimeIn, spanOf } from '../ui/machine-words.ts';
import { Panel } from '../ui/Panel.tsx';

const SOON_MS = 24 * 3_600_000;

const beginWords = ({ starts_at, timezone }: { starts_at: string; timezone: string }) =>
  `Begins ${dayAndTimeIn(starts_at, timezone)}`;

/** The contests and cups that run or begin within a day (CONTEST-01, CUP-33). */
export function Nights({ venue, now }: { venue: string | null; now: Date }) {
  const may = useMay('manager');
  const contests = useContests(venue);
  const cups = useCups(venue);
  const isSoon = ({ starts_at }: { starts_at: string }) =>
    Date.parse(starts_at) - now.getTime() < SOON_MS;
  const rows = [
    ...(contests.data?.results ?? [])
      .filter((one) => ['running', 'settling', 'planned'].includes(one.state) && isSoon(one))
      .map((one) => ({
        to: `/console/contests/${one.id}`,
        name: one.name,
        words:
          one.state === 'planned'
            ? beginWords(one)
            : one.state === 'running'
              ? `${spanOf(now.toISOString(), new Date(one.ends_at))} left`
              : 'Last games are coming in',
      })),
    ...(cups.data?.results ?? [])
      .filter((one) => one.state !== 'final' && isSoon(one))
      .map((one) => ({
        to: `/console/contests/cups/${one.id}`,
        name: one.name,
        words: one.state === 'planned' ? beginWords(one) : 'The cup runs',
      })),
  ];
  if (rows.length === 0) return null;
  return (
    <Panel title="Contests and cups" flush>
      <ul className="rows mt2">
        {rows.map(({ to, name, words }) => (
          <li key={to}>
            <span>
              <b>{name}</b>
              <small>{words}</small>
            </span>
            {may && (
              <Link className="btn" to={to}>
                Open<span className="sr"> {name}</span>
              </Link>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
