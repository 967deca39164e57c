import { z } from 'zod';
import { canonicalEmail, isEmail } from '#contract/rules/email.ts';
import { CHOOSE_PASSWORD_FIRST } from '#contract/rules/password.ts';
import type {
  ConfigAnswer,
  ProofBody,
  ProviderBody,
  SessionAnswer,
} from '#contract/wire/accounts.ts';
import { PROVIDERS, type ProviderId } from '#contract/wire/profile.ts';
import { GOOGLE_ISSUER, isLocalIssuer } from '../config.ts';
import type { Database } from '../db/database.ts';
import { notify } from '../db/notifications.ts';
import type { Deps } from '../deps.ts';
import { badField, badRequest, forbidden, Refusal } from '../errors.ts';
import type { Caller, Session, UserSession } from '../http/caller.ts';
import { giveBack, networkLimits } from '../http/limits.ts';
import { logSecurity } from '../http/security-log.ts';
import { limitVisitor } from '../http/work.ts';
import { providerLinkedMessage, providerRemovedMessage } from '../mail/messages.ts';
import { GOOGLE_ISSUER_PLAIN, providerName, unlinkIdentities } from '../players/identities.ts';
import { addOrLock, lockByEmail, readUser, updatePlayer } from '../players/players.ts';
import { dropCodes } from './codes.ts';
import { forgetFailures, PASSWORD_WRONG, provePassword } from './login.ts';
import {
  describeProvider,
  isRefusal,
  type Provider,
  type ProviderSettings,
  SKEW_S,
  TIMEOUT_S,
  withinSeconds,
} from './openid-provider.ts';
import { changeAs, openSession } from './sessions.ts';
import { restartAccount } from './signup.ts';

/*
 * Sign-in with an OpenID provider, and links to providers (ACC-20, ACC-50, P29). The protocol is in
 * openid-provider.ts.
 */

export const SENTENCES = {
  notSetUp: (name: string) => `${name} sign-in is not set up for this site.`,
  notCompleted: (name: string) => `${name} sign-in could not be completed. Please try again.`,
  notVerified: (name: string) => `${name} has not verified this email address.`,
  noAddress: (name: string) => `This ${name} account has no email address that can be used here.`,
  passwordFirst: (name: string) =>
    `Sign in with your password first: ${name} does not speak for this email address. Then link ${name} on your Account page.`,
  otherAccount: (name: string) =>
    `Another ${name} account already belongs to this email address. Sign in with that one.`,
  linkedElsewhere: (name: string) => `This ${name} account belongs to another player.`,
  linkedAlready: (name: string) => `Another ${name} account is linked. Remove it first.`,
  away: (name: string) => `${name} cannot be reached right now. Please try again.`,
};
export const SIGN_IN_TO_LINK = 'Sign in again to link another way of signing in.';

/** A client's wait after a 503, and the life of a cached failure (P29d). */
const RETRY_AFTER_S = 5;
/** A session may link a provider for this long after the sign-in (ACC-50). */
const LINK_AGE_MAX_MS = 60 * 60_000;
/** A token older than this is from an earlier sign-in (P29b). */
const TOKEN_AGE_MAX_S = 600;

/** A 400 `{"error": …}` (API-04), because clients refresh after a 401 (API-05). */
const refuse = (error: string) => new Refusal(400, { error });
const away = (name: string) => new Refusal(503, { error: SENTENCES.away(name) }, RETRY_AFTER_S);

/** An identity's key is issuer and subject, never the address (P29b). */
const identityClaims = z.object({
  iss: z.string(),
  sub: z.string().min(1).max(255),
  iat: z.number(),
  email: z.string().transform(canonicalEmail).optional(),
  email_verified: z.boolean().optional(),
  /** The domain of the user's Google Workspace. */
  hd: z.string().min(1).optional(),
});
type Identity = z.infer<typeof identityClaims>;

/**
 * Whether the provider itself assigns this address (P29c): Google and its stand-in assign Gmail
 * addresses and those of hosted organisations.
 */
export const isAuthoritative = (
  id: ProviderId,
  { iss, email = '', hd }: Pick<Identity, 'iss' | 'email' | 'hd'>,
): boolean =>
  id === 'google' &&
  ([GOOGLE_ISSUER, GOOGLE_ISSUER_PLAIN].includes(iss) || isLocalIssuer(iss)) &&
  (email.endsWith('@gmail.com') || hd !== undefined);

type SignInDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'log' | 'mail'>;

type Party = {
  id: ProviderId;
  name: string;
  redirect_uri: string;
  settings: ProviderSettings;
  /** @throws if the provider is unusable */
  describe(): Promise<Provider>;
  isDown(): boolean;
};

function partyOf({ config, clock }: Pick<Deps, 'config' | 'clock'>, id: ProviderId): Party | null {
  const settings = config[id];
  if (settings === null) return null;
  let described: Promise<Provider> | undefined;
  let failedAt: number | null = null;
  return {
    id,
    name: providerName(config, id),
    // Each provider has its own redirect URL, against mix-up attacks (RFC 9700, 4.4).
    redirect_uri: `${config.public_url}/auth/${id}/callback`,
    settings,
    isDown: () => failedAt !== null,
    describe() {
      // Cache a failure: otherwise every page would call a provider that is down.
      const now = clock.now().getTime();
      if (failedAt !== null && now - failedAt >= RETRY_AFTER_S * 1000) described = undefined;
      described ??= withinSeconds(TIMEOUT_S, describeProvider(id, settings)).then(
        (provider) => {
          failedAt = null;
          return provider;
        },
        (error: unknown) => {
          failedAt = clock.now().getTime();
          throw error;
        },
      );
      return described;
    },
  };
}

/**
 * Exchanges the code for an identity. Keeps no tokens (P29d).
 * @throws Refusal 400 `{error}` for an invalid code, 503 for an unavailable provider.
 */
async function identify(
  { name, redirect_uri, describe }: Party,
  log: Deps['log'],
  body: ProviderBody,
): Promise<Identity> {
  try {
    const { redeem } = await describe();
    const identity = identityClaims.parse(await redeem(redirect_uri, body));
    // Use Date.now(), as the library does for `exp`, not `clock`.
    const age = Date.now() / 1000 - identity.iat;
    if (age > TOKEN_AGE_MAX_S || age < -SKEW_S) throw refuse(SENTENCES.notCompleted(name));
    return identity;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    if (isRefusal(error) || error instanceof z.ZodError) {
      log.info({ err: error }, `${name} sign-in: the code or its token is not good`);
      throw refuse(SENTENCES.notCompleted(name));
    }
    log.error({ err: error }, `${name} sign-in: the provider cannot be used`);
    throw away(name);
  }
}

export type ProviderSignIn = ReturnType<typeof providerSignIn>;

