import { createECDH, createHash, randomBytes } from 'node:crypto';
import type { StoredNotice, Words } from './planner.ts';

/* The message to one browser (PUSH-40, PUSH-43, P71). */

/** Every message has this length before it is encrypted, so that its size says nothing. */
const PADDED = 2_048;
export const TEXT_MAX = 120;
const RECORD = 4_096;
const SALT_BYTES = 16;
const TAG_BYTES = 24;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** A text of at most `most` characters, cut between graphemes. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  let kept = '';
  for (const { segment } of graphemes.segment(text)) {
    if (kept.length + segment.length >= most) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Longer names are cut in notifications (PUSH-41). */
const NAME_MAX = 24;
export const shortName = (name: string): string => cut(name, NAME_MAX);

/**
 * The notice's tag. Push service and browser replace an earlier message with the same tag
 * (PUSH-48).
 */
export function tagOf({
  player_id,
  kind,
  subject,
}: Pick<StoredNotice, 'player_id' | 'kind' | 'subject'>): string {
  const digest = createHash('sha256').update(`${player_id} ${kind} ${subject}`).digest();
  return digest.subarray(0, TAG_BYTES).toString('base64url');
}

/** The message, in a form that Safari shows itself. Elsewhere the service worker shows it. */
export function messageOf(
  publicUrl: string,
  notice: StoredNotice,
  { title, body, path }: Words,
): Buffer {
  return Buffer.from(
    JSON.stringify({
      web_push: 8030,
      notification: {
        title: cut(title, TEXT_MAX),
        body: cut(body, TEXT_MAX),
        lang: 'en',
        dir: 'ltr',
        tag: tagOf(notice),
        navigate: `${publicUrl}${path}`,
        silent: false,
      },
      id: notice.id,
    }),
  );
}

type Parts = Parameters<typeof import('http_ece').encrypt>[1];
export type Receiver = { p256dh: Buffer; auth: Buffer };

/** Encrypts with the given key and salt, without padding. */
export async function encryptWith(
  text: Buffer,
  { p256dh, auth }: Receiver,
  own: Pick<Parts, 'privateKey' | 'salt'> & { pad?: number },
): Promise<Buffer> {
  // Most installations send nothing for hours, so the library is loaded with the first message.
  const { encrypt } = (await import('http_ece')).default;
  return encrypt(text, { version: 'aes128gcm', dh: p256dh, authSecret: auth, rs: RECORD, ...own });
}

/** Encrypts for one browser, padded to one length (RFC 8291). */
export function encryptFor(receiver: Receiver, text: Buffer): Promise<Buffer> {
  const privateKey = createECDH('prime256v1');
  privateKey.generateKeys();
  const salt = randomBytes(SALT_BYTES);
  return encryptWith(text, receiver, { privateKey, salt, pad: Math.max(0, PADDED - text.length) });
}
