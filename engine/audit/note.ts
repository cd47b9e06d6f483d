/** Signed notes: text with Ed25519 signatures that any implementation of the format verifies. @see https://c2sp.org/signed-note */
import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { AuditDumpError } from './dump.ts';

/** Type of an Ed25519 key in the format. */
const ED25519 = 1;
const ID_BYTES = 4;
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** The format requires verifiers to accept at least 16. */
const MOST_SIGNATURES = 32;
const LONGEST_NOTE = 1_048_576;
const KEY_NAME = /^[^\s+]+$/u;
/** Control characters other than the line feed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the format forbids them
const CONTROL = /[\0-\x09\x0b-\x1f]/;

/** A public key that signs notes under a name. */
export interface VerifierKey {
  name: string;
  /** The 32 bytes of the Ed25519 key. */
  public_key: Uint8Array;
}

/**
 * Signs a text.
 *
 * @param text ends with a line feed
 * @param name of the keys, without spaces and `+`
 * @param keys Ed25519; each adds a signature
 */
export function signNote(text: string, name: string, keys: readonly KeyObject[]): string {
  const signatures = keys.map((key) => {
    const id = keyId({ name, public_key: toRawPublicKey(key) });
    return `— ${name} ${Buffer.concat([id, sign(null, Buffer.from(text), key)]).toString('base64')}\n`;
  });
  return `${text}\n${signatures.join('')}`;
}

/**
 * Returns the text of a note that at least one of the keys has signed.
 *
 * @throws AuditDumpError if it is not a note, if none of the keys has signed it, or if a signature of one is wrong
 */
export function openNote(note: string, keys: readonly VerifierKey[]): string {
  const { text, signatures } = splitNote(note);
  let verified = 0;
  for (const { name, bytes } of signatures) {
    const key = keys.find((one) => one.name === name && keyId(one).equals(bytes.subarray(0, ID_BYTES)));
    if (key === undefined) continue;
    if (!hasSigned(key, text, bytes.subarray(ID_BYTES))) {
      throw new AuditDumpError(`the signature of ${name} is wrong: the note was changed`);
    }
    verified += 1;
  }
  if (verified === 0) throw new AuditDumpError('no signature is from the given key');
  return text;
}

/** The key as one line, to give to auditors: its name, its ID and its bytes. */
export function formatVerifierKey(key: VerifierKey): string {
  const encoded = Buffer.concat([Uint8Array.of(ED25519), key.public_key]).toString('base64');
  return `${key.name}+${keyId(key).toString('hex')}+${encoded}`;
}

/** @throws AuditDumpError if the text is not the line of an Ed25519 key */
export function parseVerifierKey(line: string): VerifierKey {
  const [name = '', id = '', ...rest] = line.trim().split('+');
  // The encoding of the key can contain the separator.
  const encoded = rest.join('+');
  const bytes = decodeBase64(encoded) ?? Buffer.alloc(0);
  const key = { name, public_key: bytes.subarray(1) };
  const is_valid = KEY_NAME.test(name) && bytes[0] === ED25519 && key.public_key.length === KEY_BYTES;
  if (!is_valid || keyId(key).toString('hex') !== id) {
    throw new AuditDumpError('is not a verifier key: give the line <name>+<8 hex digits>+<base64>');
  }
  return key;
}

/** @param key an Ed25519 private key */
export function toRawPublicKey(key: KeyObject): Uint8Array {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return Buffer.from(x, 'base64url');
}

function splitNote(note: string): { text: string; signatures: { name: string; bytes: Buffer }[] } {
  const end = note.lastIndexOf('\n\n');
  if (end < 0 || note.length > LONGEST_NOTE || CONTROL.test(note) || !note.endsWith('\n')) {
    throw new AuditDumpError('is not a signed note');
  }
  const lines = note.slice(end + 2, -1).split('\n');
  if (lines.length > MOST_SIGNATURES) throw new AuditDumpError('has too many signatures');
  return { text: note.slice(0, end + 1), signatures: lines.map(parseSignature) };
}

function parseSignature(line: string): { name: string; bytes: Buffer } {
  const [dash, name = '', encoded = '', ...rest] = line.split(' ');
  const bytes = decodeBase64(encoded);
  if (dash !== '—' || rest.length > 0 || !KEY_NAME.test(name) || bytes === null) {
    throw new AuditDumpError('has a line that is not a signature');
  }
  return { name, bytes };
}

/** @returns null for a text that is not the encoding of its bytes, such as one with other unused bits */
function decodeBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : null;
}

function keyId({ name, public_key }: VerifierKey): Buffer {
  return createHash('sha256')
    .update(`${name}\n`)
    .update(Uint8Array.of(ED25519))
    .update(public_key)
    .digest()
    .subarray(0, ID_BYTES);
}

function hasSigned({ public_key }: VerifierKey, text: string, signature: Uint8Array): boolean {
  if (signature.length !== SIGNATURE_BYTES) return false;
  const x = Buffer.from(public_key).toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, Buffer.from(text), key, signature);
}
