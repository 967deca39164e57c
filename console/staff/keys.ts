/** The query key of the list of staff. */
export const STAFF = ['staff'] as const;
