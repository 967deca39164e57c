import { detailError } from '#contract/errors.ts';
import { refusals as anyRefusals } from '../errors.ts';
import { type LeastRole, leastRole } from '../staff/authenticate.ts';

const { 429: _, ...unlimited } = anyRefusals;
/**
 * The errors of every route of the operator. There is no 429, because the operator has no rate
 * limit.
 */
export const refusals = { ...unlimited, 404: detailError, 409: detailError };

/**
 * What every route of the operator declares: a summary, and the least role of staff who may call
 * it. `key` is for the holder of the operator key alone (P63).
 */
export const operatorSchema = (summary: string, { role }: { role: LeastRole }) => ({
  tags: ['operator'],
  summary,
  ...leastRole(role),
});