/** Sign-in with the configured providers. Contacts a provider only when it is first used. */
export function providerSignIn(deps: SignInDeps) {
  const { config, log } = deps;
  const parties = { google: partyOf(deps, 'google'), oidc: partyOf(deps, 'oidc') };

  /**
   * What pages need about a provider; null if it is unusable or not configured (ACC-21). Does not
   * wait for a provider that has failed.
   */
  async function forPages(id: ProviderId) {
    const party = parties[id];
    if (party === null) return null;
    const { name, redirect_uri, settings } = party;
    const wasDown = party.isDown();
    const described = party.describe().catch((error: unknown) => {
      log.warn({ err: error }, `${name} sign-in: the provider cannot be described`);
      return null;
    });
    const authorization_endpoint = wasDown ? undefined : (await described)?.authorization_endpoint;
    if (authorization_endpoint === undefined) return null;
    const { client_id, issuer } = settings;
    return { name, client_id, authorization_endpoint, redirect_uri, issuer };
  }

  let known: ConfigAnswer | null = null;

  /** Exchanges the code at the provider for an identity; a network may do so 30 times a minute. */
  async function prove(id: ProviderId, caller: Caller, body: ProviderBody) {
    const party = parties[id];
    if (party === null) throw refuse(SENTENCES.notSetUp(providerName(config, id)));
    const network = networkLimits(caller.ip, `${id}-ip`);
    await limitVisitor(deps, caller, '', network);
    const identity = await withinSeconds(TIMEOUT_S, identify(party, log, body)).catch(
      (error: unknown) => {
        throw error instanceof Refusal ? error : away(party.name);
      },
    );
    await giveBack(deps, network);
    return { id, name: party.name, identity };
  }

  return {
    async describe(): Promise<ConfigAnswer> {
      const { brand, support_email, min_age, adult_age } = config;
      const [google, oidc] = await Promise.all([forPages('google'), forPages('oidc')]);
      const answer = {
        brand,
        support_email,
        min_age,
        adult_age,
        google: google && {
          client_id: google.client_id,
          authorization_endpoint: google.authorization_endpoint,
          redirect_uri: google.redirect_uri,
          stand_in: isLocalIssuer(google.issuer),
        },
        oidc: oidc && {
          name: oidc.name,
          client_id: oidc.client_id,
          authorization_endpoint: oidc.authorization_endpoint,
          redirect_uri: oidc.redirect_uri,
        },
      };
      known = PROVIDERS.some((id) => parties[id] !== null && answer[id] === null) ? null : answer;
      return answer;
    },

    /** The cached configuration; null before the first result and after a failure. */
    known: (): ConfigAnswer | null => known,

    /**
     * Signs in with the callback's code; may create the account or link the identity.
     * @throws Refusal 400 `{error}` for an invalid code or a forbidden link, 503 `{error}` for an
     *   unavailable provider (P29d), or 429 over a limit.
     */
    signIn: (id: ProviderId, caller: Caller, body: ProviderBody): Promise<SessionAnswer> =>
      prove(id, caller, body)
        .then((proven) => openBy(deps, caller, proven))
        .catch((error: unknown) => {
          if (error instanceof Refusal && 'error' in error.body)
            logSecurity(caller, `${id}_refused`, {
              actor: 'visitor',
              reason: String(error.body.error),
            });
          throw error;
        }),

    /**
     * Links an identity, whatever its address, to the caller's account, and mails a notice
     * (ACC-50). Idempotent.
     * @throws Refusal 400 `{error}` if the code is invalid, the identity is another account's, or
     *   the account has another identity of this provider.
     * @throws Refusal 401 if the session has ended, 403 if the sign-in is older than an hour, 429
     *   over a limit, or 503 `{error}` for an unavailable provider.
     */
    async link(id: ProviderId, caller: Caller, session: Session, body: ProofBody): Promise<void> {
      if (deps.clock.now().getTime() - session.created_at.getTime() > LINK_AGE_MAX_MS)
        throw forbidden(SIGN_IN_TO_LINK);
      const { name, identity } = await prove(id, caller, body);
      await changeAs(deps, session, async (trx, player) => {
        const owner = await ownerOf(trx, identity);
        if (owner?.id === player.id) return;
        if (owner !== undefined) throw refuse(SENTENCES.linkedElsewhere(name));
        const isOwnAddress = identity.email === player.email && identity.email_verified === true;
        const authoritative = isOwnAddress && isAuthoritative(id, identity);
        const added = await addIdentity(deps, trx, player.id, { identity, authoritative });
        if (!added) throw refuse(SENTENCES.linkedAlready(name));
        if (authoritative) await updatePlayer(trx, player.id, { address_claimed: false });
        await notify(trx, { profile: [player.id] });
        await noteLink(deps, caller, trx, player, { id, name });
      });
    },
  };
}

type Proven = { id: ProviderId; name: string; identity: Identity };

async function openBy(deps: SignInDeps, caller: Caller, proven: Proven): Promise<SessionAnswer> {
  return deps.db.transaction().execute(async (trx) => {
    const linked = await findLinked(trx, proven.identity);
    if (linked !== undefined) await noteAuthority(trx, linked, proven);
    const player = linked ?? (await link(deps, caller, trx, proven));
    const tokens = await openSession(deps, trx, player.id, caller.client);
    await forgetFailures({ ...deps, db: trx }, player.email, caller.ip);
    logSecurity(caller, 'signed_in', { actor: 'player', player: player.id, by: proven.id });
    return { tokens, user: await readUser({ ...deps, db: trx }, player.id) };
  });
}

type Linked = { id: number; email: string };

function ownerOf(trx: Database, { iss, sub }: Identity): Promise<Linked | undefined> {
  return trx
    .selectFrom('identities')
    .innerJoin('players', 'players.id', 'identities.player_id')
    .select(['players.id', 'players.email'])
    .where('issuer', '=', iss)
    .where('subject', '=', sub)
    .executeTakeFirst();
}

async function findLinked(trx: Database, identity: Identity): Promise<Linked | undefined> {
  const found = await ownerOf(trx, identity);
  if (found === undefined) return undefined;
  await lockByEmail(trx, found.email);
  // The identity may have been unlinked during the wait for the lock (P7).
  return ownerOf(trx, identity);
}

