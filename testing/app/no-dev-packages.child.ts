import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';

/**
 * Preloaded before `main.ts`. This module hides development packages, as after `npm ci --omit=dev`.
 */
const ROOT = join(import.meta.dirname, '../..');
const { packages }: { packages: Record<string, { dev?: boolean }> } = JSON.parse(
  readFileSync(join(ROOT, 'package-lock.json'), 'utf8'),
);

registerHooks({
  resolve: (specifier, context, next) => {
    const found = next(specifier, context);
    // Match the innermost package, because packages can contain packages.
    const [, path] =
      /(node_modules\/.*node_modules\/(?:@[^/]+\/)?[^/]+|node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(
        found.url,
      ) ?? [];
    if (path !== undefined && packages[path]?.dev !== undefined)
      throw Object.assign(new Error(`${path} is not there in production`), {
        code: 'ERR_MODULE_NOT_FOUND',
      });
    return found;
  },
});
