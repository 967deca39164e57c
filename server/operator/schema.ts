import { detailError } from '#contract/errors.ts';
import { refusals as anyRefusals } from '../errors.ts';

const { 429: _, ...unlimited } = anyRefusals;
/**
 * The errors of every route of the operator. There is no 429, because the operator has no rate
 * limit.
 */
export const refusals = { ...unlimited, 404: detailError, 409: detailError };

export const operatorSchema = (summary: string) => ({
  tags: ['operator'],
  summary,
});
