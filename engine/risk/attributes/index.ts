/** Step 3 of the risk scoring: evaluates the changed attributes of one resource. */
import { toPathNode } from '../../changes/path-node.ts';
import { createPathTree, createTouchTest } from '../../changes/path-tree.ts';
import type { ResourceChange } from '../../changes/types.ts';
import type { AttributeDiff } from '../../model/result.ts';
import type { AttributeFindings, PlanFacts } from '../types.ts';
import { appliesIn, findTypeRules, type TypeRules } from './compile.ts';
import { findRoleMoves } from './identity/role-order.ts';
import { findMovedSecret } from './moved-secrets.ts';
import { findMutes } from './protection/mutes.ts';
import { findSelectedTags } from './protection/selected-tags.ts';
import { findPlainSecrets } from './secrets.ts';
import { Subject } from './subject.ts';
import type { Mode, Path, Rule } from './types.ts';
import { findUnknown } from './unknown.ts';
import { createWatcher, isInTree } from './watch.ts';

const NONE: ReadonlySet<string> = new Set();
const NO_FINDINGS: AttributeFindings = { reasons: [], weakening: null, judged: [] };

/**
 * Evaluates the attribute rules for one change and sets `direction` on its diffs.
 *
 * @param facts facts about the whole plan; must be complete for changes that delete resources or name principals
 * @param disabled ids of rules that the org has turned off
 * @returns at most one reason per rule, unordered; empty for changes that do not modify the resource
 */
export function findAttributeReasons(
  change: ResourceChange,
  facts: PlanFacts,
  disabled: ReadonlySet<string> = NONE,
  toPlanPath?: (path: Path) => Path,
): AttributeFindings {
  const mode = toMode(change);
  if (mode === null) return NO_FINDINGS;
  const rules = findTypeRules(change.type);
  const subject = new Subject(change, facts, mode, disabled, toPlanPath);
  if (rules) applyRules(rules, subject);
  if (mode !== 'delete') {
    if (rules) findUnknown(rules, subject);
    findPlainSecrets(subject);
    if (mode !== 'create') findMovedSecret(subject);
    if (mode === 'update') {
      findSelectedTags(subject);
      const isJudged = createTouchTest(createPathTree(subject.findings().judged));
      findRoleMoves(subject, (diff) => isJudged(toPathNode(diff)));
    }
    if (mode !== 'create') findMutes(subject);
  }
  return subject.findings();
}

/**
 * Returns true when a rule reads the path of a resource type, a part of it, or a block that contains it.
 *
 * @param segments as in `AttributeDiff.path_segments`
 */
export function isWatched(type: string, segments: Path): boolean {
  const rules = findTypeRules(type);
  return rules !== null && segments.length > 0 && isInTree(rules.watched, segments);
}

/** Returns true when a rule reads the path of a diff, a part of it, or a block that contains it. */
export type WatchTest = (diff: AttributeDiff) => boolean;

/** Returns a test that is equivalent to `isWatched` and faster for many diffs of one change. */
export function createWatchTest(type: string): WatchTest {
  const rules = findTypeRules(type);
  if (rules === null) return () => false;
  const watcher = createWatcher(rules.watched);
  return (diff) => {
    const { depth, template: form } = toPathNode(diff);
    return depth > 0 && watcher.isWatched(form);
  };
}

/** The mode of a change; null when it does not modify the resource. */
export function toMode(change: ResourceChange): Mode | null {
  if (change.mode === 'data') return null;
  switch (change.action) {
    case 'create':
    case 'update':
    case 'replace':
    case 'delete':
      return change.action;
    case 'unknown':
      return change.before && change.after ? 'update' : null;
    default:
      return null;
  }
}

function applyRules(rules: TypeRules, subject: Subject): void {
  if (subject.mode === 'delete') {
    // A deposed object is the old object of an earlier replacement: deleting it removes no protection.
    if (subject.change.deposed === null) for (const rule of rules.onDelete) rule.find(subject);
    return;
  }
  for (const rule of rules.always) if (appliesIn(rule, subject.mode)) rule.find(subject);
  const applied = new Set<Rule>();
  for (const attribute of touchedAttributes(rules, subject)) {
    for (const rule of rules.byAttribute.get(attribute) ?? []) {
      if (applied.has(rule) || !appliesIn(rule, subject.mode)) continue;
      applied.add(rule);
      rule.find(subject);
    }
  }
}

/** Returns the watched top-level attributes that the change sets (create) or modifies. */
function touchedAttributes(rules: TypeRules, { change, mode, after }: Subject): Iterable<string> {
  const touched = new Set<string>();
  if (mode === 'create') {
    for (const attribute of rules.byAttribute.keys()) {
      if ((after !== undefined && Object.hasOwn(after, attribute)) || isMarked(change.unknown, attribute))
        touched.add(attribute);
    }
    return touched;
  }
  for (const diff of change.diffs) {
    const attribute = toPathNode(diff).first;
    if (typeof attribute === 'string' && rules.byAttribute.has(attribute)) touched.add(attribute);
  }
  return touched;
}

function isMarked(mask: ResourceChange['unknown'], attribute: string): boolean {
  return typeof mask === 'object' && mask !== null && Object.hasOwn(mask, attribute);
}
