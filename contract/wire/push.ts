import { z } from 'zod';
import { ENDPOINT_MAX, PUSH_KINDS, type PushKind } from '../rules/push.ts';
import { time } from './fields.ts';

const kind = z.enum(PUSH_KINDS);
export const pushKinds = z.object({
  my_game: z.boolean(),
  my_week: z.boolean(),
  nudge: z.boolean(),
  duel: z.boolean(),
  passed: z.boolean(),
} satisfies Record<PushKind, z.ZodBoolean>);

/** A browser that gets notifications. No answer has its address (P69). */
export const pushDevice = z.object({
  id: z.string(),
  client: z.string(),
  since: time,
  seen_at: time,
  /** Whether it is this session's browser. */
  current: z.boolean(),
});

/** GET /api/users/push/: the panel (PUSH-32, PUSH-35). */
export const pushAnswer = z.object({
  /** The key that a browser subscribes with; null while notifications are off (PUSH-46). */
  public_key: z.string().nullable(),
  kinds: pushKinds,
  /** Players under age cannot turn these on (PUSH-20). */
  locked: z.array(kind),
  /** Whether the app may ask about notifications (PUSH-32). */
  ask: z.boolean(),
  devices: z.array(pushDevice),
});

/** PATCH /api/users/push/ */
export const pushPatch = z.object({
  kinds: pushKinds.partial().strict().optional(),
  ask: z.enum(['later', 'never']).optional(),
});

/** PUT /api/users/push/device/: this session's browser. */
export const deviceBody = z.object({
  endpoint: z.string().max(ENDPOINT_MAX),
  p256dh: z.string().max(100),
  auth: z.string().max(40),
  locale: z.string().max(35),
  zone: z.string().max(64),
  /** Sent when the player turns notifications on; without it the browser registers by itself. */
  by_tap: z.literal(true).optional(),
  /** The endpoint that the server was told of before, if the browser knows it (PUSH-33). */
  former: z.string().max(ENDPOINT_MAX).optional(),
});

/** GET /api/operator/push/: whether notifications reach the devices. */
export const pushStatus = z.object({
  on: z.boolean(),
  /** Notices that wait for their moment, and messages that wait for a push service. */
  waiting: z.object({ notices: z.number().int(), messages: z.number().int() }),
  /** Notices sent in the last 24 hours. */
  sent: z.number().int(),
  /**
   * When the key pair was made; null before its first use. `old_devices` still have an earlier one.
   */
  key: z.object({ since: time, old_devices: z.number().int() }).nullable(),
  hosts: z.array(
    z.object({
      host: z.string(),
      devices: z.number().int(),
      waiting: z.number().int(),
      /** `status`: what the service answered; null without an answer. */
      last_error: z.object({ at: time, status: z.number().int().nullable() }).nullable(),
    }),
  ),
});

export const rotateAnswer = z.object({ old_devices: z.number().int() });

export const pushCalls = {
  'GET /api/users/push/': { answer: pushAnswer },
  'PATCH /api/users/push/': { body: pushPatch, answer: pushAnswer },
  'PUT /api/users/push/device/': { body: deviceBody, answer: z.object({ id: z.string() }) },
  'DELETE /api/users/push/devices/:id/': {
    params: z.object({ id: z.string() }),
    /** `denied`: the browser's permission ended, so this is not the player's "off" (PUSH-33). */
    query: z.object({ why: z.literal('denied').optional() }),
  },
  'POST /api/users/push/test/': {},
  'GET /api/operator/push/': { answer: pushStatus },
  /** Makes a new key pair. Each device subscribes with it when its app next opens (PUSH-45). */
  'POST /api/operator/push/rotate/': { answer: rotateAnswer },
};

export type PushAnswer = z.infer<typeof pushAnswer>;
export type PushPatch = z.input<typeof pushPatch>;
export type PushDevice = z.infer<typeof pushDevice>;
export type DeviceBody = z.infer<typeof deviceBody>;
export type PushStatus = z.infer<typeof pushStatus>;
