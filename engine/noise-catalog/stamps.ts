import { toPathNode } from '../changes/path-node.ts';
import type { ResourceChange } from '../changes/types.ts';
import { isObject } from '../lib/is-object.ts';
import type { AttributeDiff, JsonValue } from '../model/result.ts';
import { readStampName } from './stamp-names.ts';
import { isHigherNumber, isLaterTime, isOtherHash, readTime } from './stamp-values.ts';

/**
 * Whether a leaf of the metadata of a resource is a stamp that a run renews: its key says which run wrote it, or when,
 * and its values confirm that. A new or removed stamp is an edit of the configuration, and no stamp.
 */
export function isRenewedStamp(diff: AttributeDiff): boolean {
  const { segment } = toPathNode(diff);
  const name = typeof segment === 'string' ? readStampName(segment) : null;
  if (name === null) return false;
  const { before, after, after_unknown } = diff;
  if (after_unknown) return name.time && !name.run && readTime(before) !== null;
  if (name.time && isLaterTime(before, after)) return true;
  return name.run && (isHigherNumber(before, after) || isOtherHash(before, after));
}

/** Types of which labels and annotations decide who is notified, or identify a series. */
const ROUTED = /alert|monitor|metric|notif|silence|rule|slo/;
const PLAIN_LABELS = /^(?:google|kubernetes)_/;

/** Whether the labels of a type take part in what it does. Tags of clouds do not. */
export function hasActiveLabels(type: string, diff: AttributeDiff): boolean {
  const { first } = toPathNode(diff);
  return (first === 'labels' || first === 'annotations') && !PLAIN_LABELS.test(type) && ROUTED.test(type);
}

/** Whether programs on a machine can read its tags, which then are input of unknown programs. */
export function exposesOwnTags({ after }: ResourceChange): boolean {
  const options: JsonValue = after?.['metadata_options'] ?? null;
  const blocks = Array.isArray(options) ? options : [options];
  return blocks.some((block) => isObject(block) && block['instance_metadata_tags'] === 'enabled');
}
