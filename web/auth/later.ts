/** The later steps, and the second half of the login, load separately, to keep /login small. */
export const later = () => import('./later-steps.ts');
