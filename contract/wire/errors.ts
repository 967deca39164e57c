import { z } from 'zod';

/** The message of every 500; the cause is in the log (P45). */
export const SERVER_ERROR = 'Something went wrong on our side.';

const messages = z.array(z.string()).min(1);

export const detailError = z.object({ detail: z.string() });
/** A 429. If only the network is over a limit, the call passes with `work` (P79c). */
export const throttledError = detailError.extend({
  work: z.object({ salt: z.string(), bits: z.number().int(), expires_at: z.string() }).optional(),
});
export const nonFieldErrors = z.object({ non_field_errors: messages });
export const fieldErrors = z.record(z.string(), messages);

/** Every error body has one of these shapes (API-02). */
export const errorBody = z.union([detailError, nonFieldErrors, fieldErrors]);

/** An error of a provider's callback (API-04). */
export const providerError = z.object({ error: z.string() });

export type ErrorBody = z.infer<typeof errorBody> | z.infer<typeof throttledError>;
