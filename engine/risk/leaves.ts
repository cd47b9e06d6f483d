import type { AttributeDiff, JsonObject, JsonValue } from '../result.ts';

/** Text for people and labels for sorting; the object behaves the same. */
const COSMETIC = new Set([
  'tags',
  'tags_all',
  'labels',
  'terraform_labels',
  'effective_labels',
  'annotations',
  'effective_annotations',
  'description',
  'comment',
  'display_name',
  'friendly_name',
]);

/** Names of values which the provider computes anew with any change. */
const COMPUTED = new Set([
  'id',
  'arn',
  'etag',
  'version_id',
  'last_modified',
  'fingerprint',
  'self_link',
  'tags_all',
  'effective_labels',
  'terraform_labels',
]);

const BACKUP_TAG = /backup|snapshot|retention|dlm/i;

/** What the changed leaves of an update have in common. */
export interface LeafSurvey {
  /** Every leaf is cosmetic. */
  cosmetic: boolean;
  /** Every leaf is cosmetic or `ttl`. */
  ttl: boolean;
  /** Every leaf is strengthening or cosmetic. */
  hardening: boolean;
  /** Rendered path of a tag that was changed or removed and by which backups may select; null when there is none. */
  backup_tag: string | null;
}

/** Leaves that only become unknown under a computed name do not count; an update without any other is none of these. */
export function surveyLeaves(diffs: readonly AttributeDiff[]): LeafSurvey {
  const survey: LeafSurvey = { cosmetic: true, ttl: true, hardening: true, backup_tag: null };
  let counted = 0;
  for (const diff of diffs) {
    if (isRecomputed(diff)) continue;
    counted++;
    survey.backup_tag ??= backupTag(diff);
    if (isCosmetic(diff)) continue;
    survey.cosmetic = false;
    survey.ttl &&= isTtl(diff);
    survey.hardening &&= diff.direction === 'strengthening';
  }
  if (counted === 0) survey.cosmetic = survey.ttl = survey.hardening = false;
  return survey;
}

function isRecomputed({ after_unknown, path_segments }: AttributeDiff): boolean {
  const name = path_segments[0];
  if (!after_unknown || typeof name !== 'string') return false;
  return COMPUTED.has(name) || name.startsWith('qualified_') || name.endsWith('_revision');
}

/** Network tags, by which firewalls select, come as a list of tags; key-value tags are a map. */
function isCosmetic({ path_segments, before, after }: AttributeDiff): boolean {
  const [name, below] = path_segments;
  if (typeof name !== 'string' || !COSMETIC.has(name)) return false;
  return name !== 'tags' || (typeof below !== 'number' && !Array.isArray(before) && !Array.isArray(after));
}

function isTtl({ path_segments }: AttributeDiff): boolean {
  return path_segments.length === 1 && path_segments[0] === 'ttl';
}

/** Backup plans and lifecycle policies select by tag: such a tag, changed or gone, silently ends the backups. */
function backupTag({ path, path_segments, op, before, after_unknown }: AttributeDiff): string | null {
  const [name, key] = path_segments;
  if ((name !== 'tags' && name !== 'tags_all') || op === 'add' || after_unknown) return null;
  if (typeof key === 'string') return BACKUP_TAG.test(key) ? path : null;
  return key === undefined && isObject(before) && Object.keys(before).some((tag) => BACKUP_TAG.test(tag)) ? path : null;
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
