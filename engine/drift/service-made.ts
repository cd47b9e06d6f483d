/** What services create for themselves, and what is a part of something else: neither counts as undeclared. */
import type { JsonValue } from '../model/result.ts';
import { readPath } from './arguments/source-path.ts';
import data from './data/service-made.json' with { type: 'json' };
import { toTypeKey } from './type-rules.ts';
import type { CloudProvider, LiveResource } from './types.ts';

type Test = (found: JsonValue | undefined, expected: JsonValue) => boolean;

/** Names are compared without case, because clouds do. */
const TESTS: Readonly<Record<string, Test>> = {
  starts: (found, expected) => toText(found).startsWith(toText(expected)),
  ends: (found, expected) => toText(found).endsWith(toText(expected)),
  contains: (found, expected) => toText(found).includes(toText(expected)),
  equals: (found, expected) => found !== undefined && toText(found) === toText(expected),
  exists: (found) => found !== undefined && found !== '',
};

interface ServiceRule {
  subject: string;
  test: Test;
  expected: JsonValue;
  reason: string;
}

const rules = new Map<CloudProvider, Map<string, ServiceRule[]>>();

/** Why a service or the cloud itself created a resource, as part of a sentence; null if nothing says so. */
export function findServiceReason(live: LiveResource, provider: CloudProvider): string | null {
  let own = rules.get(provider);
  if (own === undefined) {
    own = indexRules(provider);
    rules.set(provider, own);
  }
  const of_type = own.get(toTypeKey(provider, live.provider_type)) ?? [];
  for (const candidates of [of_type, own.get('*') ?? []]) {
    for (const { subject, test, expected, reason } of candidates) {
      if (test(readSubject(live, subject), expected)) return reason;
    }
  }
  return null;
}

function indexRules(provider: CloudProvider): Map<string, ServiceRule[]> {
  const index = new Map<string, ServiceRule[]>();
  for (const [type, subject, name, expected, reason] of data[provider] as [
    string,
    string,
    string,
    JsonValue,
    string,
  ][]) {
    const test = TESTS[name];
    if (test === undefined) throw new Error(`There is no test named ${name}.`);
    const known = index.get(type) ?? [];
    known.push({ subject, test, expected, reason });
    index.set(type, known);
  }
  return index;
}

function readSubject(
  { provider_resource_id, name, tags, properties }: LiveResource,
  subject: string,
): JsonValue | undefined {
  if (subject === 'id') return provider_resource_id;
  if (subject === 'name') return name ?? provider_resource_id.slice(provider_resource_id.lastIndexOf('/') + 1);
  if (!subject.startsWith('tag:')) return properties === null ? undefined : readPath(properties, subject);
  const tag = subject.slice('tag:'.length);
  return Object.hasOwn(tags, tag) ? tags[tag] : undefined;
}

function toText(value: JsonValue | undefined): string {
  return value === undefined || value === null ? '' : String(value).toLowerCase();
}

const CHILDREN = new Map(Object.entries(data.children));

/** What of which a type is a part; undefined for objects of their own. */
export function findChildReason(provider_type: string): string | undefined {
  return CHILDREN.get(provider_type);
}

const CREATED_WITH: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(data.created_with));

/** IDs of objects that the cloud created together with a resource of a state. */
export function listCreatedWith(type: string, attributes: JsonValue): string[] {
  return (CREATED_WITH.get(type) ?? []).flatMap((path) => collectTexts(attributes, path.split('.')));
}

/** The texts at a path, through all items of lists. */
function collectTexts(value: JsonValue | undefined, path: readonly string[]): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => collectTexts(item, path));
  const [first, ...rest] = path;
  if (first === undefined) return typeof value === 'string' && value !== '' ? [value] : [];
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, first)) return [];
  return collectTexts(value[first], rest);
}
