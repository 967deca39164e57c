import { createElement, Fragment, type ReactNode } from 'react';

/** These elements may contain no `span`. */
const PLAIN: unknown[] = ['option', 'text', 'textarea', 'title', 'tspan'];

const isText = (child: unknown) => typeof child === 'string' || typeof child === 'number';
/** React draws neither of these. */
const isNothing = (child: unknown) => child == null || typeof child === 'boolean';

const own = (text: string): ReactNode =>
  text.trim() === '' ? text : createElement('span', null, text);

/** Joins neighbouring texts into one, in an element. Other children keep their place. */
function wrapRuns(children: readonly unknown[]): unknown[] {
  const wrapped: unknown[] = [];
  let run = '';
  let at = -1;
  children.forEach((child, index) => {
    if (isText(child)) {
      if (at === -1) at = index;
      run += child;
      wrapped[at] = own(run);
      if (index > at) wrapped[index] = null;
    } else {
      if (!isNothing(child)) {
        run = '';
        at = -1;
      }
      wrapped[index] = child;
    }
  });
  return wrapped;
}

/**
 * Returns an element's props with each text in an element of its own (PROD-160). A browser that
 * translates the page replaces text nodes. React can still change a text that is an only child, but
 * it loses a text node that has siblings: the text stays old, or the page breaks.
 */
export function apart<Props>(type: unknown, props: Props): Props {
  const { children } = props as { children?: unknown };
  if (type === Fragment && isText(children)) return { ...props, children: own(String(children)) };
  if (!Array.isArray(children) || !children.some(isText)) return props;
  if (children.every((child) => isText(child) || isNothing(child))) {
    const joined = children.filter(isText).join('');
    return { ...props, children: type === Fragment ? own(joined) : joined };
  }
  return PLAIN.includes(type) ? props : { ...props, children: wrapRuns(children) };
}
