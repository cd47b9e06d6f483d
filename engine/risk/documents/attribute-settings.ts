/**
 * Judges settings that Terraform itself has as a map or as a list of names and values: environment variables, Helm
 * `set` blocks, parameters of databases, annotations, and custom resources of Kubernetes.
 */

import { type MaybeJson, readMember } from '../../changes/values.ts';
import { listValueDifferences } from '../../documents/differences.ts';
import { toNamedValues } from '../../documents/lists.ts';
import type { DocumentDifference } from '../../documents/types.ts';
import { findEffect } from '../../effects/index.ts';
import { isObject } from '../../lib/is-object.ts';
import type { AttributeDiff } from '../../model/result.ts';
import type { Subject } from '../attributes/subject.ts';
import { reportSettings, toSetting } from './report.ts';
import { judgeSetting } from './settings.ts';

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
  const is_custom = isCustomResource(subject.type);
  const groups = new Map<string, { path: Path; differences: DocumentDifference[] }>();
  let count = 0;
  for (const diff of subject.change.diffs.slice(0, MAX_LEAVES)) {
    if (diff.after_unknown || diff.same !== undefined || count >= MAX_SETTINGS) continue;
    const found = findSetting(subject, diff, is_custom);
    if (found === null) continue;
    count += 1;
    const key = found.path.join('\n');
    const group = groups.get(key);
    if (group === undefined) groups.set(key, found);
    else if (!found.is_list) group.differences.push(...found.differences);
  }
  for (const { path, differences } of groups.values()) {
    reportSettings(subject, path, differences, (difference) => judgeSetting(toSetting(difference)));
  }
}

interface Found {
  path: Path;
  differences: DocumentDifference[];
  /** All differences of a list are found with its first diff. */
  is_list: boolean;
}

function findSetting(subject: Subject, diff: AttributeDiff, is_custom: boolean): Found | null {
  const path = diff.path_segments;
  const list = findNamedList(subject, path);
  if (list !== null) return list;
  if (isDocument(diff.before) || isDocument(diff.after)) return null;
  const at = path.findIndex((segment, depth) => depth < path.length - 1 && MAPS.has(String(segment)));
  if (at < 0 && !is_custom) return null;
  const { before, after } = diff;
  return {
    path,
    is_list: false,
    differences: [{ path: path.slice(Math.max(0, at)), before: before ?? undefined, after: after ?? undefined }],
  };
}

function isDocument(value: MaybeJson): boolean {
  return typeof value === 'string' && value.length > MAX_VALUE_CHARS;
}

/** The innermost list of names and values that contains a changed value. */
function findNamedList(subject: Subject, path: Path): Found | null {
  const end = path.findLastIndex((segment) => typeof segment === 'number');
  const list = end < 0 ? path : path.slice(0, end);
  const [before, after] = [readAt(subject.before, list), readAt(subject.after, list)];
  if (!Array.isArray(before) || !Array.isArray(after) || before.length + after.length === 0) return null;
  const [from, to] = [toNamedValues(before), toNamedValues(after)];
  if (from === null || to === null) return null;
  return { path: list, is_list: true, differences: listValueDifferences(from, to) };
}

function readAt(side: MaybeJson, path: Path): MaybeJson {
  let at: MaybeJson = side;
  for (const segment of path) {
    at = Array.isArray(at) ? at[Number(segment)] : isObject(at) ? readMember(at, String(segment)) : undefined;
  }
  return at;
}

/** Whether a manifest has a kind that the provider has no resource type for. */
function isCustomResource(type: string): boolean {
  return type.startsWith('kubernetes_') && findEffect(type, ['metadata']) === undefined;
}
