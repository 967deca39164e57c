export const STAFF = ['staff'] as const;
