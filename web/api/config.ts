import type { ConfigAnswer } from '#contract/wire/accounts.ts';
import { getConfig as requestConfig } from './auth-calls.ts';
import type { Client } from './client.ts';

let asked: Promise<ConfigAnswer> | null = null;
let known: ConfigAnswer | null = null;

/** Sets the configuration that came with the page, so that no request has to fetch it. */
export function setConfig(config: ConfigAnswer): void {
  known = config;
  asked = Promise.resolve(config);
}

export function knownConfig(): ConfigAnswer | null {
  return known;
}

/**
 * The installation's name and features, requested once per page load, and again after a failure.
 * Throws ApiError or CannotReach.
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
