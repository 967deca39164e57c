/** The keys of the reads of this room. */
export const PLAYERS = ['players'] as const;
export const playerKey = (id: string) => ['player', id] as const;
