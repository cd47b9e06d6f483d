import type { Action, Change, RiskLevel } from '../model/result.ts';
import type { JudgedChange } from './ranking.ts';

/** What tells which resource of a cloud a change is about. */
export interface LinkCandidate {
  change_id: string;
  address: string;
  action: Action;
  risk_level: RiskLevel;
  /** Terraform type, such as `aws_s3_bucket`. */
  type: string;
  /** The ID of an `import` block. */
  import_id: string | null;
  /** IDs of the object that exists, most specific first. */
  ids: string[];
}

const CLOUDS: readonly string[] = ['aws', 'gcp', 'azure'];
const MAX_ID_LENGTH = 2048;

/**
 * The changes that are about an object in a cloud, with its IDs. IDs that may contain a secret are left out.
 *
 * @param judged the same changes as `presented`, in the same order
 */
export function findLinkCandidates(
  judged: readonly JudgedChange[],
  presented: readonly Change[],
  redactText: (text: string) => string,
): LinkCandidate[] {
  const isUsable = (id: string | undefined): id is string =>
    id !== undefined && id !== '' && id.length <= MAX_ID_LENGTH && redactText(id) === id;

  return judged.flatMap(({ change }, i) => {
    const shown = presented[i];
    if (shown === undefined || change.mode !== 'managed' || !CLOUDS.includes(change.provider)) return [];
    const import_id = isUsable(change.importing?.id) ? change.importing.id : null;
    // Nothing exists before a creation, except for what is imported.
    if (change.action === 'create' && import_id === null) return [];
    const { id: change_id, address, action, risk, type } = shown;
    const ids = change.object_ids.filter(isUsable);
    return [{ change_id, address, action, risk_level: risk.level, type, import_id, ids }];
  });
}
