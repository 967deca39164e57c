const DEFAULT = 'Backboard';

const named = () =>
  document.querySelector<HTMLMetaElement>('meta[name="application-name"]')?.content;

/**
 * The product's name (ACC-30). A browser reads it from the page, where the server
 * has written it. The build uses the default, which the server replaces.
 */
export const brand = (typeof document === 'undefined' ? undefined : named()) || DEFAULT;

/** The title of a page, as in “Games · Backboard”. */
export const titled = (name: string): string => `${name} · ${brand}`;
