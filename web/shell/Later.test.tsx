import { prerender } from 'react-dom/static';
import { expect, it } from 'vitest';
import { script } from './Later.tsx';

it('REL-21: a sheet that did not load is imported again, and a loaded one is not', async () => {
  let imports = 0;
  const sheet = script(async () => {
    imports += 1;
    if (imports === 1) throw new Error('no signal');
    return () => <p>Here it is</p>;
  });
  const open = async () => {
    const Sheet = sheet();
    const { prelude } = await prerender(<Sheet />, { onError: () => undefined });
    return new Response(prelude).text();
  };
  await expect(open()).rejects.toThrow('no signal');
  expect(await open()).toContain('Here it is');
  expect(await open()).toContain('Here it is');
  expect(imports).toBe(2);
});
