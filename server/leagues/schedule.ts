/** Two teams, or one that has a bye; by their places in the list of teams. */
export type Round = { pairs: [home: number, away: number][]; bye: number | null };

/**
 * Round `round` (from 0) of a round robin of `teams` teams (at least 2), by the circle method. In
 * every cycle each two teams meet once and, of an odd number, each has one bye; home and away games
 * of a team differ by one at most, and the next cycle swaps them.
 */
export function roundOf(teams: number, round: number): Round {
  const places = teams + (teams % 2);
  // All but the last place stand on a ring; in step k those meet whose numbers add up to k.
  const ring = places - 1;
  const step = round % ring;
  const pairs: Round['pairs'] = [];
  let bye: number | null = null;
  for (let one = 0; one < ring; one += 1) {
    const other = (step - one + 2 * ring) % ring;
    if (one < other) pairs.push((other - one) % 2 === 1 ? [one, other] : [other, one]);
    // Who would meet themselves meets the last place, which is nobody when the number is odd.
    else if (one === other && teams % 2 === 1) bye = one;
    else if (one === other) pairs.push(one % 2 === 0 ? [one, ring] : [ring, one]);
  }
  const isReturn = Math.floor(round / ring) % 2 === 1;
  return { pairs: isReturn ? pairs.map(([home, away]) => [away, home]) : pairs, bye };
}
