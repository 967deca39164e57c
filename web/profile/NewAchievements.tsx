import { useEffect, useState } from 'react';
import type { Achievement } from '#contract/wire/achievements.ts';
import { Link } from '../router.tsx';
import { useWonAchievements } from '../session/reads.ts';
import { newAchievements } from '../session/seen.ts';
import { useSlip } from '../slip/SlipProvider.tsx';
import { Badge } from '../ui/Badge.tsx';
import { Strip } from '../ui/Strip.tsx';

/**
 * A strip with achievements that /achievements has not shown yet. It decides once, after the first
 * reads, whether to appear. It never appears after scrolling, because it would move the page under
 * the thumb (PROD-39, LOOK-52).
 */
export function NewAchievements() {
  const { all, won, isPending } = useWonAchievements();
  const [news, setNews] = useState<Achievement[] | null>(null);
  useEffect(() => {
    if (news !== null || isPending) return;
    const keys = won ? newAchievements(won.map(({ key }) => key)) : [];
    setNews(window.scrollY > 0 || !all ? [] : all.filter(({ key }) => keys.includes(key)));
  }, [all, won, isPending, news]);

  // The slip shows what its games won (HAND-16).
  const shown = useSlip().slip?.won.map(({ key }) => key) ?? [];
  const rest = news?.filter(({ key }) => !shown.includes(key)) ?? [];
  const [first] = rest;
  if (first === undefined) return null;
  return (
    <Strip
      as={Link}
      to="/achievements"
      picture={<Badge icon={first.icon} rank={first.rank} />}
      title={rest.length === 1 ? `Won: ${first.name}` : `${rest.length} new achievements`}
    >
      {rest.length === 1 ? first.description : rest.map(({ name }) => name).join(', ')}
    </Strip>
  );
}
