/** Both texts, as one script, so that /login names few files. */
export { Privacy } from './Privacy.tsx';
export { Terms } from './Terms.tsx';
