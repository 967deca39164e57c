import type { WeekChange } from '#contract/wire/inbox.ts';
import { Link } from '../router.tsx';
import { seasonPath } from './paths.ts';

/**
 * Says that a game's season is final. Links to the season's page, which says what a new count would
 * change.
 */
export function FinalSeason({ week }: { week: WeekChange | null }) {
  const final = week?.final;
  if (!final) return null;
  return (
    <>
      {final.name} is final: its table stays as it is until somebody corrects it.{' '}
      <Link to={seasonPath(final.league_id, final.id)}>What a new count would change</Link>
    </>
  );
}
