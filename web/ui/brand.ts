const DEFAULT = 'Backboard';

const named = () =>
  document.querySelector<HTMLMetaElement>('meta[name="application-name"]')?.content;

/**
 * The product's name for page titles (ACC-30). The server writes it into each page. The build has
 * no page, so it uses the default, which the server replaces.
 */
const brand = (typeof document === 'undefined' ? undefined : named()) || DEFAULT;

/** The title of a page, such as “Games · Backboard”. */
export const titled = (name: string): string => `${name} · ${brand}`;
