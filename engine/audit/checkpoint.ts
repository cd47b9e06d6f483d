/** Checkpoints: the signed state of the tree over an audit log. @see https://c2sp.org/tlog-checkpoint */
import type { KeyObject } from 'node:crypto';
import { AuditDumpError } from './dump.ts';
import { openNote, signNote, type VerifierKey } from './note.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const SIZE = /^(?:0|[1-9]\d{0,14})$/;
const HASH_BYTES = 32;

export interface Checkpoint {
  /** Names the log: `<host and path>/<organization>`. */
  origin: string;
  org_id: string;
  /** Number of entries. */
  size: number;
  /** Root of the tree over all of them, 64 lowercase hex digits. */
  root: string;
}

/** The name of the log of an organization, which is also the name of its keys. */
export function checkpointOrigin(deployment: string, org_id: string): string {
  return `${deployment}/${org_id}`;
}

/** The same arguments give the same bytes. @param keys Ed25519 */
export function signCheckpoint({ origin, size, root }: Omit<Checkpoint, 'org_id'>, keys: readonly KeyObject[]): string {
  const text = `${origin}\n${size}\n${Buffer.from(root, 'hex').toString('base64')}\n`;
  return signNote(text, origin, keys);
}

/**
 * Verifies and parses a checkpoint. Lines after the third one are ignored, as the format requires.
 *
 * @throws AuditDumpError if it is not a checkpoint, or if none of the keys of its log has signed it
 */
export function openCheckpoint(note: string, keys: readonly VerifierKey[]): Checkpoint {
  const [origin = '', size = '', root = ''] = note.split('\n');
  const own = keys.filter((key) => key.name === origin);
  if (own.length === 0) {
    const names = keys.map((key) => key.name).join(', ');
    throw new AuditDumpError(`is a checkpoint of "${origin}", but the key is that of ${names}`);
  }
  openNote(note, own);
  const org_id = origin.slice(origin.lastIndexOf('/') + 1);
  const bytes = Buffer.from(root, 'base64');
  const is_valid =
    UUID.test(org_id) && SIZE.test(size) && bytes.length === HASH_BYTES && bytes.toString('base64') === root;
  if (!is_valid) throw new AuditDumpError('is not a checkpoint of an audit log');
  return { origin, org_id, size: Number(size), root: bytes.toString('hex') };
}
