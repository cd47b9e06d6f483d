import type { KeyObject } from 'node:crypto';
import {
  AuditDumpError,
  checkpointOrigin,
  formatVerifierKey,
  openCheckpoint,
  signCheckpoint,
  toRawPublicKey,
  type VerifierKey,
} from '../../../engine/index.ts';
import type { LogTree } from './types.ts';

/** With what this deployment signs. */
export interface SigningSettings {
  /** First part of the names of all logs, such as `dpa.example.com/audit`. */
  origin: string;
  /** Ed25519. Each one signs, so that keys can be replaced one after the other. */
  keys: readonly KeyObject[];
}

/** Signs the trees of logs. The same tree gives the same note. */
export function createSigner({ origin: deployment, keys }: SigningSettings) {
  const public_keys = keys.map(toRawPublicKey);
  const verifiers = (org_id: string): VerifierKey[] =>
    public_keys.map((public_key) => ({ name: checkpointOrigin(deployment, org_id), public_key }));

  return {
    sign(org_id: string, { size, root_hash }: Pick<LogTree, 'size' | 'root_hash'>): string {
      return signCheckpoint({ origin: checkpointOrigin(deployment, org_id), size, root: root_hash }, keys);
    },
    /** Whether this deployment has signed this tree with one of its keys. */
    hasSigned(
      org_id: string,
      { note, size, root_hash }: { note: string } & Pick<LogTree, 'size' | 'root_hash'>,
    ): boolean {
      try {
        const signed = openCheckpoint(note, verifiers(org_id));
        return signed.size === size && signed.root === root_hash;
      } catch (error) {
        if (error instanceof AuditDumpError) return false;
        throw error;
      }
    },
    /** The lines with which others verify checkpoints of an organization. */
    verifierKeys: (org_id: string): string[] => verifiers(org_id).map(formatVerifierKey),
    origin: (org_id: string): string => checkpointOrigin(deployment, org_id),
  };
}

export type Signer = ReturnType<typeof createSigner>;
