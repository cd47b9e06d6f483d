import { toPathNode } from '../changes/path-node.ts';
import type { AttributeDiff, JsonObject, JsonValue } from '../result.ts';
import { quantity } from './attributes/values.ts';
import { ADDED_TO, GROWING_NAME, ROUTINE_NAMES, SECRET_VALUES } from './data/routine.ts';

/** Text for people and labels for sorting; the object behaves the same. */
export const COSMETIC: ReadonlySet<string> = new Set([
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
  'code_sha256',
  'conditions',
  'current_kubernetes_version',
  'default_version',
  'effective_annotations',
  'enabled_features',
  'generation',
  'latest_version',
  'observed_generation',
  'platform_version',
  'reconciling',
  'revision',
  'source_code_size',
  'terminal_condition',
  'update_time',
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
  /** Every leaf is routine, strengthening or cosmetic. */
  routine: boolean;
  /** Every leaf is the value of a secret, its version, its end, or cosmetic. */
  renewal: boolean;
  /** Rendered path of a tag that was changed or removed and by which backups may select; null when there is none. */
  backup_tag: string | null;
}

/** Leaves that only become unknown under a computed name do not count; an update without any other is none of these. */
export function surveyLeaves(diffs: readonly AttributeDiff[], type: string): LeafSurvey {
  const secret = SECRET_VALUES.get(type);
  const renewal = secret !== undefined;
  const survey: LeafSurvey = { cosmetic: true, ttl: true, hardening: true, routine: true, renewal, backup_tag: null };
  let counted = 0;
  for (const diff of diffs) {
    if (isRecomputed(diff)) continue;
    counted++;
    survey.backup_tag ??= backupTag(diff);
    if (isCosmetic(diff)) continue;
    survey.cosmetic = false;
    survey.ttl &&= isTtl(diff);
    const safer = diff.direction === 'strengthening';
    survey.hardening &&= safer;
    survey.routine &&= safer || isRoutine(diff, type);
    survey.renewal &&= secret !== undefined && isRenewal(diff, secret);
  }
  if (counted === 0) survey.cosmetic = survey.ttl = survey.hardening = survey.routine = survey.renewal = false;
  return survey;
}

function isRecomputed(diff: AttributeDiff): boolean {
  const name = toPathNode(diff).first;
  if (!diff.after_unknown || typeof name !== 'string') return false;
  return COMPUTED.has(name) || name.startsWith('qualified_') || name.endsWith('_revision');
}

/** Network tags, by which firewalls select, come as a list of tags; key-value tags are a map. */
function isCosmetic(diff: AttributeDiff): boolean {
  const { before, after } = diff;
  const { first: name, second: below } = toPathNode(diff);
  if (typeof name !== 'string' || !COSMETIC.has(name)) return false;
  return name !== 'tags' || (typeof below !== 'number' && !Array.isArray(before) && !Array.isArray(after));
}

/** Parts that are told as a whole; rules of their own see what goes. */
const RESTATED = new Set(['attribute', 'schema']);

/** How fast, how much more, or which release. */
function isRoutine(diff: AttributeDiff, type: string): boolean {
  const { before, after, direction, after_unknown, op } = diff;
  if (direction === 'weakening') return false;
  const { name, first } = toPathNode(diff);
  if (ROUTINE_NAMES.has(name)) return true;
  if (ADDED_TO.get(type)?.has(String(first))) return op === 'add' || RESTATED.has(String(first));
  if (after_unknown || !GROWING_NAME.test(name)) return false;
  const [from, to] = [quantity(before), quantity(after)];
  return from !== undefined && to !== undefined && to >= from && from > 0;
}

/** Another value in place of one, not an empty one; its version follows. An end may be set, or come later. */
function isRenewal(diff: AttributeDiff, values: string): boolean {
  const { before, after, after_unknown, op } = diff;
  const name = String(toPathNode(diff).first);
  if (VERSION_NAME.test(name)) return true;
  if (name === 'expiration_date') return typeof after === 'string' && (before === null || String(before) < after);
  if (name !== values || op === 'remove' || op === 'add') return false;
  return diff.after_sensitive && (after_unknown || (after !== null && after !== ''));
}

const VERSION_NAME = /^(?:version|.{1,40}_version|(?:resource_)?versionless_id|resource_id|updated_at|last_updated)$/;

function isTtl(diff: AttributeDiff): boolean {
  const { depth, first } = toPathNode(diff);
  return depth === 1 && first === 'ttl';
}

/** Backup plans and lifecycle policies select by tag: such a tag, changed or gone, silently ends the backups. */
function backupTag(diff: AttributeDiff): string | null {
  const { op, before, after_unknown } = diff;
  const { first: name, second: key } = toPathNode(diff);
  if ((name !== 'tags' && name !== 'tags_all') || op === 'add' || after_unknown) return null;
  if (typeof key === 'string') return BACKUP_TAG.test(key) ? diff.path : null;
  return key === undefined && isObject(before) && Object.keys(before).some((tag) => BACKUP_TAG.test(tag))
    ? diff.path
    : null;
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
