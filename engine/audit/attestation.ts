import { isObject } from '../lib/is-object.ts';
import { AuditDumpError, type ChainAnchor } from './dump.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const HASH_OR_NONE = /^(?:[0-9a-f]{64})?$/;

/** What chain-attestation.json of a Compliance Pack says about the audit log. */
export interface PackAttestation extends ChainAnchor {
  org_id: string;
  /** Root of the tree over all entries; null for an empty or broken log, and in packs of earlier versions. */
  tree_root: string | null;
  /** Whether the log was intact up to this head when the pack was built. */
  was_intact: boolean;
}

/**
 * Parses chain-attestation.json.
 *
 * @throws AuditDumpError if it is not an attestation of this version
 * @see docs/compliance-packs.md
 */
export function parseAttestation(json: string): PackAttestation {
  const { org_id, head_seq, head_hash_hex, tree_root_hex = '', status, canonical_version } = parseMembers(json);
  const is_valid =
    typeof org_id === 'string' &&
    UUID.test(org_id) &&
    Number.isSafeInteger(head_seq) &&
    (head_seq as number) >= 0 &&
    typeof head_hash_hex === 'string' &&
    HASH_OR_NONE.test(head_hash_hex) &&
    (head_hash_hex === '') === (head_seq === 0) &&
    typeof tree_root_hex === 'string' &&
    HASH_OR_NONE.test(tree_root_hex);
  if (!is_valid) throw new AuditDumpError('does not name an entry of an audit log by number and hash');
  if (canonical_version !== 'v1') throw new AuditDumpError('has an unknown canonical_version: use a newer release');
  const head = { org_id, head_seq: head_seq as number, head_hash: head_hash_hex };
  return { ...head, tree_root: tree_root_hex === '' ? null : tree_root_hex, was_intact: status === 'ok' };
}

function parseMembers(json: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new AuditDumpError('is not JSON');
  }
  if (!isObject(value)) throw new AuditDumpError('must be a JSON object');
  return value;
}
