import { errorBody } from '#contract/errors.ts';

/** What any call of the operator may be refused with. */
export const refusals = {
  400: errorBody,
  401: errorBody,
  404: errorBody,
  409: errorBody,
  500: errorBody,
  503: errorBody,
};

/** How a call appears in the description of the API. */
export const operatorSchema = (summary: string) => ({
  tags: ['operator'],
  summary,
});
