import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/**
 * Encrypted record: version (1 byte), id of the master key (4), then two AES-256-GCM boxes: the data key under the
 * master key (60 bytes) and the content under the data key. A box is nonce (12), ciphertext, tag (16).
 */
const VERSION = 1;
const HEADER_BYTES = 5;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const WRAPPED_BYTES = NONCE_BYTES + KEY_BYTES + TAG_BYTES;
const SMALLEST_BYTES = HEADER_BYTES + WRAPPED_BYTES + NONCE_BYTES + TAG_BYTES;

/** Encrypts stored secrets. */
export interface Sealer {
  /** Every call uses a new data key, so equal contents have different ciphertexts. */
  seal(plain: Uint8Array, aad: string): Buffer;
  /** @throws SealError */
  open(sealed: Uint8Array, aad: string): Buffer;
}

/**
 * `key_unavailable`: encrypted with a master key that is not configured. `decrypt_failed`: altered, or encrypted for
 * another place.
 */
export class SealError extends Error {
  readonly error_class: 'decrypt_failed' | 'key_unavailable';

  constructor(error_class: 'decrypt_failed' | 'key_unavailable', message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SealError';
    this.error_class = error_class;
  }
}

/**
 * @param masterKeys 32 bytes each; the first encrypts, all decrypt, so a key is rotated by adding the new one in front
 */
export function createSealer(masterKeys: readonly Uint8Array[]): Sealer {
  const [current] = masterKeys;
  if (current === undefined) throw new Error('encryption needs a master key');
  if (masterKeys.some((key) => key.length !== KEY_BYTES)) throw new Error(`a master key has ${KEY_BYTES} bytes`);
  const byId = new Map(masterKeys.map((key) => [masterKeyId(key), key]));
  const header = sealedBy(current);

  function seal(plain: Uint8Array, aad: string): Buffer {
    // One call, because each costs as much as the encryption of a small record.
    const random = randomBytes(KEY_BYTES + 2 * NONCE_BYTES);
    const dataKey = random.subarray(0, KEY_BYTES);
    const [first, second] = [random.subarray(KEY_BYTES, -NONCE_BYTES), random.subarray(-NONCE_BYTES)];
    const bound = bind(header, aad);
    const wrapped = encrypt(current!, dataKey, { nonce: first, aad: bound });
    return Buffer.concat([header, ...wrapped, ...encrypt(dataKey, plain, { nonce: second, aad: bound })]);
  }

  function open(sealed: Uint8Array, aad: string): Buffer {
    const record = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
    const head = record.subarray(0, HEADER_BYTES);
    if (record.length < SMALLEST_BYTES || head[0] !== VERSION) {
      throw new SealError('decrypt_failed', 'this is not an encrypted record');
    }
    const id = head.subarray(1).toString('hex');
    const masterKey = byId.get(id);
    if (masterKey === undefined)
      throw new SealError('key_unavailable', `encrypted with master key ${id}, which is not available`);
    try {
      const bound = bind(head, aad);
      const body = HEADER_BYTES + WRAPPED_BYTES;
      const dataKey = decrypt(masterKey, record.subarray(HEADER_BYTES, body), bound);
      return decrypt(dataKey, record.subarray(body), bound);
    } catch (cause) {
      throw new SealError('decrypt_failed', 'the encrypted record was altered or belongs to another place', { cause });
    }
  }

  return { seal, open };
}

/** Prefix of every record that this master key encrypted. */
export function sealedBy(masterKey: Uint8Array): Buffer {
  return Buffer.concat([Buffer.of(VERSION), keyId(masterKey)]);
}

/** The id of a master key, in messages and tables: 8 lower-case hex digits that do not reveal the key. */
export function masterKeyId(masterKey: Uint8Array): string {
  return keyId(masterKey).toString('hex');
}

/** Identifies a key without revealing it. */
function keyId(key: Uint8Array): Buffer {
  return createHash('sha256').update('dpa master key id').update(key).digest().subarray(0, 4);
}

function bind(header: Buffer, aad: string): Buffer {
  return Buffer.concat([header, Buffer.from(aad, 'utf8')]);
}

function encrypt(key: Uint8Array, plain: Uint8Array, { nonce, aad }: { nonce: Buffer; aad: Buffer }): Buffer[] {
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(aad);
  return [nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()];
}

function decrypt(key: Uint8Array, box: Buffer, aad: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, box.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(aad);
  decipher.setAuthTag(box.subarray(box.length - TAG_BYTES));
  return Buffer.concat([decipher.update(box.subarray(NONCE_BYTES, box.length - TAG_BYTES)), decipher.final()]);
}
