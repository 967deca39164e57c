import type { ConfigAnswer } from '#contract/accounts.ts';
import { getConfig as requestConfig } from './auth-calls.ts';
import type { Client } from './client.ts';

let asked: Promise<ConfigAnswer> | null = null;
let known: ConfigAnswer | null = null;

/** The page may bring the configuration along, which saves asking for it. */
export function tellConfig(config: ConfigAnswer): void {
  known = config;
  asked = Promise.resolve(config);
}

/** The configuration if it is known already, so that a screen need not change for it. */
export function knownConfig(): ConfigAnswer | null {
  return known;
}

/**
 * What this installation is called and offers; asked once for each load of the page, and again only
 * after a failure. Throws ApiError or CannotReach.
 */
export function getConfig(client: Client): Promise<ConfigAnswer> {
  asked ??= requestConfig(client).then(
    (config) => {
      known = config;
      return config;
    },
    (error: unknown) => {
      asked = null;
      throw error;
    },
  );
  return asked;
}
