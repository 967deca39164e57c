const DEFAULT = 'Backboard';

const named = () =>
  document.querySelector<HTMLMetaElement>('meta[name="application-name"]')?.content;

/**
 * The product's name for page titles (ACC-30). In a browser it comes from the page, into which the
 * server has written it. While pages are built there is no document, so titles get the default
 * name. The server replaces that name later.
 */
const brand = (typeof document === 'undefined' ? undefined : named()) || DEFAULT;

/** The title of a page, such as “Games · Backboard”. */
export const titled = (name: string): string => `${name} · ${brand}`;
