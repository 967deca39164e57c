import { z } from 'zod';
import type { ConfigAnswer, GoogleBody, SessionAnswer } from '#contract/accounts.ts';
import { canonicalEmail, isEmail } from '#contract/email.ts';
import { CHOOSE_PASSWORD_FIRST } from '#contract/password.ts';
import { type Config, GOOGLE_ISSUER } from '../config.ts';
import type { Database } from '../db/database.ts';
import { notify } from '../db/notices.ts';
import type { Deps } from '../deps.ts';
import { badField, badRequest, Refusal } from '../errors.ts';
import type { Caller, Session } from '../http/caller.ts';
import { limit, networkLimits } from '../http/limits.ts';
import { logSecurity } from '../http/security-log.ts';
import { googleLinkedMessage, googleRemovedMessage } from '../mail/messages.ts';
import { addOrLock, lockByEmail, readUser, updatePlayer } from '../players/players.ts';
import { dropCodes } from './codes.ts';
import {
  describeProvider,
  isLocal,
  isRefusal,
  type Provider,
  SKEW_S,
  TIMEOUT_S,
  withinSeconds,
} from './google-provider.ts';
import { forgetFailures, PASSWORD_WRONG, provePassword } from './login.ts';
import { changeAs, openSession } from './sessions.ts';
import { restartAccount } from './signup.ts';

export const NOT_SET_UP = 'Google sign-in is not set up for this site.';
export const NOT_COMPLETED = 'Google sign-in could not be completed. Please try again.';
export const NOT_VERIFIED = 'Google has not verified this email address.';
export const NO_ADDRESS = 'This Google account has no email address that can be used here.';
export const PASSWORD_FIRST =
  'Sign in with your password first: Google does not speak for this email address.';
export const OTHER_ACCOUNT =
  'Another Google account already belongs to this email address. Sign in with that one.';
export const AWAY = 'Google cannot be reached right now. Please try again.';

/** P29d */
const RETRY_AFTER_S = 5;
/** P29b: an older token was issued for an earlier sign-in. */
const TOKEN_AGE_MAX_S = 600;

/** 400 `{"error": …}` (API-04). On a 401 a client would refresh its token (API-05). */
const refuse = (error: string) => new Refusal(400, { error });
const away = () => new Refusal(503, { error: AWAY }, RETRY_AFTER_S);

/**
 * The claims of an id_token. Issuer and subject are the identity's key, never the address (P29b).
 */
const identityClaims = z.object({
  iss: z.string(),
  sub: z.string().min(1).max(255),
  iat: z.number(),
  email: z.string().transform(canonicalEmail).optional(),
  email_verified: z.boolean().optional(),
  /** The domain of the Google Workspace organisation that manages the account. */
  hd: z.string().min(1).optional(),
});
type Identity = z.infer<typeof identityClaims>;

const GOOGLES = [GOOGLE_ISSUER, GOOGLE_ISSUER.replace('https://', '')];

/**
 * Whether the issuer itself assigns this address (P29c). Google, or its stand-in, assigns the
 * addresses of Gmail and of organisations that it hosts. Other issuers assign none.
 */
export const isAuthoritative = ({
  iss,
  email = '',
  hd,
}: Pick<Identity, 'iss' | 'email' | 'hd'>): boolean =>
  (GOOGLES.includes(iss) || isLocal(iss)) && (email.endsWith('@gmail.com') || hd !== undefined);

export type GoogleSignIn = ReturnType<typeof googleSignIn>;

