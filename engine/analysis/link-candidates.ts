import type { Action, Change, RiskLevel } from '../model/result.ts';
import { objectKey } from './drift-relevance.ts';
import type { JudgedChange } from './ranking.ts';

/** What tells which resource of a cloud a change is about. */
export interface LinkCandidate {
  change_id: string;
  address: string;
  /** Its address before the plan moves it. */
  previous_address: string | null;
  action: Action;
  risk_level: RiskLevel;
  /** Terraform type, such as `aws_s3_bucket`. */
  type: string;
  /** The ID of an `import` block. */
  import_id: string | null;
  /** IDs of the object that exists, most specific first. */
  ids: string[];
  /** IDs of the object that the plan knows to be gone, and creates again. */
  gone_ids: string[];
}

const CLOUDS: readonly string[] = ['aws', 'gcp', 'azure'];
const MAX_ID_LENGTH = 2048;

/**
 * The changes that are about an object in a cloud, with its IDs. IDs that may contain a secret are left out.
 *
 * @param judged the same changes as `presented`, in the same order
 * @param drifted the objects that changed since the last apply, as the plan lists them
 */
export function findLinkCandidates(
  judged: readonly JudgedChange[],
  { presented, drifted, redactText }: LinkSources,
): LinkCandidate[] {
  const gone = new Map(
    drifted.flatMap(({ change }): [string, string[]][] =>
      change.action === 'delete' ? [[objectKey(change), change.object_ids]] : [],
    ),
  );
  const isUsable = (id: string | undefined): id is string =>
    id !== undefined && id !== '' && id.length <= MAX_ID_LENGTH && redactText(id) === id;

  return judged.flatMap(({ change }, i) => {
    const shown = presented[i];
    if (shown === undefined || change.mode !== 'managed' || !CLOUDS.includes(change.provider)) return [];
    const import_id = isUsable(change.importing?.id) ? change.importing.id : null;
    const is_created = change.action === 'create';
    const gone_ids = is_created ? (gone.get(objectKey(change)) ?? []).filter(isUsable) : [];
    // Nothing exists before a creation, except for what is imported.
    if (is_created && import_id === null && gone_ids.length === 0) return [];
    const { id: change_id, address, previous_address, action, risk, type } = shown;
    const ids = change.object_ids.filter(isUsable);
    const identity = { change_id, address, previous_address, action, risk_level: risk.level, type };
    return [{ ...identity, import_id, ids, gone_ids }];
  });
}

interface LinkSources {
  presented: readonly Change[];
  drifted: readonly JudgedChange[];
  redactText: (text: string) => string;
}
