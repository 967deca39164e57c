import { z } from 'zod';
import { latinDigits } from '../rules/digits.ts';
import { PASSWORD_MAX_BYTES } from '../rules/password.ts';
import { email } from './fields.ts';
import { removeProviderBody, user } from './profile.ts';

/** Checks only the size: a failed login must not say which rule the password breaks. */
export const password = z.string().max(PASSWORD_MAX_BYTES);

export const emailBody = z.object({ email });
/** A password of any size, because one that is too long is a wrong one (ACC-15). */
export const loginBody = z.object({ email, password: z.string() });

/** The server ignores `username` and `profile_setup_complete` (ACC-03, ACC-04). */
export const registerBody = z.object({
  email,
  username: z.string().max(150).optional(),
  profile_setup_complete: z.boolean().optional(),
});
const CODE_FORM = 'Enter the 6-digit code';
/** Takes the digits of any script (ACC-71). */
export const codeText = z
  .string()
  .overwrite(latinDigits)
  .regex(/^[0-9]{6}$/, CODE_FORM);
export const verifyBody = z.object({ email, code: codeText });

/** `rotate: true` asks for the next refresh token (P3). */
export const refreshBody = z.object({
  refresh: z.string().max(512),
  rotate: z.boolean().optional(),
});
export const logoutBody = z.object({ refresh: z.string().max(512) });
export const resetBody = z.object({ email, token: z.string().max(512), password });

/** A provider's code, and proof that this browser began the sign-in (P29a). */
export const proofBody = z.object({
  code: z.string().min(1).max(2048),
  code_verifier: z.string().min(43).max(128),
  nonce: z.string().min(1).max(256),
});

/** For Google, a client may send only `{code}` (P29a). */
export const providerBody = proofBody.partial({ code_verifier: true, nonce: true });

export const tokens = z.object({ access: z.string(), refresh: z.string() });
export const loginAnswer = z.object({ access: z.string(), refresh: z.string(), user });

/** Has no tokens, because the address is not verified yet (P6). */
export const registerAnswer = z.object({ user, detail: z.string() });
export const checkEmailAnswer = z.object({
  exists: z.boolean(),
  verified: z.boolean(),
  has_set_password: z.boolean(),
  profile_setup_complete: z.boolean(),
});
export const detailAnswer = z.object({ detail: z.string() });
export const sessionAnswer = z.object({ tokens, user });
export const refreshAnswer = z.object({ access: z.string(), refresh: z.string().optional() });

/** `client` is coarse: "Chrome on Android" (P8). */
export const signedInSession = z.object({
  id: z.string(),
  created_at: z.string(),
  last_used_at: z.string(),
  client: z.string(),
  current: z.boolean(),
});
export const sessionParams = z.object({ id: z.string() });
export const sessionsAnswer = z.object({ results: z.array(signedInSession) });

/** What a page needs for a sign-in at a provider (ACC-22). */
const provider = z.object({
  client_id: z.string(),
  authorization_endpoint: z.string(),
  redirect_uri: z.string(),
});

/** GET /api/config/ */
export const configAnswer = z.object({
  brand: z.string(),
  support_email: z.string(),
  min_age: z.number().int(),
  /** Younger players are visible in their league only (ACC-61); 0 turns the rule off. */
  adult_age: z.number().int(),
  /** null if not configured (ACC-21). */
  google: provider
    .extend({
      stand_in: z.boolean(),
    })
    .nullable(),
  /** null if not configured or not reached (ACC-49). */
  oidc: provider
    .extend({
      name: z.string(),
    })
    .nullable(),
});

export const accountCalls = {
  'GET /api/config/': { answer: configAnswer },
  'POST /api/users/auth/check-email/': { body: emailBody, answer: checkEmailAnswer },
  'POST /api/users/auth/register/': { body: registerBody, created: registerAnswer },
  'POST /api/users/resend-verification/': { body: emailBody, answer: detailAnswer },
  'POST /api/users/verify-email/': { body: verifyBody, answer: sessionAnswer },
  'POST /api/users/auth/login/': { body: loginBody, answer: loginAnswer },
  'POST /api/users/auth/request-password-reset/': { body: emailBody, answer: detailAnswer },
  'POST /api/users/auth/reset-password/': { body: resetBody, answer: sessionAnswer },
  'POST /api/users/auth/google/callback/': { body: providerBody, answer: sessionAnswer },
  'POST /api/users/auth/oidc/callback/': { body: proofBody, answer: sessionAnswer },
  'POST /api/users/auth/token/refresh/': { body: refreshBody, answer: refreshAnswer },
  'POST /api/users/auth/logout/': { body: logoutBody },
  'POST /api/users/google/': { body: proofBody },
  'POST /api/users/oidc/': { body: proofBody },
  'DELETE /api/users/google/': { body: removeProviderBody },
  'DELETE /api/users/oidc/': { body: removeProviderBody },
  'GET /api/users/sessions/': { answer: sessionsAnswer },
  'DELETE /api/users/sessions/': {},
  'DELETE /api/users/sessions/:id/': { params: sessionParams },
};

export type LoginBody = z.input<typeof loginBody>;
export type RegisterBody = z.input<typeof registerBody>;
export type VerifyBody = z.input<typeof verifyBody>;
export type ResetBody = z.input<typeof resetBody>;
export type ProofBody = z.input<typeof proofBody>;
export type ProviderBody = z.input<typeof providerBody>;
export type Tokens = z.infer<typeof tokens>;
export type LoginAnswer = z.infer<typeof loginAnswer>;
export type RegisterAnswer = z.infer<typeof registerAnswer>;
export type CheckEmailAnswer = z.infer<typeof checkEmailAnswer>;
export type DetailAnswer = z.infer<typeof detailAnswer>;
export type SessionAnswer = z.infer<typeof sessionAnswer>;
export type RefreshAnswer = z.infer<typeof refreshAnswer>;
export type SignedInSession = z.infer<typeof signedInSession>;
export type SessionsAnswer = z.infer<typeof sessionsAnswer>;
export type ConfigAnswer = z.infer<typeof configAnswer>;
