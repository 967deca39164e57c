import { jsx as element, Fragment } from 'react/jsx-runtime';
import { apart } from './own-elements.ts';

// The build compiles JSX to these calls (`jsxImportSource`; decision 135).

export type { JSX } from 'react/jsx-runtime';
export { Fragment };

export const jsx: typeof element = (type, props, key) => element(type, apart(type, props), key);
export { jsx as jsxs };
