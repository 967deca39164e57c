import { useEffect, useState } from 'react';
import type { Achievement } from '#contract/wire/achievements.ts';
import { useWonAchievements } from '../session/reads.ts';
import { newAchievements } from '../session/seen.ts';
import { useSlip } from '../slip/SlipProvider.tsx';
import { useStrips } from './load-strips.ts';

/**
 * A strip with achievements that /achievements has not shown yet. It decides once, after the first
 * reads, whether to appear. It never appears after scrolling, because it would move the page under
 * the thumb (PROD-39, LOOK-52).
 */
export function NewAchievements() {
  const { all, won, isPending } = useWonAchievements();
  const strips = useStrips();
  const [news, setNews] = useState<Achievement[] | null>(null);
  useEffect(() => {
    if (news !== null || isPending) return;
    // Wait for the script only with both lists. A failed read decides at once: no strip.
    if (all && won && strips === null) return;
    const keys = won ? newAchievements(won.map(({ key }) => key)) : [];
    setNews(window.scrollY > 0 || !all ? [] : all.filter(({ key }) => keys.includes(key)));
  }, [all, won, isPending, news, strips]);

  // The slip itself shows the achievements that its games won (HAND-16).
  const shown = useSlip().slip?.won.map(({ key }) => key) ?? [];
  const rest = news?.filter(({ key }) => !shown.includes(key)) ?? [];
  return strips && rest.length > 0 ? <strips.WonStrip won={rest} /> : null;
}
