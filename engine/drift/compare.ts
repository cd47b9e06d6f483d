/** Compares a resource of a state with the object of the cloud, argument by argument. */
import { isObject } from '../lib/is-object.ts';
import type { JsonObject, JsonValue } from '../model/result.ts';
import { findMapping, type LeafSpec, type Mapping, type Spec } from './arguments/mapping.ts';
import { build, type Overlaid, overlay, type Source } from './arguments/overlay.ts';
import { isNothing } from './arguments/same-value.ts';
import {
  keepFound,
  readBlocks,
  readLive,
  readRuleResource,
  readSeparateRules,
  toComparedBlocks,
} from './arguments/security-group-rules.ts';
import { readPath } from './arguments/source-path.ts';
import { type ComparedTags, compareTags } from './arguments/tags.ts';
import { isHidden, isOmitted, isWithheld } from './arguments/withheld.ts';
import { explainUnmapped } from './attribute-kinds.ts';
import type { Separates } from './separate.ts';
import { compileTemplates } from './templates.ts';
import type { JoinRule } from './type-rules.ts';
import type { LiveResource, Uncompared } from './types.ts';

/** The values of a resource of a state, as far as comparing needs them. */
export interface HeldValues {
  attributes: JsonObject;
  identifiers: Readonly<Record<string, string>>;
}

export interface Comparison {
  /** Both sides with all attributes; null if nothing differs. */
  sides: { before: JsonObject; after: JsonObject } | null;
  compared: number;
  /** The attributes that were not compared, by reason. */
  uncompared: readonly Missed[];
}

export interface Missed {
  reason: Uncompared;
  /** Names of attributes. */
  names: string[];
}

/** `gone`: the object exists, but not the part of it that the resource describes. `not_shown`: the part is not known. */
export type Found = { source: Source } | 'gone' | 'not_shown';

/** What the cloud shows about a resource of a state: all of an object, or the part that it describes. */
export function findSource(rule: JoinRule, values: HeldValues, live: LiveResource): Found {
  const { properties, is_complete } = live;
  if (rule.part === null) return { source: { properties: properties ?? undefined, is_complete } };
  const { shown } = rule.part;
  if (rule.type === GROUP_RULE) return findRuleOfGroup(values, live);
  if (shown === '') return 'not_shown';
  const path = fillPath(shown, values);
  const found = path === null || properties === null ? undefined : readPath(properties, path);
  if (isHidden(found)) return 'not_shown';
  if (found !== undefined) return { source: { properties: found, is_complete } };
  if (path === null || properties === null) return 'not_shown';
  const list = shown.endsWith(']') ? readPath(properties, shown.slice(0, shown.lastIndexOf('['))) : undefined;
  return is_complete || list !== undefined ? 'gone' : 'not_shown';
}

const GROUP_RULE = 'aws_security_group_rule';

/** Such a rule has no ID in the cloud: it is there if the group has a rule for each of its sources. */
function findRuleOfGroup({ attributes }: HeldValues, { properties, provider_resource_id }: LiveResource): Found {
  const name = attributes['type'] === 'egress' ? 'SecurityGroupEgress' : 'SecurityGroupIngress';
  const shown = properties === null ? undefined : readPath(properties, name);
  if (shown === undefined || isOmitted(shown) || isHidden(shown)) return 'not_shown';
  const rules = readRuleResource(attributes);
  const kept = keepFound(rules, readLive(shown, provider_resource_id), provider_resource_id);
  return kept.length === rules.length ? { source: { properties: undefined, is_complete: false } } : 'gone';
}

function fillPath(shown: string, { attributes, identifiers }: HeldValues): string | null {
  if (!shown.includes('{')) return shown;
  // Dots and brackets of values stay inside of the brackets of the path.
  return compileTemplates(shown)[0]?.(attributes, identifiers) ?? null;
}

export function compareValues(
  type: string,
  values: HeldValues,
  found: { live: LiveResource; source: Source; provider: JoinRule['provider']; is_part: boolean },
  separates: Separates,
): Comparison {
  const { attributes } = values;
  const { live, source, is_part } = found;
  const mapping = findMapping(type);
  const result = new Result(attributes);
  const tags = is_part ? undefined : compareTags(attributes, live, found.provider);
  for (const name of Object.keys(attributes)) {
    if (name === tags?.attribute) continue;
    const held = attributes[name]!;
    const spec = mapping?.get(name);
    if (spec === undefined) {
      if (!isNothing(held)) result.miss(name, explainUncompared(type, name, is_part));
      continue;
    }
    const { before, value, outcome } = compareArgument(type, name, { held, spec, values, source, live }, separates);
    if (outcome === 'compared') result.add(name, before, value);
    else if (!isNothing(held)) result.miss(name, outcome);
  }
  if (tags !== undefined) result.addTags(tags);
  return result.finish();
}