/** Makes the sign-in with the configured OpenID provider, which is contacted at its first use. */
export function googleSignIn(deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log' | 'mail'>) {
  const { config, log } = deps;
  const { google } = config;
  const redirect_uri = `${config.public_url}/auth/google/callback`;
  let described: Promise<Provider> | undefined;

  function provider(settings: NonNullable<Config['google']>): Promise<Provider> {
    described ??= withinSeconds(TIMEOUT_S, describeProvider(settings)).catch((error: unknown) => {
      // Cache a failure for some seconds: a provider that is down must not delay every page.
      setTimeout(() => {
        described = undefined;
      }, RETRY_AFTER_S * 1000).unref();
      throw error;
    });
    return described;
  }

  /** Exchanges the code for an identity, and keeps none of the provider's tokens (P29d). */
  async function identify(
    settings: NonNullable<Config['google']>,
    body: GoogleBody,
  ): Promise<Identity> {
    try {
      const { redeem } = await provider(settings);
      const identity = identityClaims.parse(await redeem(redirect_uri, body));
      // Use `Date.now()`, not `clock`: the library checks `exp` with `Date.now()`.
      const age = Date.now() / 1000 - identity.iat;
      if (age > TOKEN_AGE_MAX_S || age < -SKEW_S) throw refuse(NOT_COMPLETED);
      return identity;
    } catch (error) {
      if (error instanceof Refusal) throw error;
      if (isRefusal(error) || error instanceof z.ZodError) {
        log.info({ err: error }, 'Google sign-in: the code or its token is not good');
        throw refuse(NOT_COMPLETED);
      }
      log.error({ err: error }, 'Google sign-in: the provider cannot be used');
      throw away();
    }
  }

  /**
   * What pages need to know about the provider. Without a usable one they hide the Google button
   * (ACC-21).
   */
  async function forPages(): Promise<ConfigAnswer['google']> {
    if (google === null) return null;
    try {
      const { authorization_endpoint } = await provider(google);
      if (authorization_endpoint === undefined) return null;
      return {
        client_id: google.client_id,
        authorization_endpoint,
        redirect_uri,
        stand_in: isLocal(google.issuer),
      };
    } catch (error) {
      log.warn({ err: error }, 'Google sign-in: the provider cannot be described');
      return null;
    }
  }

  let known: ConfigAnswer | null = null;

  return {
    async describe(): Promise<ConfigAnswer> {
      const { brand, support_email, min_age, adult_age } = config;
      const answer = { brand, support_email, min_age, adult_age, google: await forPages() };
      known = answer.google === null && google !== null ? null : answer;
      return answer;
    },

    /**
     * The last result of `describe`, without waiting. null before its first call, or if the
     * provider did not answer in the last one.
     */
    known: (): ConfigAnswer | null => known,

    /**
     * Signs in with the code of the callback page. Creates the account or links the identity if
     * necessary.
     * @throws Refusal 400 `{error}` when the code is bad or the account may not be linked, 503
     * `{error}` when the provider is unavailable (P29d); 429.
     */
    signIn: (caller: Caller, body: GoogleBody): Promise<SessionAnswer> =>
      redeemCode(caller, body).catch((error: unknown) => {
        if (error instanceof Refusal && 'error' in error.body)
          logSecurity(caller, 'google_refused', {
            actor: 'visitor',
            reason: String(error.body.error),
          });
        throw error;
      }),
  };

  /** The work of `signIn`, with its errors. */
  async function redeemCode(caller: Caller, body: GoogleBody): Promise<SessionAnswer> {
    if (google === null) throw refuse(NOT_SET_UP);
    // As for passwords (P16): each try sends a request to the provider.
    await limit(
      deps,
      networkLimits(caller.ip, { name: 'google-ip', max: 30, seconds: 60, remember: true }),
    );
    const identity = await withinSeconds(TIMEOUT_S, identify(google, body)).catch(
      (error: unknown) => {
        throw error instanceof Refusal ? error : away();
      },
    );
    return deps.db.transaction().execute(async (trx) => {
      const linked = await findLinked(trx, identity);
      if (linked !== undefined) await noteAuthority(trx, linked, identity);
      const player = linked ?? (await link(deps, caller, trx, identity));
      const tokens = await openSession(deps, trx, player.id, caller.client);
      await forgetFailures({ ...deps, db: trx }, player.email, caller.ip);
      logSecurity(caller, 'signed_in', { actor: 'player', player: player.id, by: 'google' });
      return { tokens, user: await readUser({ ...deps, db: trx }, player.id) };
    });
  }
}

