import type { Achievement } from '#contract/wire/achievements.ts';
import { Link } from '../router.tsx';
import { Badge } from '../ui/Badge.tsx';
import { Strip } from '../ui/Strip.tsx';

/** The strip of new achievements, at least one. */
export function WonStrip({ won }: { won: readonly Achievement[] }) {
  const [first] = won;
  if (first === undefined) return null;
  return (
    <Strip
      as={Link}
      to="/achievements"
      picture={<Badge icon={first.icon} rank={first.rank} />}
      title={won.length === 1 ? `Won: ${first.name}` : `${won.length} new achievements`}
    >
      {won.length === 1 ? first.description : won.map(({ name }) => name).join(', ')}
    </Strip>
  );
}
