import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Jersey } from './Jersey.tsx';

test('LOOK-21: the number is white if white reaches 3:1 on the body, else dark', () => {
  const inkOn = (colour: string) =>
    /fill="(#\w+)"/.exec(renderToStaticMarkup(<Jersey colour={colour} number="07" />))?.[1];
  expect(inkOn('#377AD3')).toBe('#FFFFFF');
  // White reaches 2.9:1 on this green, although green looks dark by its mean brightness.
  expect(inkOn('#00B000')).toBe('#0B1226');
});
