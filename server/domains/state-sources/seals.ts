import type { ColumnSealer, SealedColumn } from '../../db/index.ts';
import type { StateConfig } from './types.ts';

/** The encrypted configuration of a source, bound to its row; empty after the source was deleted. */
export const SEALED_STATE_CONFIGS: SealedColumn = {
  table: 'state_sources',
  column: 'config_ct',
  org_column: 'org_id',
  key: 'id',
  reads: [],
  aad: ({ org_id = '', id = '' }) => `state_sources.config_ct|${org_id}|${id}`,
};

export function sealConfig(sealer: ColumnSealer, row: { org_id: string; id: string }, config: StateConfig): Buffer {
  return sealer.seal(SEALED_STATE_CONFIGS, { ...row }, Buffer.from(JSON.stringify(config)));
}

/** @throws SealError */
export function openConfig(sealer: ColumnSealer, row: { org_id: string; id: string; config_ct: Buffer }): StateConfig {
  const { org_id, id, config_ct } = row;
  return JSON.parse(sealer.open(SEALED_STATE_CONFIGS, { org_id, id }, config_ct).toString());
}

export const SNAPSHOT_PREFIX = 'state-snapshots/';

/** Where the resources of a snapshot are stored. */
export function snapshotKey(org_id: string, id: string): string {
  return `${SNAPSHOT_PREFIX}${org_id}/${id}`;
}

/** Binds the encrypted resources to their snapshot. */
export function snapshotAad(org_id: string, id: string): string {
  return `state_snapshots|${org_id}|${id}`;
}
