import { z } from 'zod';

/** What every 5xx says; the cause stays in the log under the request id (P45). */
export const SERVER_ERROR = 'Something went wrong on our side.';

const messages = z.array(z.string()).min(1);

/** `{"detail": "…"}` */
export const detailError = z.object({ detail: z.string() });
/** `{"non_field_errors": ["…"]}` */
export const nonFieldErrors = z.object({ non_field_errors: messages });
/** `{"<field>": ["…"]}` */
export const fieldErrors = z.record(z.string(), messages);

/** Every error answer has one of these three shapes, and always one of them (contract 2). */
export const errorBody = z.union([detailError, nonFieldErrors, fieldErrors]);
export type ErrorBody = z.infer<typeof errorBody>;

/** The Google callback alone answers `{"error": "…"}` (spec 7, spec 8). */
export const googleError = z.object({ error: z.string() });
