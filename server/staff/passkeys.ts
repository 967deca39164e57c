import { isIP } from 'node:net';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { passkeyCreationOptions, passkeyId, passkeyRequestOptions } from '#contract/wire/staff.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { badRequest } from '../errors.ts';
import { logSecurity } from '../http/security-log.ts';
import { hashOf } from '../keys.ts';
import { cookieOf, makeSecret, setChallengeCookie } from './sessions.ts';

// Check that the library exists, but load its 300 modules only for the first passkey.
import.meta.resolve('@simplewebauthn/server');
const library = () => import('@simplewebauthn/server');
const helpers = () => import('@simplewebauthn/server/helpers');

const CHALLENGE_LIFE_MS = 5 * 60_000;
/** One sentence for every failure, so that answers do not reveal passkeys (STAFF-03). */
export const NO_PASSKEY = 'No passkey was used. Nothing has changed.';
/** COSE's ES256, EdDSA and RS256. Every authenticator supports one of them. */
const ALGORITHMS = [-7, -8, -257];
const PASSKEYS_MAX = 20;
const transports = z.array(z.string().max(40)).max(10).default([]);

type PasskeyDeps = Pick<Deps, 'config' | 'clock'>;
type Exchange = [request: FastifyRequest, reply: FastifyReply];

/** The relying party comes from PUBLIC_URL, never from the Host header (P60). */
const relyingParty = ({ public_url }: Pick<Config, 'public_url'>) => ({
  id: new URL(public_url).hostname,
  origin: public_url,
});

/** Whether browsers allow passkeys at PUBLIC_URL (STAFF-04). */
export function canHavePasskeys({ public_url }: Pick<Config, 'public_url'>): boolean {
  const { protocol, hostname } = new URL(public_url);
  const local = hostname === 'localhost' || hostname.endsWith('.localhost');
  return (protocol === 'https:' || local) && isIP(hostname.replace(/^\[|\]$/g, '')) === 0;
}

/** Stores a challenge, bound to the browser by a cookie (P60). */
async function keepChallenge(
  { config, clock }: PasskeyDeps,
  db: Database,
  reply: FastifyReply,
  challenge: { purpose: 'register' | 'sign_in'; challenge: string; staff_id: number | null },
): Promise<void> {
  const { secret, hash } = makeSecret();
  const expires_at = new Date(clock.now().getTime() + CHALLENGE_LIFE_MS);
  await db
    .insertInto('staff_challenges')
    .values({ hash, ...challenge, expires_at })
    .execute();
  setChallengeCookie(reply, config, secret, CHALLENGE_LIFE_MS);
}

/**
 * Uses up the browser's challenge (P60), outside the sign-in's transaction: a failed attempt uses
 * it up too.
 * @throws Refusal 400 if there is no challenge of the last 5 minutes for this purpose.
 */
async function takeChallenge(
  { config, clock }: PasskeyDeps,
  db: Database,
  request: FastifyRequest,
  purpose: 'register' | 'sign_in',
): Promise<{ challenge: string; staff_id: number | null }> {
  const secret = cookieOf(request, config, 'challenge');
  const [taken] =
    secret === undefined
      ? []
      : await db
          .deleteFrom('staff_challenges')
          .where('hash', '=', hashOf(secret))
          .where('purpose', '=', purpose)
          .returning(['challenge', 'staff_id', 'expires_at'])
          .execute();
  if (taken === undefined || taken.expires_at <= clock.now()) throw refused(request, 'challenge');
  return taken;
}

/** The reasons in the log, which must contain no text of the request (P42). */
type Reason =
  | 'another person'
  | 'attestation'
  | 'challenge'
  | 'counter'
  | 'malformed'
  | 'origin'
  | 'registered before'
  | 'relying party'
  | 'signature'
  | 'unknown passkey'
  | 'user verification';

