/**
 * What a person reaches (STAFF-02). `venues` and `leagues` are ids. They are kept while `everything`
 * is ticked, so that unticking it brings them back.
 */
export type Places = { everything: boolean; venues: string[]; leagues: string[] };

/** The fields of `places` that a call sends: everything, or venues and leagues. */
export const placesSent = ({ everything, venues, leagues }: Places) =>
  everything ? { everything } : { venues, leagues };

/**
 * `now` with what another owner gave or took since the form opened: the differences between `opened`
 * and `now`, applied to `live`. The form offers no leagues, so they are those of `live`.
 */
export function mergePlaces(opened: Places, now: Places, live: Places): Places {
  const untouched = now.everything === opened.everything;
  const kept = live.venues.filter((id) => now.venues.includes(id) || !opened.venues.includes(id));
  const added = now.venues.filter((id) => !opened.venues.includes(id) && !kept.includes(id));
  return {
    everything: untouched ? live.everything : now.everything,
    venues: [...kept, ...added],
    leagues: live.leagues,
  };
}

/** Whether a person reaches the same with both; the order does not matter. */
export function samePlaces(one: Places, other: Places): boolean {
  const text = ({ everything, venues, leagues }: Places) =>
    JSON.stringify(
      placesSent({ everything, venues: venues.toSorted(), leagues: leagues.toSorted() }),
    );
  return text(one) === text(other);
}
