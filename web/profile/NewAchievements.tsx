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
  const { slip, looked } = useSlip();
  const strips = useStrips();
  const [news, setNews] = useState<Achievement[] | null>(null);
  useEffect(() => {
    if (news !== null || isPending) return;
    // Wait for the script and a slip only with both lists. A failed read decides at once: no strip.
    if (all && won && (strips === null || !looked)) return;
    const keys = won ? newAchievements(won.map(({ key }) => key)) : [];
    setNews(window.scrollY > 0 || !all ? [] : all.filter(({ key }) => keys.includes(key)));
  }, [all, won, isPending, looked, news, strips]);

  // What a slip shows does not come in the strip, also once the slip is put away (HAND-16).
  const isOnSlip = ({ key }: Achievement) => slip?.won.some((one) => one.key === key) ?? false;
  if (news?.some(isOnSlip)) setNews(news.filter((one) => !isOnSlip(one)));
  return strips && news && news.length > 0 ? <strips.WonStrip won={news} /> : null;
}
