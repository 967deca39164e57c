/** The work that the server asks of an anonymous call whose network is over a limit (P79c). */
export type Work = { salt: string; bits: number; expires_at: string };

/** The header for the proof when a call is repeated: `<salt>:<nonce>`. */
export const WORK_HEADER = 'x-work';

/**
 * The text of a proof. SHA-256 of it must begin with `bits` zero bits; the nonce is a whole number.
 */
export const proofOf = (salt: string, nonce: number): string => `${salt}:${nonce}`;
