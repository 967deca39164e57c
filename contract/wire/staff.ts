import { z } from 'zod';
import { DEVICE_NAME_MAX, ROLES } from '../rules/staff.ts';
import { id, NAME_MAX, name, ref, time } from './fields.ts';

const role = z.enum(ROLES);
export const named = z.object({ id, name: z.string() });

/** Venues or leagues, by name or id. */
const given = z.array(ref).max(100).optional();
/**
 * What a person reaches. A person without any of these reaches nothing; an owner reaches everything
 * (STAFF-02).
 */
const reach = { everything: z.boolean().optional(), venues: given, leagues: given };
export const staffBody = z.object({ name: name(NAME_MAX), role, ...reach });
export const staffRef = z.object({ staff: ref });

/** Omitted fields do not change. Naming venues or leagues takes `everything` away. */
export const staffChangeBody = z.object({
  staff: ref,
  name: name(NAME_MAX).optional(),
  role: role.optional(),
  ...reach,
});

/** `name`: what the person calls the device. */
export const deviceRow = z.object({
  id: z.string(),
  name: z.string(),
  created_at: time,
  last_used_at: time.nullable(),
});
export const staffRow = z.object({
  id,
  name: z.string(),
  role,
  everything: z.boolean(),
  venues: z.array(named),
  leagues: z.array(named),
  created_at: time,
  /** The last call in any session. */
  last_seen_at: time.nullable(),
  /** Whether the person has ever signed in. */
  joined: z.boolean(),
  devices: z.array(deviceRow),
  /** When the open link expires, or null. */
  link_until: time.nullable(),
});
export const staffAnswer = z.object({ results: z.array(staffRow) });

/** The only answer that contains the link (P61). */
export const linkAnswer = z.object({
  staff: staffRow,
  url: z.string(),
  valid_until: time,
});
export const staffRemovedAnswer = z.object({ name: z.string(), sessions_ended: z.number().int() });

export const staffSessionRow = z.object({
  id: z.string(),
  device: z.string(),
  client: z.string(),
  created_at: time,
  last_used_at: time,
  current: z.boolean(),
});
export const staffSessionsAnswer = z.object({ results: z.array(staffSessionRow) });
export const staffSignOutBody = z.object({ staff: ref, session: z.guid().optional() });
export const staffSignedOutAnswer = z.object({
  name: z.string(),
  sessions_ended: z.number().int(),
});
export const deviceRef = z.object({ staff: ref, device: z.string().min(1).max(1024) });

const token = z.string().regex(/^[\w-]{43}$/, 'This link is incomplete. Copy the whole address.');
const device = name(DEVICE_NAME_MAX);
export const linkBody = z.object({ token });
export const linkShown = z.object({
  name: z.string(),
  role,
  venues: z.array(z.string()),
  leagues: z.array(z.string()),
  invited_by: z.string(),
  valid_until: time,
  /** Whether passkeys work at the console's address. If not, the link opens a 12-hour session. */
  passkeys: z.boolean(),
});
export const linkDeviceBody = z.object({ token, device });

/** What the browser needs to make a passkey (P60). */
export const passkeyCreationOptions = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number().int() })),
  timeout: z.number().int(),
  attestation: z.literal('none'),
  excludeCredentials: z.array(z.object({ type: z.literal('public-key'), id: z.string() })),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.boolean(),
    userVerification: z.literal('required'),
  }),
  extensions: z.object({ credProps: z.boolean() }),
  hints: z.array(z.enum(['hybrid', 'security-key', 'client-device'])),
});

/** For a sign-in with any passkey of this site (P60). */
export const passkeyRequestOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number().int(),
  userVerification: z.literal('required'),
});

/** A credential's id, in base64url. */
export const passkeyId = z.string().min(1).max(1024);
/** The browser's answer; `@simplewebauthn/server` checks the rest. */
export type PasskeyResponse = {
  id: string;
  rawId: string;
  type: 'public-key';
  response: object;
  clientExtensionResults: object;
};
export const passkeyResponse: z.ZodType<PasskeyResponse, PasskeyResponse> = z.looseObject({
  id: passkeyId,
  rawId: z.string().max(1024),
  type: z.literal('public-key'),
  response: z.looseObject({}),
  clientExtensionResults: z.looseObject({}),
});
export const linkRegisterBody = z.object({ token, device, response: passkeyResponse });
export const signInBody = z.object({ response: passkeyResponse });
export const newDeviceBody = z.object({ device, response: passkeyResponse });
export const deviceParams = z.object({ id: passkeyId });

export const meAnswer = z.object({
  id,
  name: z.string(),
  role,
  brand: z.string(),
  /** Whether the person reaches only some venues or leagues. */
  limited: z.boolean(),
  venues: z.array(named),
  leagues: z.array(named),
  owners: z.array(z.string()),
  session: z.object({ kind: z.enum(['passkey', 'link']), device: z.string(), expires_at: time }),
  server_time: time,
});
export const devicesAnswer = z.object({
  results: z.array(deviceRow.extend({ current: z.boolean() })),
});

export const staffCalls = {
  'GET /api/operator/staff/': { answer: staffAnswer },
  'POST /api/operator/staff/': { body: staffBody, created: linkAnswer },
  'POST /api/operator/staff/link/': { body: staffRef, answer: linkAnswer },
  'POST /api/operator/staff/unlink/': { body: staffRef, answer: staffRow },
  'POST /api/operator/staff/change/': { body: staffChangeBody, answer: staffRow },
  'POST /api/operator/staff/remove/': { body: staffRef, answer: staffRemovedAnswer },
  'GET /api/operator/staff/sessions/': { query: staffRef, answer: staffSessionsAnswer },
  'POST /api/operator/staff/sign-out/': { body: staffSignOutBody, answer: staffSignedOutAnswer },
  'POST /api/operator/staff/remove-device/': { body: deviceRef, answer: staffRow },
  'GET /api/console/me/': { answer: meAnswer },
  'GET /api/console/devices/': { answer: devicesAnswer },
  'POST /api/console/devices/options/': { answer: passkeyCreationOptions },
  'POST /api/console/devices/': { body: newDeviceBody },
  'DELETE /api/console/devices/:id/': { params: deviceParams },
  'POST /api/console/link/': { body: linkBody, answer: linkShown },
  'POST /api/console/link/options/': { body: linkBody, answer: passkeyCreationOptions },
  'POST /api/console/link/register/': { body: linkRegisterBody },
  'POST /api/console/link/session/': { body: linkDeviceBody },
  'POST /api/console/sign-in/options/': { answer: passkeyRequestOptions },
  'POST /api/console/sign-in/': { body: signInBody },
  'POST /api/console/sign-out/': {},
};

export type Me = z.infer<typeof meAnswer>;
export type StaffRow = z.infer<typeof staffRow>;
export type LinkShown = z.infer<typeof linkShown>;
export type LinkAnswer = z.infer<typeof linkAnswer>;
export type DevicesAnswer = z.infer<typeof devicesAnswer>;
export type StaffSessionsAnswer = z.infer<typeof staffSessionsAnswer>;
