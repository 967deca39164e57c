import { jsxDEV as element, Fragment } from 'react/jsx-dev-runtime';
import { apart } from './own-elements.ts';

// The development server compiles JSX to this call; the build uses jsx-runtime.ts.

export type { JSX } from 'react/jsx-runtime';
export { Fragment };

/** `isStatic`: the children stand in the source, so they need no keys. */
export const jsxDEV: typeof element = (type, props, key, isStatic, ...rest) => {
  const own = apart(type, props);
  const { children } = own as { children?: unknown };
  return element(type, own, key, isStatic && Array.isArray(children), ...rest);
};
