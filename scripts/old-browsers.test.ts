import { expect, test } from 'vitest';
import { scriptFaults, styleFaults } from './old-browsers.ts';

test.each([
  ['const a = b?.c;', /syntax/],
  ['const a = b ?? c;', /syntax/],
  ['class A { x = 1 }', /syntax/],
  ['a ||= b;', /syntax/],
  ['[[1]].flat()', /flat/],
  ['Object.fromEntries(a)', /fromEntries/],
  ['a.replaceChildren()', /replaceChildren/],
  ['globalThis.a = 1', /globalThis/],
])('PROD-116: the check of the screen refuses the script %s', (script, fault) => {
  expect(scriptFaults(script).join()).toMatch(fault);
});

test.each([
  '.a:is(.b,.c){color:red}',
  '.a{inset:0}',
  '.a{width:min(3px,4vw)}',
  '.a{display:flex;gap:2px}',
  '.a{aspect-ratio:1}',
  '.a{margin-inline:1px}',
  '.a{color:color-mix(in srgb,red,blue)}',
  '@media (width>=600px){.a{color:red}}',
  '.a{.b{color:red}}&:hover{}',
  '.a{height:100dvh}',
  '.a{rotate:3deg}',
])('PROD-116: the check of the screen refuses the style %s', (style) => {
  expect(styleFaults(style)).not.toEqual([]);
});

test('PROD-116: the check of the screen allows what Chromium 68 supports', () => {
  expect(
    scriptFaults('async function* a(){try{for await(const b of c){}}catch{}const{d,...e}=f}'),
  ).toEqual([]);
  expect(
    styleFaults(
      '@font-face{src:url("a&b?min(1)")}.a{grid-template-columns:minmax(0,1fr);grid-gap:1px;grid-column-gap:2px;place-items:center;transform:rotate(1turn);width:calc(5vh + 1vmin)}.b::before{content:"inset: &"}',
    ),
  ).toEqual([]);
});
