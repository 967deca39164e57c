import { useEffect, useState } from 'react';
import type { Achievement } from '#contract/wire/achievements.ts';
import { Link } from '../router.tsx';
import { newAchievements } from '../session/seen.ts';
import { Badge } from '../ui/Badge.tsx';
import { Strip } from '../ui/Strip.tsx';
import { useWonAchievements } from './queries.ts';

function inSentence(description: string): string {
  return description.charAt(0).toLowerCase() + description.slice(1);
}

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

  const [first] = news ?? [];
  if (news === null || first === undefined) return null;
  return (
    <Strip
      as={Link}
      to="/achievements"
      picture={<Badge icon={first.icon} />}
      title={news.length === 1 ? first.name : `${news.length} new achievements`}
    >
      {news.length === 1
        ? `New achievement: ${inSentence(first.description)}`
        : news.map(({ name }) => name).join(', ')}
    </Strip>
  );
}