type Linked = { id: number; email: string };

/** Finds the player with an identity, and locks the player's row. */
async function findLinked(trx: Database, { iss, sub }: Identity): Promise<Linked | undefined> {
  const find = () =>
    trx
      .selectFrom('identities')
      .innerJoin('players', 'players.id', 'identities.player_id')
      .select(['players.id', 'players.email'])
      .where('issuer', '=', iss)
      .where('subject', '=', sub)
      .executeTakeFirst();
  const found = await find();
  if (found === undefined) return undefined;
  await lockByEmail(trx, found.email);
  // Read again: the identity may have been unlinked while this call waited for the lock (P7).
  return find();
}

/**
 * Marks an identity as authoritative if Google assigns its address (P29c). Old identities may lack
 * the mark.
 */
async function noteAuthority(trx: Database, { email }: Linked, identity: Identity): Promise<void> {
  if (identity.email !== email || identity.email_verified !== true || !isAuthoritative(identity))
    return;
  await trx
    .updateTable('identities')
    .set({ authoritative: true })
    .where('issuer', '=', identity.iss)
    .where('subject', '=', identity.sub)
    .where('authoritative', '=', false)
    .execute();
}

/**
 * Links a new identity to the account with its address (ACC-20, P29c), creating the account if
 * necessary. Mails a notice.
 * @throws Refusal 400 when the identity may not be linked.
 */
async function link(
  deps: Pick<Deps, 'config' | 'clock' | 'mail'>,
  caller: Caller,
  trx: Database,
  identity: Identity,
): Promise<Linked> {
  const { email = '', email_verified, iss: issuer, sub: subject } = identity;
  const now = deps.clock.now();
  if (email_verified !== true) throw refuse(NOT_VERIFIED);
  if (!isEmail(email)) throw refuse(NO_ADDRESS);
  const found = await addOrLock(trx, { email, email_verified_at: now, created_at: now });
  if (found === undefined) throw refuse(NOT_COMPLETED);
  const { player, added } = found;
  if (!added) {
    // A parallel sign-in may have linked the identity meanwhile.
    const linked = await findLinked(trx, identity);
    if (linked !== undefined) return linked;
    if (player.email_verified_at === null) {
      await restartAccount(trx, player.id);
      await dropCodes(trx, player.id);
      await updatePlayer(trx, player.id, { email_verified_at: now });
    } else if (!isAuthoritative(identity)) throw refuse(PASSWORD_FIRST);
  }
  const linked = await trx
    .insertInto('identities')
    .values({
      issuer,
      subject,
      player_id: player.id,
      created_at: now,
      authoritative: isAuthoritative(identity),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('player_id')
    .executeTakeFirst();
  if (linked === undefined) throw refuse(OTHER_ACCOUNT);
  await deps.mail.enqueue(trx, googleLinkedMessage(deps.config, { to: player.email }));
  logSecurity(caller, 'google_linked', { actor: 'player', player: player.id });
  return player;
}

/**
 * Unlinks Google from the caller's account if `password` is right (P29c), and mails a notice. Does
 * nothing without a link.
 * @throws Refusal 400 when the password is wrong or the account has none; 401, 429, 503.
 */
export async function removeGoogle(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log' | 'mail'>,
  caller: Caller,
  session: Session,
  password: string,
): Promise<void> {
  if (!session.user.has_set_password) throw badRequest(CHOOSE_PASSWORD_FIRST);
  const proven = await provePassword(deps, caller, session.user.email, password);
  if (proven === null) throw badField('password', PASSWORD_WRONG);
  await changeAs(deps, session, async (trx, player) => {
    const removed = await trx
      .deleteFrom('identities')
      .where('player_id', '=', player.id)
      .returning('subject')
      .execute();
    if (removed.length === 0) return;
    await notify(trx, { profile: [player.id] });
    await deps.mail.enqueue(trx, googleRemovedMessage(deps.config, { to: player.email }));
    logSecurity(caller, 'google_removed', { actor: 'player', player: player.id });
  });
}
