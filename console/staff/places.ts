/**
 * What a person reaches (STAFF-02). `venues` and `leagues` are ids. They are kept while `everything`
 * is ticked, so that unticking it brings them back.
 */
export type Places = { everything: boolean; venues: string[]; leagues: string[] };

/** The fields of `places` that a call sends: everything, or venues and leagues. */
export const placesSent = ({ everything, venues, leagues }: Places) =>
  everything ? { everything } : { venues, leagues };

/** Whether a person reaches the same with both; the order does not matter. */
export function samePlaces(one: Places, other: Places): boolean {
  const text = ({ everything, venues, leagues }: Places) =>
    JSON.stringify(
      placesSent({ everything, venues: venues.toSorted(), leagues: leagues.toSorted() }),
    );
  return text(one) === text(other);
}
