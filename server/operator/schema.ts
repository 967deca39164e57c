import { detailError } from '#contract/errors.ts';
import { refusals as anyRefusals } from '../errors.ts';

const { 429: _, ...unlimited } = anyRefusals;
/** What any call of the operator may be refused with; whoever has the key is not counted. */
export const refusals = { ...unlimited, 404: detailError, 409: detailError };

/** How a call appears in the description of the API. */
export const operatorSchema = (summary: string) => ({
  tags: ['operator'],
  summary,
});