/** The reasons, by how the library's messages begin. */
const REASONS: [message: RegExp, reason: Reason][] = [
  [/^Unexpected (authentication|registration) response challenge /, 'challenge'],
  [/^Unexpected (authentication|registration) response origin /, 'origin'],
  [/^Unexpected RP ID hash/, 'relying party'],
  [/^User verification (was )?required/, 'user verification'],
  [/^Response counter value /, 'counter'],
];

const reasonOf = ({ message }: Error): Reason =>
  REASONS.find(([pattern]) => pattern.test(message))?.[1] ?? 'malformed';

/** A 400 without the reason, which is logged (P42). */
function refused(request: FastifyRequest, reason: Reason) {
  logSecurity(request, 'passkey_refused', { actor: 'visitor', reason });
  return badRequest(NO_PASSKEY);
}

/** A person's passkeys. @throws Refusal 400 if there are already PASSKEYS_MAX. */
async function requireRoom(db: Database, staffId: number): Promise<{ id: string }[]> {
  const known = await db
    .selectFrom('staff_passkeys')
    .select('id')
    .where('staff_id', '=', staffId)
    .execute();
  if (known.length >= PASSKEYS_MAX)
    throw badRequest(`At most ${PASSKEYS_MAX} devices. Remove one that is not used any more.`);
  return known;
}

/** WebAuthn's options for creating a passkey. Sets the challenge cookie. */
export async function registrationOptions(
  deps: PasskeyDeps,
  db: Database,
  reply: FastifyReply,
  staff: { id: number; name: string; handle: Buffer },
) {
  const known = await requireRoom(db, staff.id);
  const { generateRegistrationOptions } = await library();
  const options = await generateRegistrationOptions({
    rpName: deps.config.brand,
    rpID: relyingParty(deps.config).id,
    userName: staff.name,
    userDisplayName: staff.name,
    userID: new Uint8Array(staff.handle),
    attestationType: 'none',
    excludeCredentials: known,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
    timeout: CHALLENGE_LIFE_MS,
  });
  await keepChallenge(deps, db, reply, {
    purpose: 'register',
    challenge: options.challenge,
    staff_id: staff.id,
  });
  return passkeyCreationOptions.parse(options);
}

export type NewPasskey = {
  id: string;
  public_key: Buffer;
  counter: number;
  transports: string[];
};

/**
 * Whether a registration has no certificates. The library would fetch the revocation lists that a
 * certificate names: a caller could make this server send requests. Browsers send no certificates
 * unless a site asks for attestation.
 */
async function hasNoCertificates({ response }: RegistrationResponseJSON): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await helpers();
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
  const format = attestation.get('fmt');
  const selfSigned = format === 'packed' && attestation.get('attStmt').get('x5c') === undefined;
  return format === 'none' || selfSigned;
}

/**
 * Checks a new passkey (P60).
 * @throws Refusal 400 if the challenge is missing or another person's, the origin is foreign, the
 * authenticator did not verify the user, or there are certificates.
 */
export async function checkRegistration(
  deps: PasskeyDeps,
  db: Database,
  request: FastifyRequest,
  staffId: number,
  response: RegistrationResponseJSON,
): Promise<NewPasskey> {
  const { challenge, staff_id } = await takeChallenge(deps, db, request, 'register');
  if (staff_id !== staffId) throw refused(request, 'another person');
  const { id, origin } = relyingParty(deps.config);
  const plain = await hasNoCertificates(response).catch(() => {
    throw refused(request, 'malformed');
  });
  if (!plain) throw refused(request, 'attestation');
  const { verifyRegistrationResponse } = await library();
  const checked = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch((error: Error) => {
    throw refused(request, reasonOf(error));
  });
  if (!checked.verified) throw refused(request, 'signature');
  const { credential } = checked.registrationInfo;
  // The library checks neither id nor transports.
  const named = z.object({ id: passkeyId, transports }).safeParse(credential);
  if (!named.success) throw refused(request, 'malformed');
  return {
    ...named.data,
    public_key: Buffer.from(credential.publicKey),
    counter: credential.counter,
  };
}

