import {
  createHash,
  createSign,
  generateKeyPairSync,
  type JsonWebKey,
  randomBytes,
} from 'node:crypto';

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest();
const base64url = (data: Buffer) => data.toString('base64url');

/** A CBOR item's head: major type, and value or length below 65,536. */
function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
}
type Cbor = number | string | Buffer | Cbor[] | Map<number | string, Cbor>;
function cbor(item: Cbor): Buffer {
  if (typeof item === 'number') return item < 0 ? head(1, -1 - item) : head(0, item);
  if (typeof item === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(item)), Buffer.from(item)]);
  if (Buffer.isBuffer(item)) return Buffer.concat([head(2, item.length), item]);
  if (Array.isArray(item)) return Buffer.concat([head(4, item.length), ...item.map(cbor)]);
  return Buffer.concat([head(5, item.size), ...[...item].flat().map(cbor)]);
}

const coordinate = ({ x, y }: JsonWebKey, of: 'x' | 'y') =>
  Buffer.from((of === 'x' ? x : y) ?? '', 'base64url');

type Bent = {
  origin?: string;
  rpId?: string;
  counter?: number;
  verified?: boolean;
  /** `packed`: signed by the passkey, with `certificates` if there are any. */
  format?: 'none' | 'packed' | 'android-key';
  certificates?: Buffer[];
  /** Any value, because callers can forge it. Browsers send a list of words. */
  transports?: unknown;
};

/**
 * A software authenticator with one passkey, which answers as a browser does. `bent` falsifies
 * parts of an answer (P60).
 */
export function makeAuthenticator(origin: string) {
  const rpId = new URL(origin).hostname;
  const id = randomBytes(32);
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = publicKey.export({ format: 'jwk' });
  let counter = 0;

  const sign = (data: Buffer, client: Buffer) =>
    createSign('sha256')
      .update(Buffer.concat([data, sha256(client)]))
      .sign(privateKey);
  const clientData = (type: string, challenge: string, from: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }));
  /** `attested`: the new credential, or null at a sign-in. */
  function authenticatorData(bent: Bent, attested: Buffer | null): Buffer {
    counter = bent.counter ?? counter + 1;
    const flags = 1 | (bent.verified === false ? 0 : 4) | (attested === null ? 0 : 64);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([
      sha256(bent.rpId ?? rpId),
      Buffer.from([flags]),
      count,
      attested ?? Buffer.alloc(0),
    ]);
  }

  return {
    register({ challenge }: { challenge: string }, bent: Bent = {}) {
      const key = cbor(
        new Map<number, Cbor>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, coordinate(jwk, 'x')],
          [-3, coordinate(jwk, 'y')],
        ]),
      );
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key]);
      const client = clientData('webauthn.create', challenge, bent.origin ?? origin);
      const data = authenticatorData(bent, attested);
      const { format = 'none', certificates } = bent;
      const statement = new Map<string, Cbor>(
        format === 'none'
          ? []
          : [
              ['alg', -7],
              ['sig', sign(data, client)],
            ],
      );
      if (certificates) statement.set('x5c', certificates);
      const attestation = cbor(
        new Map<string, Cbor>([
          ['fmt', format],
          ['attStmt', statement],
          ['authData', data],
        ]),
      );
      return {
        id: base64url(id),
        rawId: base64url(id),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(client),
          attestationObject: base64url(attestation),
          transports: bent.transports ?? ['internal'],
        },
      };
    },
    signIn({ challenge }: { challenge: string }, bent: Bent = {}) {
      const data = authenticatorData(bent, null);
      const client = clientData('webauthn.get', challenge, bent.origin ?? origin);
      return {
        id: base64url(id),
        rawId: base64url(id),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(sign(data, client)),
        },
      };
    },
  };
}
