import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Marked } from './Marked.tsx';

test('PROD-160: each part of a sentence is in an element of its own', () => {
  const markup = renderToStaticMarkup(<Marked text="**Took the lead,** from 40 behind." />);
  expect(markup).toBe('<b>Took the lead,</b><span> from 40 behind.</span>');
});
