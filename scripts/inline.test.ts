import { expect, test } from 'vitest';
import { inlineFaults } from './inline.ts';

test.each([
  '<script>go()</script>',
  '<SCRIPT type="module">go()</SCRIPT>',
  '<style>a{}</style>',
  '<img src="/a.png" onerror="go()">',
  '<p class="a" style="color:red">',
  '<a href="javascript:go()">',
])('P32: the build refuses a page with %s', (html) => {
  expect(inlineFaults(`<!doctype html>${html}`)).toHaveLength(1);
});

test('P32: the build allows scripts and styles in files', () => {
  expect(
    inlineFaults(
      '<link rel="stylesheet" href="/a.css"><script type="module" crossorigin src="/a.js"></script><p>style="a" onclick=b</p>',
    ),
  ).toEqual([]);
});

test('P32: the build allows an inline style without attributes if the policy names its hash', () => {
  expect(inlineFaults('<style>a{}</style>', true)).toEqual([]);
  expect(inlineFaults('<style media="print">a{}</style>', true)).toHaveLength(1);
  expect(inlineFaults('<style>a{}</style><script>go()</script>', true)).toHaveLength(1);
});
