import type { ResourceChange } from '../../../engine/changes/types.ts';
import type { AttributeDiff, JsonValue } from '../../../engine/model/result.ts';

/** One changed leaf; `path` is dotted names or segments. */
export function aDiff(
  path: string | (string | number)[],
  before: JsonValue,
  after: JsonValue,
  more: Partial<AttributeDiff> = {},
): AttributeDiff {
  const path_segments = typeof path === 'string' ? path.split('.') : path;
  return {
    path: path_segments.join('.'),
    path_segments,
    op: before === null ? 'add' : 'update',
    before,
    after,
    before_sensitive: false,
    after_sensitive: false,
    after_unknown: false,
    forces_replacement: false,
    direction: 'neutral',
    noise: 'novel',
    truncated: false,
    ...more,
  };
}

/** An update with the given leaves. */
export function anUpdate(type: string, diffs: AttributeDiff[], more: Partial<ResourceChange> = {}): ResourceChange {
  return {
    address: `${type}.this`,
    previous_address: null,
    module_address: null,
    mode: 'managed',
    type,
    name: 'this',
    index: null,
    deposed: null,
    provider: type.split('_')[0] as string,
    provider_name: 'hashicorp/aws',
    actions: ['update'],
    action: 'update',
    action_label: 'update',
    action_reason: null,
    replace_paths: [],
    importing: null,
    object_ids: [],
    before: {},
    after: {},
    unknown: undefined,
    before_sensitive: undefined,
    after_sensitive: undefined,
    diffs,
    ...more,
  };
}
