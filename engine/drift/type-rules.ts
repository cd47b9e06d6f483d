/** Which objects of a cloud each Terraform type manages, and how its state names them. */
import data from './data/join.json' with { type: 'json' };
import { compileTemplates, type Template } from './templates.ts';
import type { CloudProvider } from './types.ts';

export interface JoinRule {
  type: string;
  provider: CloudProvider;
  /** Types of the cloud among which the object is, such as `AWS::S3::Bucket`. */
  cloud_types: readonly string[];
  /** The IDs that the cloud may use, in the notation of the cloud. */
  ids: readonly Template[];
  /** The resource describes a part of the object, such as the versioning of a bucket. */
  part: PartRule | null;
  /** IDs of this type were compared by hand with those of the cloud, so that an object without a match is missing. */
  is_proven: boolean;
}

export interface PartRule {
  /** Path of the part in the properties of the object; empty if no property shows it. */
  shown: string;
}

type Section = Readonly<Record<string, Readonly<Record<string, string>>>>;

let rules: Map<string, JoinRule> | undefined;
let managers: Map<string, string[]> | undefined;
let parts: Map<string, JoinRule[]> | undefined;

/** The rule of a Terraform type; undefined if there is none. */
export function findJoinRule(type: string): JoinRule | undefined {
  rules ??= buildRules();
  return rules.get(type);
}

/** Terraform types that manage objects of a type of the cloud; the first one is the usual one. Parts are not among them. */
export function listManagers(provider: CloudProvider, provider_type: string): readonly string[] {
  managers ??= buildManagers();
  return managers.get(toTypeKey(provider, provider_type)) ?? [];
}

/** Rules of the types that describe a part of an object of a type of the cloud. */
export function listPartRules(provider: CloudProvider, provider_type: string): JoinRule[] {
  parts ??= buildParts();
  return parts.get(toTypeKey(provider, provider_type)) ?? [];
}

/** Every Terraform type with a rule, sorted. */
export function listJoinTypes(): string[] {
  rules ??= buildRules();
  return [...rules.keys()].sort();
}

/** Types of Azure are compared without case. */
export function toTypeKey(provider: CloudProvider, provider_type: string): string {
  return provider === 'azure' ? provider_type.toLowerCase() : provider_type;
}

function buildRules(): Map<string, JoinRule> {
  const built = new Map<string, JoinRule>();
  addSection(built, data.aws, { provider: 'aws', is_proven: true });
  addSection(built, data.unproven_aws, { provider: 'aws', is_proven: false });
  addSection(built, data.gcp, { provider: 'gcp', is_proven: true });
  addSection(built, data.unproven_gcp, { provider: 'gcp', is_proven: false });
  for (const [cloud_type, types] of Object.entries(data.azure)) {
    for (const type of types.split(' '))
      add(built, type, { cloud_type, ids: 'id', provider: 'azure', is_proven: true });
  }
  for (const [type, [cloud_type = '', ids = '', shown = '']] of Object.entries(data.parts)) {
    const provider = type.startsWith('aws_') ? 'aws' : type.startsWith('azurerm_') ? 'azure' : 'gcp';
    add(built, type, { cloud_type: toFullType(provider, cloud_type), ids, provider, is_proven: true });
    built.get(type)!.part = { shown };
  }
  return built;
}

function addSection(
  built: Map<string, JoinRule>,
  section: Section,
  facts: { provider: CloudProvider; is_proven: boolean },
): void {
  for (const [name, types] of Object.entries(section)) {
    for (const [type, ids] of Object.entries(types))
      add(built, type, { ...facts, ids, cloud_type: toFullType(facts.provider, name) });
  }
}

function toFullType(provider: CloudProvider, name: string): string {
  return provider === 'aws' ? `AWS::${name.replace(/^AWS::/, '')}` : name;
}

interface Addition {
  cloud_type: string;
  ids: string;
  provider: CloudProvider;
  is_proven: boolean;
}

/** A type with several rows may be an object of any of those types. */
function add(built: Map<string, JoinRule>, type: string, { cloud_type, ids, provider, is_proven }: Addition): void {
  const known = built.get(type);
  if (known === undefined) {
    const rule = { type, provider, cloud_types: [cloud_type], ids: compileTemplates(ids), part: null, is_proven };
    built.set(type, rule);
  } else {
    known.cloud_types = [...known.cloud_types, cloud_type];
    known.ids = [...new Set([...known.ids, ...compileTemplates(ids)])];
  }
}

function buildManagers(): Map<string, string[]> {
  rules ??= buildRules();
  const built = new Map<string, string[]>();
  for (const { type, provider, cloud_types, part } of rules.values()) {
    if (part !== null) continue;
    for (const cloud_type of cloud_types) {
      const key = toTypeKey(provider, cloud_type);
      built.set(key, [...(built.get(key) ?? []), type]);
    }
  }
  return built;
}

function buildParts(): Map<string, JoinRule[]> {
  rules ??= buildRules();
  const built = new Map<string, JoinRule[]>();
  for (const rule of rules.values()) {
    if (rule.part === null) continue;
    for (const cloud_type of rule.cloud_types) {
      const key = toTypeKey(rule.provider, cloud_type);
      built.set(key, [...(built.get(key) ?? []), rule]);
    }
  }
  return built;
}
