import { toPathNode } from '../changes/path-node.ts';
import type { ResourceChange } from '../changes/types.ts';
import { isComputedArgument } from '../effects/index.ts';
import type { AttributeDiff } from '../model/result.ts';
import type { BookNoiseRule, RuleBook } from '../model/rule-book.ts';
import { isMoreSevere } from '../noise-catalog/index.ts';

/** Attributes that providers recompute on every update of a resource. */
const COMPUTED =
  /^(id|arn|self_link|version_id|latest_version|qualified_\w+|\w+_revision|etag|fingerprint|\w+_fingerprint|last_modified(_\w+)?|last_updated?(_\w+)?|updated?_(time|at|date|on)|modified_(time|at|date|on)|generation|tags_all|effective_labels|terraform_labels)$/;
/** Attributes that identify the object or a new version of it. */
const IDENTITY = /^(id|arn|self_link|version_id|latest_version|generation|qualified_\w+|\w+_revision)$/;

/** Whether the attribute is computed and becomes unknown as a consequence of another change. */
export function isCascade(diff: AttributeDiff, type: string): boolean {
  if (!diff.after_unknown) return false;
  const name = toPathNode(diff).first;
  return typeof name === 'string' && (COMPUTED.test(name) || isComputedArgument(type, name));
}

/** Whether the attribute only records that an update happened. */
export function isUpdateStamp(diff: AttributeDiff, type: string): boolean {
  const { depth, first: name } = toPathNode(diff);
  if (depth > 1 || typeof name !== 'string' || IDENTITY.test(name) || !COMPUTED.test(name)) return false;
  // The etag of an S3 object is set by the user and represents its content.
  return name !== 'etag' || !type.startsWith('aws_s3_');
}

/** The organization's custom rules that match this update. */
export function findOwnRules(change: ResourceChange, book: RuleBook): readonly BookNoiseRule[] {
  const rules = book.noiseRules(change);
  if (rules.length === 0) return rules;
  return rules.filter(
    (rule) => !rule.only || change.diffs.every((diff) => rule.covers(diff) || isCascade(diff, change.type)),
  );
}

export interface OrgDecision {
  noise: AttributeDiff['noise'];
  own: BookNoiseRule | null;
  suppression_id: string | null;
}

/** The organization's classification of one leaf; null if it has none. */
export function decideByOrg(
  change: ResourceChange,
  diff: AttributeDiff,
  { own, book, fingerprint }: { own: readonly BookNoiseRule[]; book: RuleBook; fingerprint: string | null },
): OrgDecision | null {
  if (diff.forces_replacement) return null;
  const suppression_id = fingerprint === null ? null : book.suppression(fingerprint, change.address);
  if (suppression_id !== null) return { noise: 'known_benign', own: null, suppression_id };
  let mostSevere: BookNoiseRule | null = null;
  for (const rule of own) if (isMoreSevere(rule, mostSevere) && rule.covers(diff)) mostSevere = rule;
  if (mostSevere === null) return null;
  return { noise: mostSevere.severity === 'caution' ? 'novel' : 'known_benign', own: mostSevere, suppression_id: null };
}