/** Collects what differs. Most resources are the same, so both sides are copied only for the others. */
class Result {
  private readonly attributes: JsonObject;
  private readonly differing: [name: string, before: JsonValue, after: JsonValue][] = [];
  /** There are few reasons, so that a list is smaller than a map and as fast. */
  private readonly uncompared: Missed[] = [];
  private mirrors: readonly string[] = [];
  private compared = 0;

  constructor(attributes: JsonObject) {
    this.attributes = attributes;
  }

  add(name: string, before: JsonValue, after: JsonValue): void {
    this.compared += 1;
    if (before !== after) this.differing.push([name, before, after]);
  }

  addTags({ attribute, sides, mirrors }: ComparedTags): void {
    this.compared += 1;
    if (sides === null) return;
    this.differing.push([attribute, sides.before, sides.after]);
    this.mirrors = mirrors;
  }

  miss(name: string, reason: Uncompared): void {
    const known = this.uncompared.find((missed) => missed.reason === reason);
    if (known === undefined) this.uncompared.push({ reason, names: [name] });
    else known.names.push(name);
  }

  finish(): Comparison {
    const { compared, uncompared } = this;
    return { sides: this.differing.length === 0 ? null : this.toSides(), compared, uncompared };
  }

  private toSides(): { before: JsonObject; after: JsonObject } {
    const before: JsonObject = { ...this.attributes };
    const after: JsonObject = { ...this.attributes };
    for (const [name, was, is] of this.differing) {
      before[name] = was;
      after[name] = is;
    }
    for (const mirror of this.mirrors) for (const side of [before, after]) delete side[mirror];
    return { before, after };
  }
}

/** Tags that the inventory does not show, and attributes without a mapping. */
function explainUncompared(type: string, name: string, is_part: boolean): Uncompared {
  if (!is_part && (name === 'tags' || name === 'labels')) return 'not_shown';
  return explainUnmapped(type, name);
}

interface Argument {
  held: JsonValue;
  spec: Spec;
  values: HeldValues;
  source: Source;
  live: LiveResource;
}

function compareArgument(
  type: string,
  name: string,
  argument: Argument,
  separates: Separates,
): Overlaid & { before: JsonValue } {
  const { held, spec, values, source } = argument;
  const others = separates.find(type, name, values);
  if (spec.kind === 'leaf' && spec.transforms.includes('rules')) return compareRules(spec, argument, others);
  if (others === undefined) return { ...overlay(held, spec, source), before: held };
  const added = findAdded(spec, others, source);
  if (added === null) return { value: held, before: held, outcome: 'separate' };
  if (added.length === 0) return { value: held, before: held, outcome: 'compared' };
  return { value: [...others, ...added], before: [...others], outcome: 'compared' };
}

/**
 * What the cloud has besides the items that resources of their own manage: those are compared by themselves.
 *
 * @returns null if the inventory does not show it
 */
function findAdded(spec: Spec, others: readonly JsonValue[], { properties, is_complete }: Source): JsonValue[] | null {
  const shown = readPath(properties, spec.path);
  if (!Array.isArray(shown) || isWithheld(shown)) return null;
  if (spec.kind === 'leaf') return shown.filter((item) => !others.includes(item));
  const key = spec.key ?? 'name';
  const known = new Set(others.filter(isObject).map((item) => String(item[key]).toLowerCase()));
  const built = shown.map((item) => build(spec.members, { properties: item, is_complete }));
  return built.filter((item) => !known.has(String(item[key]).toLowerCase()));
}

/** Rules of a security group: those of the block, or what is there besides the resources that manage them instead. */
function compareRules(
  spec: LeafSpec,
  { held, source, live }: Argument,
  others: readonly JsonValue[] | undefined,
): Overlaid & { before: JsonValue } {
  const shown = readPath(source.properties, spec.path) ?? (source.is_complete ? [] : undefined);
  if (shown === undefined || isHidden(shown) || isOmitted(shown))
    return { value: held, before: held, outcome: others === undefined ? 'not_shown' : 'separate' };
  const id = live.provider_resource_id;
  const found = readLive(shown, id);
  const expected = others === undefined ? readBlocks(held) : keepFound(readSeparateRules(others), found, id);
  const { before, after } = toComparedBlocks(expected, found, id);
  const is_same = before.length === after.length && before.every((block, at) => block === after[at]);
  if (is_same) return { value: held, before: held, outcome: 'compared' };
  return { value: after, before, outcome: 'compared' };
}

/** The arguments of an object that no state holds, as far as the cloud shows them. */
export function buildArguments(mapping: Mapping, source: Source, id: string): JsonObject {
  const built = build(mapping, source);
  for (const [name, spec] of mapping) {
    if (spec.kind === 'leaf' && spec.transforms.includes('rules') && built[name] !== undefined)
      built[name] = toComparedBlocks([], readLive(built[name], id), id).after;
  }
  return built;
}
