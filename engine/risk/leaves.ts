import { toPathNode } from '../changes/path-node.ts';
import { isComputedArgument } from '../effects/index.ts';
import { isObject } from '../lib/is-object.ts';
import type { AttributeDiff } from '../model/result.ts';
import { quantity } from './attributes/values.ts';
import { ADDED_TO, GROWING_NAME, ROUTINE_NAMES, SECRET_VALUES, SETTING_VALUES } from './data/routine.ts';

/** Descriptive text and labels, which do not change how the object behaves. */
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

/** Attributes that the provider recomputes on every change. */
export const COMPUTED: ReadonlySet<string> = new Set([
  'id',
  'arn',
  'etag',
  'version_id',
  'last_modified',
  'last_modified_time',
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
  'lock_token',
  'modified_at',
  'modified_on',
  'observed_generation',
  'platform_version',
  'reconciling',
  'revision',
  'source_code_size',
  'terminal_condition',
  'update_time',
  'updated_at',
  'updated_on',
]);

const BACKUP_TAG = /backup|snapshot|retention|dlm/i;

/** Properties that all changed leaves of an update share. */
export interface LeafSurvey {
  /** Every leaf is cosmetic. */
  cosmetic: boolean;
  /** Every leaf is cosmetic or `ttl`. */
  ttl: boolean;
  /** Every leaf is strengthening or cosmetic. */
  hardening: boolean;
  /** Every leaf is routine, strengthening or cosmetic. */
  routine: boolean;
  /** Every leaf is the value of a secret, its version, its expiration date, or cosmetic. */
  renewal: boolean;
  /** Every leaf is a plain value of a store of settings, its version, or cosmetic. */
  settings: boolean;
  /** Rendered path of a changed or removed tag that may select resources for backups; null when there is none. */
  backup_tag: string | null;
}

/** Ignores computed attributes that only become unknown. If no other leaf changes, every flag is false. */
export function surveyLeaves(diffs: readonly AttributeDiff[], type: string): LeafSurvey {
  const secret = SECRET_VALUES.get(type);
  const renewal = secret !== undefined;
  const settings = SETTING_VALUES.get(type);
  const survey: LeafSurvey = {
    ...{ cosmetic: true, ttl: true, hardening: true, routine: true },
    ...{ renewal, settings: settings !== undefined, backup_tag: null },
  };
  let counted = 0;
  for (const diff of diffs) {
    if (isRecomputed(diff, type)) continue;
    counted++;
    survey.backup_tag ??= backupTag(diff);
    if (isCosmetic(diff)) continue;
    survey.cosmetic = false;
    survey.ttl &&= isTtl(diff);
    const safer = diff.direction === 'strengthening';
    survey.hardening &&= safer;
    survey.routine &&= safer || isRoutine(diff, type);
    survey.renewal &&= secret !== undefined && isRenewal(diff, secret);
    survey.settings &&= settings !== undefined && isSetting(diff, settings);
  }
  if (counted > 0) return survey;
  return {
    ...{ cosmetic: false, ttl: false, hardening: false, routine: false },
    ...{ renewal: false, settings: false, backup_tag: null },
  };
}

function isRecomputed(diff: AttributeDiff, type: string): boolean {
  const name = toPathNode(diff).first;
  if (!diff.after_unknown || typeof name !== 'string') return false;
  if (isComputedArgument(type, name)) return true;
  return COMPUTED.has(name) || name.startsWith('qualified_') || name.endsWith('_revision');
}

/** Network tags, which firewall rules select by, are a list and not cosmetic. Key-value tags are a map. */
function isCosmetic(diff: AttributeDiff): boolean {
  const { before, after } = diff;
  const { first: name, second: below } = toPathNode(diff);
  if (typeof name !== 'string' || !COSMETIC.has(name)) return false;
  return name !== 'tags' || (typeof below !== 'number' && !Array.isArray(before) && !Array.isArray(after));
}

/** Attributes that change as a whole when an entry is added. Separate rules detect removed entries. */
const RESTATED = new Set(['attribute', 'schema']);

/** Returns true for a leaf that changes in everyday work: a routine setting, or the renewal of a secret. */
export function isEveryday(diff: AttributeDiff, type: string): boolean {
  const secret = SECRET_VALUES.get(type);
  return isRoutine(diff, type) || (secret !== undefined && isRenewal(diff, secret));
}

/** Returns true for a change of timing or release, or an increase of capacity. */
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

/** Returns true for a new non-empty value, a new version, or an expiration date that is set or moved later. */
function isRenewal(diff: AttributeDiff, values: string): boolean {
  const { before, after, after_unknown, op } = diff;
  const name = String(toPathNode(diff).first);
  if (VERSION_NAME.test(name)) return true;
  if (name === 'expiration_date') return typeof after === 'string' && (before === null || String(before) < after);
  if (name !== values || op === 'remove' || op === 'add') return false;
  return diff.after_sensitive && (after_unknown || (after !== null && after !== ''));
}

/** Returns true for a plain value that stays set; what it means is judged apart. */
function isSetting(diff: AttributeDiff, values: ReadonlySet<string>): boolean {
  const name = String(toPathNode(diff).first);
  if (VERSION_NAME.test(name)) return true;
  if (!values.has(name) || diff.op === 'remove' || diff.before_sensitive || diff.after_sensitive) return false;
  return !diff.after_unknown && diff.after !== null && diff.after !== '' && diff.direction !== 'weakening';
}

const VERSION_NAME = /^(?:version|.{1,40}_version|(?:resource_)?versionless_id|resource_id|updated_at|last_updated)$/;

function isTtl(diff: AttributeDiff): boolean {
  const { depth, first } = toPathNode(diff);
  return depth === 1 && first === 'ttl';
}

/** Backup plans and lifecycle policies select by tag: changing or removing such a tag stops backups silently. */
function backupTag(diff: AttributeDiff): string | null {
  const { op, before, after_unknown } = diff;
  const { first: name, second: key } = toPathNode(diff);
  if ((name !== 'tags' && name !== 'tags_all') || op === 'add' || after_unknown) return null;
  if (typeof key === 'string') return BACKUP_TAG.test(key) ? diff.path : null;
  return key === undefined && isObject(before) && Object.keys(before).some((tag) => BACKUP_TAG.test(tag))
    ? diff.path
    : null;
}
