import type { ProviderId } from '#contract/wire/profile.ts';
import { type Config, GOOGLE_ISSUER, isLocalIssuer, isSameIssuer } from '../config.ts';
import type { Database } from '../db/database.ts';

/** Some of Google's tokens name the issuer without a scheme (P29b). */
export const GOOGLE_ISSUER_PLAIN = 'accounts.google.com';

export type Issuers = {
  [Id in ProviderId]: Pick<NonNullable<Config[Id]>, 'issuer'> | null;
};

/**
 * The provider of a stored issuer. If no configured provider has the issuer, Google's own issuer or
 * a local one is Google's, because a local one was a stand-in for Google (ACC-21). Any other was an
 * earlier OIDC_ISSUER (ACC-49).
 */
export function providerOf({ google, oidc }: Issuers, issuer: string): ProviderId {
  if (oidc !== null && isSameIssuer(issuer, oidc.issuer)) return 'oidc';
  if (google !== null && isSameIssuer(issuer, google.issuer)) return 'google';
  const isGoogle = [GOOGLE_ISSUER, GOOGLE_ISSUER_PLAIN].includes(issuer) || isLocalIssuer(issuer);
  return isGoogle ? 'google' : 'oidc';
}

/** A provider's name on buttons and in mails. */
export function providerName({ oidc }: Pick<Config, 'oidc'>, id: ProviderId): string {
  return id === 'google' ? 'Google' : (oidc?.name ?? 'OpenID');
}

/**
 * Deletes a player's identities: all, a provider's, or those not authoritative for the address.
 * Returns the unlinked providers.
 */
export async function unlinkIdentities(
  config: Issuers,
  trx: Database,
  playerId: number,
  only: { provider?: ProviderId; authoritative?: false } = {},
): Promise<ProviderId[]> {
  let linked = trx.selectFrom('identities').select('issuer').where('player_id', '=', playerId);
  if (only.authoritative === false) linked = linked.where('authoritative', '=', false);
  const issuers = (await linked.execute())
    .map(({ issuer }) => issuer)
    .filter(
      (issuer) => (only.provider ?? providerOf(config, issuer)) === providerOf(config, issuer),
    );
  if (issuers.length === 0) return [];
  await trx
    .deleteFrom('identities')
    .where('player_id', '=', playerId)
    .where('issuer', 'in', issuers)
    .execute();
  return [...new Set(issuers.map((issuer) => providerOf(config, issuer)))];
}
