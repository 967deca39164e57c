import type { ConfigAnswer } from '#contract/wire/accounts.ts';
import type { ProviderId } from '#contract/wire/profile.ts';
import { useConfig } from './config.ts';
import type { Provider } from './openid.ts';

/** Names for providers that the installation no longer has (ACC-49). */
const NAMES: Record<ProviderId, string> = { google: 'Google', oidc: 'OpenID' };

/** The configured providers, Google first. */
export function providersOf({ google, oidc }: Pick<ConfigAnswer, 'google' | 'oidc'>): Provider[] {
  return [
    ...(google ? [{ id: 'google', name: NAMES.google, ...google } as const] : []),
    ...(oidc ? [{ id: 'oidc', stand_in: false, ...oidc } as const] : []),
  ];
}

/** The name of a provider, configured or not. */
export function nameOf(id: ProviderId, providers: Provider[]): string {
  return providers.find((one) => one.id === id)?.name ?? NAMES[id];
}

/** PKCE needs crypto.subtle, which browsers offer only on https and localhost. */
export const canUseProviders = () => 'subtle' in crypto;

/** The identity providers; empty while they load. */
export function useProviders(): Provider[] {
  const config = useConfig();
  return config === null ? [] : providersOf(config);
}
