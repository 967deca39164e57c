import { detailError } from '#contract/wire/errors.ts';
import { refusals as anyRefusals } from '../errors.ts';
import { type LeastRole, leastRole } from '../staff/authenticate.ts';

/** The errors that every operator route can answer. Too many wrong keys get 429 (P49). */
export const refusals = { ...anyRefusals, 404: detailError, 409: detailError };

/** A route's summary, and the least role of staff; `key` means only the operator key (P63). */
export const operatorSchema = (summary: string, { role }: { role: LeastRole }) => ({
  tags: ['operator'],
  summary,
  ...leastRole(role),
});
