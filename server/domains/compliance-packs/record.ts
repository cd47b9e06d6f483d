import { pickFields } from '../../contract/pick-fields.ts';
import type { Pack } from './types.ts';

const FIELDS = [
  'id',
  'status',
  'period_start',
  'period_end',
  'requested_by',
  'created_at',
  'started_at',
  'finished_at',
  'expires_at',
  'artifact_key',
  'artifact_bytes',
  'artifact_sha256',
  'error_message',
] as const;

/** The pack as the contract's CompliancePack. */
export function packRecord(pack: Pack) {
  return { ...pickFields(pack, FIELDS), retry_count: Math.max(0, pack.attempts - 1) };
}
