/**
 * Judges settings that Terraform itself has as a map or as a list of names and values: environment variables, Helm
 * `set` blocks, parameters of databases, annotations, and custom resources of Kubernetes.
 */

import { createTemplateFold, type PathNode, toPathNode } from '../../changes/path-node.ts';
import { createSideReader } from '../../changes/side-reader.ts';
import type { ResourceChange } from '../../changes/types.ts';
import { type MaybeJson, readMember } from '../../changes/values.ts';
import { listValueDifferences } from '../../documents/differences.ts';
import { toNamedValues } from '../../documents/lists.ts';
import type { DocumentDifference } from '../../documents/types.ts';
import { findEffect } from '../../effects/index.ts';
import { isObject } from '../../lib/is-object.ts';
import type { AttributeDiff, JsonValue } from '../../model/result.ts';
import type { Subject } from '../attributes/subject.ts';
import { listFlagDifferences } from './flags.ts';
import { reportSettings } from './report.ts';
import { createArgumentJudge } from './setting-judge.ts';

type Path = AttributeDiff['path_segments'];

/** Attributes whose maps hold settings of a program by free names. */
const MAPS = new Set(
  'data variables environment environment_variables env_vars app_settings config configuration settings parameters cluster_settings annotations options values secrets flags database_flags'.split(
    ' ',
  ),
);
/** Longer values are documents, which are read as such. */
const MAX_VALUE_CHARS = 500;
/** A plan that changes more settings of one resource is judged by the rules alone. */
const MAX_SETTINGS = 500;
/** A change of more leaves is judged by the rules alone. */
const MAX_LEAVES = 1000;

/** Adds a reason for each map or list of settings with a setting that becomes weaker. */
export function judgeAttributeSettings(subject: Subject): void {
  if (subject.mode === 'create') return;
  const findSetting = createSettingFinder(subject.change);
  const found = new Set<Found>();
  let count = 0;
  for (const diff of subject.change.diffs.slice(0, MAX_LEAVES)) {
    if (diff.after_unknown || diff.same !== undefined) continue;
    const setting = findSetting(diff);
    if (setting === null) continue;
    found.add(setting);
    count += 1;
    if (count >= MAX_SETTINGS) break;
  }
  for (const { path, holder, skipped, differences } of found) {
    const judge = createArgumentJudge(subject.type, holder);
    reportSettings(subject, path, differences, (difference) => judge(difference, difference.path.slice(skipped)));
  }
}

interface Sides {
  before: JsonValue;
  after: JsonValue;
}

interface Found {
  path: Path;
  /** What holds the settings. */
  holder: Sides;
  /** How much of the paths of the differences leads to the holder. */
  skipped: number;
  differences: DocumentDifference[];
}

/** Finds the setting that a diff changes. Diffs of one list of names and values find the same object. */
function createSettingFinder(change: ResourceChange): (diff: AttributeDiff) => Found | null {
  const is_free = isCustomResource(change.type);
  const findMap = createTemplateFold(ROOT, extendMap, ROOT);
  const sides = [createSideReader(change.before), createSideReader(change.after)] as const;
  const lists = new Map<PathNode, Found | null>();

  return (diff) => {
    const node = toPathNode(diff);
    const list = findList(node);
    const named = lists.get(list) ?? findNamedList(list, sides[0](list), sides[1](list));
    lists.set(list, named);
    if (named !== null) return named;
    if (isDocument(diff.before) || isDocument(diff.after)) return null;
    const { at } = node.parent === null ? ROOT : findMap(node.parent.template);
    if (at < 0 && !is_free) return null;
    const place = { holder: readHolder(change, diff.path_segments.slice(0, at + 1)), at };
    if (typeof node.segment !== 'number') return toFound(diff.path_segments, diff, place);
    // One entry says nothing about the list that it leaves.
    const whole = toFound(list.segments, { before: sides[0](list), after: sides[1](list) }, place);
    lists.set(list, whole);
    return whole;
  };
}

function toFound(path: Path, { before, after }: Sides, { holder, at }: { holder: Sides; at: number }): Found {
  const differences = [{ path: path.slice(Math.max(0, at)), before: before ?? undefined, after: after ?? undefined }];
  return { path, holder, skipped: at < 0 ? 0 : 1, differences };
}

function readHolder(change: ResourceChange, path: Path): Sides {
  const [before = null, after = null] = [change.before, change.after].map((side) => readInside(side, path));
  return { before, after };
}

function readInside(side: MaybeJson, path: Path): MaybeJson {
  return path.reduce<MaybeJson>(
    (value, segment) =>
      Array.isArray(value) ? value[Number(segment)] : isObject(value) ? readMember(value, String(segment)) : undefined,
    side,
  );
}

/** The outermost map of settings on a path: its depth, or -1. */
interface MapOnPath {
  depth: number;
  at: number;
}

const ROOT: MapOnPath = { depth: 0, at: -1 };

function extendMap({ depth, at }: MapOnPath, name: string | null): MapOnPath {
  return { depth: depth + 1, at: at < 0 && name !== null && MAPS.has(name) ? depth : at };
}

function isDocument(value: MaybeJson): boolean {
  return typeof value === 'string' && value.length > MAX_VALUE_CHARS;
}

/** The innermost list around a value; the value itself if there is none. */
function findList(node: PathNode): PathNode {
  for (let at = node; at.parent !== null; at = at.parent) if (typeof at.segment === 'number') return at.parent;
  return node;
}

function findNamedList(list: PathNode, before: JsonValue, after: JsonValue): Found | null {
  if (!Array.isArray(before) || !Array.isArray(after) || before.length + after.length === 0) return null;
  const [from, to] = [toNamedValues(before), toNamedValues(after)];
  if (from === null || to === null) {
    const flags = listFlagDifferences(before, after);
    return flags.length === 0
      ? null
      : { path: list.segments, holder: { before, after }, skipped: 0, differences: flags };
  }
  const holder = { before: from, after: to };
  return { path: list.segments, holder, skipped: 0, differences: listValueDifferences(from, to) };
}

/** Whether a manifest has a kind that the provider has no resource type for. */
function isCustomResource(type: string): boolean {
  return type.startsWith('kubernetes_') && findEffect(type, ['metadata']) === undefined;
}
