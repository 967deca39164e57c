import { createElement, Fragment, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { apart } from './own-elements.ts';

const b = createElement('b', null, 8);
const Bold = ({ children }: { children?: ReactNode }) => createElement('b', null, children);

test.each<[what: string, type: string | typeof Bold | typeof Fragment, children: unknown, string]>([
  ['texts alone become one', 'p', [3, ' games ', null, 'left'], '<p>3 games left</p>'],
  ['one text', 'p', 'left', '<p>left</p>'],
  [
    'texts and an element',
    'p',
    [3, ' of ', b, ' left'],
    '<p><span>3 of </span><b>8</b><span> left</span></p>',
  ],
  ['a text in place of an element', 'p', [false, 3], '<p>3</p>'],
  ['blanks', 'p', [b, ' ', b], '<p><b>8</b> <b>8</b></p>'],
  ['nothing', 'p', [null, b, false], '<p><b>8</b></p>'],
  ['a fragment of texts', Fragment, [3, ' left'], '<span>3 left</span>'],
  ['a fragment of one text', Fragment, 'left', '<span>left</span>'],
  ['a component', Bold, [3, b], '<b><span>3</span><b>8</b></b>'],
  ['an option', 'option', [3, ' h'], '<option>3 h</option>'],
  [
    'a text of a drawing',
    'text',
    [3, createElement('tspan', null, 'k')],
    '<text>3<tspan>k</tspan></text>',
  ],
])('PROD-160: %s', (_what, type, children, markup) => {
  const { children: drawn } = apart(type, { children }) as { children: ReactNode };
  const list = Array.isArray(drawn) ? drawn : [drawn];
  expect(renderToStaticMarkup(createElement(type as string, null, ...list))).toBe(markup);
});

test('PROD-160: adjacent texts keep their place when an element appears beside them', () => {
  const wrapped = (children: unknown[]) =>
    (apart('p', { children }) as { children: ({ type?: unknown } | null)[] }).children.map(
      (child) => child?.type ?? child,
    );
  expect(wrapped(['a', false, 'b', b])).toEqual(['span', false, null, 'b']);
  expect(wrapped(['a', b, 'b', b])).toEqual(['span', 'b', 'span', 'b']);
});
