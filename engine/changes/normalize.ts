import { isObject } from '../lib/is-object.ts';
import type { AttributeDiff, JsonValue, OutputChange } from '../model/result.ts';
import { PlanError, SEND_UNMODIFIED } from '../plan/errors.ts';
import type { RawChange, RawResourceChange } from '../plan/types.ts';
import { nameAction } from './actions.ts';
import { diffValues } from './diff.ts';
import type { PathTemplate } from './path-template.ts';
import { readProvider } from './provider.ts';
import type { ResourceChange } from './types.ts';
import { holdsMark, isContainer, readMember } from './values.ts';

/** Attributes in which providers store the ID of an object, most specific first. */
const ID_ATTRIBUTES = ['arn', 'self_link', 'id'] as const;
const NO_DIFFS = new Set(['no-op', 'import', 'move', 'forget']);

/**
 * Normalizes one entry of `resource_changes` or `resource_drift` to the form that every rule reads.
 *
 * A forget, no-op, import or move does not change the object, so it has no diffs.
 *
 * @param raw the parsed entry; members that are not required may be missing or invalid
 * @param template root of the templates of all paths; a new one by default
 * @throws PlanError `invalid_plan_json` when type, name, `change` or its actions are missing
 */
export function normalizeChange(raw: RawResourceChange, template?: PathTemplate): ResourceChange {
  assertEntry(raw);
  const { change } = raw;
  const importing = readImporting(change.importing);
  const previous_address = textOrNull(raw.previous_address);
  const { action, action_label } = nameAction(change.actions, importing !== null, previous_address !== null);
  const { provider, provider_name } = readProvider(raw.provider_name, raw.type);
  const result: ResourceChange = {
    address: textOrNull(raw.address) ?? buildAddress(raw),
    previous_address,
    module_address: textOrNull(raw.module_address),
    mode: raw.mode === 'data' ? 'data' : 'managed',
    type: raw.type,
    name: raw.name,
    index: typeof raw.index === 'string' || typeof raw.index === 'number' ? raw.index : null,
    deposed: textOrNull(raw.deposed),
    provider,
    provider_name,
    actions: change.actions,
    action,
    action_label,
    action_reason: textOrNull(raw.action_reason),
    replace_paths: readPaths(change.replace_paths),
    importing,
    object_ids: listObjectIds(change.before),
    before: isObject(change.before) ? change.before : null,
    after: isObject(change.after) ? change.after : null,
    unknown: change.after_unknown,
    before_sensitive: change.before_sensitive,
    after_sensitive: change.after_sensitive,
    diffs: [] as AttributeDiff[],
  };
  if (!NO_DIFFS.has(result.action)) result.diffs = diffValues(result, template);
  return result;
}

/**
 * Normalizes one entry of `output_changes`. Its values are raw.
 *
 * @param name the key of the entry
 * @returns `sensitive` is true when any part of either side is marked; `after` is null when it is unknown as a whole
 * @throws PlanError `invalid_plan_json` when the entry has no list of actions
 */
export function normalizeOutput(name: string, raw: RawChange): OutputChange {
  assertChange(raw, `Output "${name}"`);
  const unknown = raw.after_unknown;
  return {
    name,
    action: nameAction(raw.actions, false, false).action,
    before: raw.before ?? null,
    after: unknown === true ? null : (raw.after ?? null),
    sensitive: holdsMark(raw.before_sensitive) || holdsMark(raw.after_sensitive),
    after_unknown: holdsMark(unknown),
  };
}

function assertEntry(raw: RawResourceChange): void {
  if (!isObject(raw as unknown as JsonValue))
    throw new PlanError(`An entry of resource_changes is not an object. ${SEND_UNMODIFIED}`);
  const what = typeof raw.address === 'string' ? `Resource change "${raw.address}"` : 'A resource change';
  for (const member of ['type', 'name'] as const) {
    if (typeof raw[member] !== 'string' || raw[member] === '')
      throw new PlanError(`${what} has no ${member}. ${SEND_UNMODIFIED}`);
  }
  assertChange(raw.change, what);
}

function assertChange(change: RawChange | undefined, what: string): asserts change is RawChange {
  if (!isObject(change as unknown as JsonValue))
    throw new PlanError(`${what} has no member "change". ${SEND_UNMODIFIED}`);
  const actions: unknown = change?.actions;
  if (!Array.isArray(actions) || actions.length === 0 || actions.some((action) => typeof action !== 'string')) {
    throw new PlanError(`${what} has no list of actions. ${SEND_UNMODIFIED}`);
  }
}

/** Builds the address from its parts, because early versions of Terraform 1.0 omit it in `resource_drift`. */
function buildAddress({ module_address, mode, type, name, index }: RawResourceChange): string {
  const prefix = textOrNull(module_address);
  const key = typeof index === 'string' || typeof index === 'number' ? `[${JSON.stringify(index)}]` : '';
  return `${prefix === null ? '' : `${prefix}.`}${mode === 'data' ? 'data.' : ''}${type}.${name}${key}`;
}

/** Kept apart from `before`, which is released early. */
function listObjectIds(before: JsonValue | undefined): string[] {
  if (!isObject(before)) return [];
  const ids = ID_ATTRIBUTES.map((name) => readMember(before, name));
  return [...new Set(ids.filter((id) => typeof id === 'string'))];
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function readPaths(paths: unknown): (string | number)[][] {
  if (!Array.isArray(paths)) return [];
  return paths.filter((path) => Array.isArray(path) && path.every(isSegment));
}

function isSegment(segment: unknown): boolean {
  return typeof segment === 'string' || typeof segment === 'number';
}

/** Reads the import id: an id or, in newer versions, several identity attributes; empty when unknown until apply. */
function readImporting(importing: RawChange['importing']): { id: string } | null {
  if (importing === null || !isContainer(importing as JsonValue | undefined)) return null;
  if (typeof importing?.id === 'string') return { id: importing.id };
  const { identity } = importing as { identity?: JsonValue };
  if (!isObject(identity)) return { id: '' };
  return {
    id: Object.keys(identity)
      .map((key) => `${key}=${String(readMember(identity, key))}`)
      .join(','),
  };
}
