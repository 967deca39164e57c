import type { ProviderId } from '#contract/profile.ts';
import { type Config, GOOGLE_ISSUER, isLocalIssuer, isSameIssuer } from '../config.ts';
import type { Database } from '../db/database.ts';

/** Some tokens of Google name the issuer without a scheme (P29b). */
export const GOOGLE_ISSUER_PLAIN = 'accounts.google.com';

/** The configured providers. A stored issuer is compared with theirs. */
export type Issuers = {
  [Id in ProviderId]: Pick<NonNullable<Config[Id]>, 'issuer'> | null;
};

/**
 * The provider to which the issuer of a stored identity belongs. A local issuer that is not
 * configured was a stand-in for Google (ACC-21). Any other issuer that is not configured was an
 * earlier OIDC_ISSUER (ACC-49).
 */
export function providerOf({ google, oidc }: Issuers, issuer: string): ProviderId {
  if (oidc !== null && isSameIssuer(issuer, oidc.issuer)) return 'oidc';
  if (google !== null && isSameIssuer(issuer, google.issuer)) return 'google';
  const isGoogle = [GOOGLE_ISSUER, GOOGLE_ISSUER_PLAIN].includes(issuer) || isLocalIssuer(issuer);
  return isGoogle ? 'google' : 'oidc';
}

/** The name of a provider on buttons and in mails, even if OIDC_NAME is no longer set. */
export function providerName({ oidc }: Pick<Config, 'oidc'>, id: ProviderId): string {
  return id === 'google' ? 'Google' : (oidc?.name ?? 'OpenID');
}

/**
 * Deletes a player's identities: all, only those of one provider, or only those whose issuer is not
 * authoritative for the player's address. Returns the unlinked providers.
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
