import type { ResourceChange } from '../changes/types.ts';
import type { AttributeDiff, Change, JsonObject, JsonValue } from '../model/result.ts';
import type { Mask } from '../plan/types.ts';

type Segment = string | number;
type Node = Record<Segment, JsonValue | undefined>;

/** Placeholder for a withheld value: present, but not a string that could match as a secret. */
const WITHHELD = true;
/** Maximum list index; later items are ignored. */
const MAX_INDEX = 100_000;

/**
 * Rebuilds a change for rules from a stored result. Unchanged and unlisted attributes are absent; withheld values are
 * sensitive.
 */
export function reviveChange(change: Change): ResourceChange {
  const sides = { before: emptyTree(), after: emptyTree() };
  const masks = { unknown: emptyTree(), before_sensitive: emptyTree(), after_sensitive: emptyTree() };
  for (const diff of change.attributes) {
    const path = diff.path_segments;
    if (diff.op !== 'add') put(sides.before, path, shownOrWithheld(diff, diff.before));
    if (diff.op !== 'remove' && !diff.after_unknown) put(sides.after, path, shownOrWithheld(diff, diff.after));
    if (diff.after_unknown) put(masks.unknown, path, true);
    if (diff.before_sensitive || isScrubbed(diff)) put(masks.before_sensitive, path, true);
    if (diff.after_sensitive || isScrubbed(diff)) put(masks.after_sensitive, path, true);
  }
  return {
    ...pickIdentity(change),
    object_ids: [],
    replace_paths: change.attributes.filter((diff) => diff.forces_replacement).map((diff) => diff.path_segments),
    before: change.action === 'create' ? null : (sides.before as JsonObject),
    after: change.action === 'delete' ? null : (sides.after as JsonObject),
    unknown: masks.unknown as Mask,
    before_sensitive: masks.before_sensitive as Mask,
    after_sensitive: masks.after_sensitive as Mask,
    diffs: change.attributes,
  };
}

function pickIdentity(change: Change) {
  const { address, previous_address, module_address, mode, type, name, index, deposed } = change;
  const { provider, provider_name, actions, action, action_label, action_reason, importing } = change;
  const identity = { address, previous_address, module_address, mode, type, name, index, deposed };
  return { ...identity, provider, provider_name, actions, action, action_label, action_reason, importing };
}

function shownOrWithheld(diff: AttributeDiff, value: JsonValue): JsonValue {
  return diff.before_sensitive || diff.after_sensitive || diff.scrubbed ? WITHHELD : value;
}

/**
 * Withheld by secret detection. If one side is marked sensitive, `scrubbed` only means the other side was withheld too.
 */
function isScrubbed(diff: AttributeDiff): boolean {
  return diff.scrubbed === true && !diff.before_sensitive && !diff.after_sensitive;
}

/** Without a prototype, so that inherited names are not found. */
function emptyTree(): Node {
  return Object.create(null) as Node;
}

/** Sets a value at a path and creates its parents; ignores values that contradict earlier ones. */
function put(tree: Node, path: readonly Segment[], value: JsonValue): void {
  const last = path.at(-1);
  if (last === undefined || path.some((segment) => typeof segment === 'number' && !isPlainIndex(segment))) return;
  let node = tree;
  for (const [i, segment] of path.slice(0, -1).entries()) {
    if (!fits(node, segment)) return;
    node[segment] ??= (typeof path[i + 1] === 'number' ? [] : emptyTree()) as JsonValue;
    const next = node[segment];
    if (typeof next !== 'object' || next === null) return;
    node = next as unknown as Node;
  }
  if (fits(node, last)) node[last] = value;
}

function isPlainIndex(segment: number): boolean {
  return Number.isInteger(segment) && segment >= 0 && segment <= MAX_INDEX;
}

function fits(node: Node, segment: Segment): boolean {
  return Array.isArray(node) === (typeof segment === 'number');
}
