/** The package has no types. It is CommonJS, so its exports are the `default`. */
declare module 'http_ece' {
  import type { ECDH } from 'node:crypto';

  export function encrypt(
    text: Buffer,
    options: {
      version: 'aes128gcm';
      /** The receiver's public key. */
      dh: Buffer;
      authSecret: Buffer;
      /** The sender's key pair for this message. */
      privateKey: ECDH;
      salt: Buffer;
      /** The size of a record. */
      rs: number;
      /** Bytes of padding. */
      pad?: number;
    },
  ): Buffer;
  const ece: { encrypt: typeof encrypt };
  export default ece;
}