/** @throws Refusal 400 if the credential is already registered, or the person has PASSKEYS_MAX. */
export async function storePasskey(
  { clock }: Pick<Deps, 'clock'>,
  trx: Database,
  request: FastifyRequest,
  passkey: NewPasskey & { staff_id: number; name: string },
): Promise<void> {
  await trx
    .selectFrom('staff')
    .select('id')
    .where('id', '=', passkey.staff_id)
    .forUpdate()
    .executeTakeFirst();
  await requireRoom(trx, passkey.staff_id);
  const stored = await trx
    .insertInto('staff_passkeys')
    .values({ ...passkey, created_at: clock.now(), last_used_at: clock.now() })
    .onConflict((clash) => clash.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (stored === undefined) throw refused(request, 'registered before');
}

/** WebAuthn's options for signing in with any passkey of this site. Sets the challenge cookie. */
export async function signInOptions(deps: PasskeyDeps, db: Database, reply: FastifyReply) {
  const { generateAuthenticationOptions } = await library();
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(deps.config).id,
    userVerification: 'required',
    timeout: CHALLENGE_LIFE_MS,
  });
  await keepChallenge(deps, db, reply, {
    purpose: 'sign_in',
    challenge: options.challenge,
    staff_id: null,
  });
  return passkeyRequestOptions.parse(options);
}

/**
 * Checks a sign-in, stores the counter, and returns the passkey's owner (P60).
 * @throws Refusal 400 with the same sentence for every cause: unknown passkey, wrong challenge,
 * foreign origin, no verification of the user, a counter that decreased, a replay.
 */
export async function proveSignIn(
  deps: PasskeyDeps & Pick<Deps, 'db'>,
  [request]: Exchange,
  response: AuthenticationResponseJSON,
): Promise<{ staff_id: number; passkey_id: string; device: string }> {
  const { db, clock, config } = deps;
  const { challenge } = await takeChallenge(deps, db, request, 'sign_in');
  const passkey = await db
    .selectFrom('staff_passkeys as k')
    .innerJoin('staff as p', 'p.id', 'k.staff_id')
    .select(['k.id', 'k.staff_id', 'k.public_key', 'k.counter', 'k.transports', 'k.name'])
    .where('k.id', '=', response.id)
    .where('p.removed_at', 'is', null)
    .executeTakeFirst();
  if (passkey === undefined) throw refused(request, 'unknown passkey');
  const { id, origin } = relyingParty(config);
  const { verifyAuthenticationResponse } = await library();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
    credential: {
      id: passkey.id,
      publicKey: new Uint8Array(passkey.public_key),
      counter: passkey.counter,
      transports: passkey.transports,
    },
  }).catch((error: Error) => {
    throw refused(request, reasonOf(error));
  });
  if (!verified) throw refused(request, 'signature');
  const { newCounter } = authenticationInfo;
  const used = await db
    .updateTable('staff_passkeys')
    .set({ counter: newCounter, last_used_at: clock.now() })
    .where('id', '=', passkey.id)
    // Compare with the stored counter, so that a replayed signature fails.
    .where((where) =>
      newCounter === 0 ? where('counter', '=', 0) : where('counter', '<', newCounter),
    )
    .returning('id')
    .executeTakeFirst();
  if (used === undefined) throw refused(request, 'counter');
  return { staff_id: passkey.staff_id, passkey_id: passkey.id, device: passkey.name };
}

/**
 * Locks a passkey and its person against removal, before the passkey opens a session.
 * @throws Refusal 400 if one of them was removed after `proveSignIn`.
 */
export async function requirePasskey(trx: Database, passkeyId: string): Promise<void> {
  const found = await trx
    .selectFrom('staff_passkeys as k')
    .innerJoin('staff as p', 'p.id', 'k.staff_id')
    .select('k.id')
    .where('k.id', '=', passkeyId)
    .where('p.removed_at', 'is', null)
    .forShare()
    .executeTakeFirst();
  if (found === undefined) throw badRequest(NO_PASSKEY);
}