/** Stores a link; false if the identity is linked, or the account has a link to this issuer. */
async function addIdentity(
  { clock }: Pick<Deps, 'clock'>,
  trx: Database,
  player_id: number,
  { identity, authoritative }: { identity: Identity; authoritative: boolean },
): Promise<boolean> {
  const { iss: issuer, sub: subject } = identity;
  const added = await trx
    .insertInto('identities')
    .values({ issuer, subject, player_id, created_at: clock.now(), authoritative })
    .onConflict((conflict) => conflict.doNothing())
    .returning('player_id')
    .executeTakeFirst();
  return added !== undefined;
}

async function noteLink(
  deps: Pick<Deps, 'config' | 'mail'>,
  caller: Caller,
  trx: Database,
  { id: player, email: to }: Linked,
  { id, name: provider }: Pick<Proven, 'id' | 'name'>,
): Promise<void> {
  await deps.mail.enqueue(trx, {
    ...providerLinkedMessage(deps.config, { to, provider }),
    player_id: player,
  });
  logSecurity(caller, `${id}_linked`, { actor: 'player', player });
}

/** Marks an identity whose address the provider assigns (P29c). Older versions stored no mark. */
async function noteAuthority(
  trx: Database,
  { email }: Linked,
  { id, identity }: Proven,
): Promise<void> {
  if (identity.email !== email || identity.email_verified !== true) return;
  if (!isAuthoritative(id, identity)) return;
  await trx
    .updateTable('identities')
    .set({ authoritative: true })
    .where('issuer', '=', identity.iss)
    .where('subject', '=', identity.sub)
    .where('authoritative', '=', false)
    .execute();
}

/**
 * Links a new identity to the account with its address, or to a new account (ACC-20, P29c). Mails a
 * notice.
 * @throws Refusal 400 if the identity must not be linked.
 */
async function link(
  deps: Pick<Deps, 'config' | 'clock' | 'mail'>,
  caller: Caller,
  trx: Database,
  proven: Proven,
): Promise<Linked> {
  const { id, name, identity } = proven;
  const { email = '', email_verified } = identity;
  const now = deps.clock.now();
  if (email_verified !== true) throw refuse(SENTENCES.notVerified(name));
  if (!isEmail(email)) throw refuse(SENTENCES.noAddress(name));
  const authoritative = isAuthoritative(id, identity);
  const vouched = { email_verified_at: now, address_claimed: id === 'oidc' };
  const found = await addOrLock(trx, { email, ...vouched, created_at: now });
  if (found === undefined) throw refuse(SENTENCES.notCompleted(name));
  const { player, added } = found;
  if (!added) {
    // A concurrent sign-in may have linked the identity.
    const linked = await findLinked(trx, identity);
    if (linked !== undefined) return linked;
    if (player.email_verified_at === null || (player.address_claimed && authoritative)) {
      await restartAccount(trx, player.id);
      await dropCodes(trx, player.id);
      await updatePlayer(trx, player.id, vouched);
    } else if (!authoritative) throw refuse(SENTENCES.passwordFirst(name));
  }
  const isNew = await addIdentity(deps, trx, player.id, { identity, authoritative });
  if (!isNew) throw refuse(SENTENCES.otherAccount(name));
  await noteLink(deps, caller, trx, player, proven);
  return player;
}

/**
 * Unlinks a provider if `password` is right, and mails a notice (P29c). Idempotent.
 * @throws Refusal 400 for a wrong password or an account without one, 401 if the session has ended,
 *   429 over a limit, or 503 when the server is too busy.
 */
export async function removeProvider(
  deps: SignInDeps,
  caller: Caller,
  session: UserSession,
  { id, password }: { id: ProviderId; password: string },
): Promise<void> {
  if (!session.user.has_set_password) throw badRequest(CHOOSE_PASSWORD_FIRST);
  const proven = await provePassword(deps, caller, session.user.email, password);
  if (proven === null) throw badField('password', PASSWORD_WRONG);
  await changeAs(deps, session, async (trx, player) => {
    const removed = await unlinkIdentities(deps.config, trx, player.id, { provider: id });
    if (removed.length === 0) return;
    await notify(trx, { profile: [player.id] });
    const provider = providerName(deps.config, id);
    await deps.mail.enqueue(trx, {
      ...providerRemovedMessage(deps.config, { to: player.email, provider }),
      player_id: player.id,
    });
    logSecurity(caller, `${id}_removed`, { actor: 'player', player: player.id });
  });
}
