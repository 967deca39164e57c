import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
/** Browser calls that can be missing, and the only files that make them. */
const CALLS: [call: RegExp, files: string[]][] = [
  [/clipboard\.write|execCommand|window\.print\b/, ['web/ui/copy.ts']],
  [/navigator\.share\(/, ['web/league/SharePicture.tsx', 'web/shell/InviteSheet.tsx']],
  [/crypto\.subtle\b\./, ['web/session/openid.ts']],
  [/getUserMedia/, ['court/Camera.tsx']],
  [/createObjectURL/, ['console/leagues/League.tsx', 'web/account/Account.tsx']],
  [
    /start(Authentication|Registration)\(/,
    ['console/door/Join.tsx', 'console/door/SignIn.tsx', 'console/more/More.tsx'],
  ],
];

test('PROD-164: calls that a browser may lack are only in files that e2e/silent.spec.ts tests', () => {
  const files = globSync('{web,console,court}/**/*.{ts,tsx}', { cwd: ROOT }).filter(
    (path) => !/dist|\.test\./.test(path),
  );
  const read = new Map(files.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));
  for (const [call, expected] of CALLS)
    expect([call, files.filter((path) => call.test(read.get(path) ?? '')).sort()]).toEqual([
      call,
      expected,
    ]);
});
