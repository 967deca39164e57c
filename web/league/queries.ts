import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ClosedWeek, LeagueSeason, LeagueStats } from '#contract/wire/leagues.ts';
import { getLeagueSeason, getSeasons } from '../api/calls.ts';
import { noneOn400 } from '../api/client.ts';
import { getLastWeek, getLeagueStats } from '../api/profile-calls.ts';
import { KEYS } from '../api/queries.ts';
import { retries, untilMoment } from '../api/query-client.ts';
import { useAuth } from '../session/AuthProvider.tsx';
import { drawCard, drawSeasonCard, type SeasonCard } from './card.ts';

export type League = { season: LeagueSeason; week: LeagueStats };

/** The player's league; null if the player has no team (LEAGUE-10). */
export function useLeague() {
  const { api } = useAuth();
  const [retry] = useState(retries);
  return useQuery({
    queryKey: KEYS.league,
    queryFn: async ({ signal }): Promise<League | null> => {
      const [season, week] = await retry.count(
        Promise.all([getLeagueSeason(api, signal), getLeagueStats(api, signal)]).catch(
          (error: unknown) => noneOn400(error) ?? ([null, null] as const),
        ),
        signal,
      );
      return season && { season, week };
    },
    // The server emits no event when a week ends.
    refetchInterval: ({ state }) =>
      state.status === 'error' ? retry.waitMs() : untilMoment(state.data?.week.week_closes_at),
    meta: { failure: 'The league could not be read.', movedBy: ['game', 'profile', 'league'] },
  });
}

/** The player's own seasons (SEASON-41). */
export function useSeasons() {
  const { api } = useAuth();
  return useQuery({
    queryKey: KEYS.seasons,
    queryFn: async ({ signal }) => (await getSeasons(api, signal)).results,
    meta: { failure: 'The seasons could not be read.', movedBy: ['game', 'league'] },
  });
}

/** A picture to share. */
export type Picture = { file: File; src: string };

/** A `data:` URL, because `blob:` images are forbidden (P32). */
function addressOf(file: File): Promise<string> {
  return new Promise((done, fail) => {
    const reader = new FileReader();
    reader.onload = () => done(String(reader.result));
    reader.onerror = () => fail(reader.error);
    reader.readAsDataURL(file);
  });
}

async function pictureOf(blob: Blob, name: string): Promise<Picture> {
  const file = new File([blob], name, { type: 'image/png' });
  return { file, src: await addressOf(file) };
}

/** The picture of a final season, drawn once it is `wanted`. */
export function useSeasonPicture(id: string, card: SeasonCard, wanted: boolean) {
  return useQuery({
    queryKey: [...KEYS.seasons, id, 'picture', card],
    queryFn: async () => pictureOf(await drawSeasonCard(card), 'backboard-season.png'),
    enabled: wanted,
    staleTime: Number.POSITIVE_INFINITY,
    meta: { failure: 'The picture of the season could not be made.' },
  });
}

/** The last closed week and its picture, drawn once per visit; null without such a week. */
export function useWeekPicture() {
  const { api } = useAuth();
  return useQuery({
    queryKey: KEYS.weekPicture,
    queryFn: async ({ signal }): Promise<{ week: ClosedWeek; picture: Picture } | null> => {
      const answer = await getLastWeek(api, signal).catch(noneOn400);
      const last = answer?.last;
      if (last == null) return null;
      const name = `backboard-week-${last.week}.png`;
      return { week: last, picture: await pictureOf(await drawCard(last), name) };
    },
    staleTime: Number.POSITIVE_INFINITY,
    meta: { failure: 'The picture of the week could not be made.' },
  });
}
