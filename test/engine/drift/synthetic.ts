/** A live resource for each mapped type, made from its mapping: a value at each place that the mapping reads. */
import type { BlockSpec, LeafSpec, Mapping, Spec } from '../../../engine/drift/arguments/mapping.ts';
import type { JsonObject, JsonValue } from '../../../engine/index.ts';

/** One leaf of a mapping, with the place in the properties that it reads. */
export interface Place {
  /** Names of arguments, from the outermost. */
  names: string[];
  /** Path in the properties. */
  path: string;
  spec: LeafSpec;
}

const FLAGS =
  /(?:^|_)(?:enabled?|encrypted|enable|disabled|internal|public|is|multi|monitoring|protection|proxy|locked|compress|publicly|protect|use|require|restrict|block|ignore|retain|requester|default_event|can_ip|local|https_only|deletion|allow|source_dest|azure_policy|zone_redundant|accelerated|ip_forwarding|ebs_optimized|disable|private_dns|content_based|fifo|raw|has|assign|map_public|copy_tags|storage_encrypted|include|performance_insights|auto_minor|private_ip_google|drop|bucket_key|scan_on_push|endpoint_(?:public|private)_access|autoresize|sftp|cookies|auto_repair|auto_upgrade)(?:_|$)/;
const NUMBERS =
  /(?:_size(?:_gb)?|_count|timeout|_seconds|_period|_periods|port|_days|_in_days|capacity|_limit|threshold|priority|iops|throughput|_interval|_percent|_duration|_minutes|_size_gb|_sec|mtu|days|size|attempts|_units|_cidr_count|_throughput_in_mibps|batch_size|tier_count|_ms|cooldown|max_age|noncurrent_days|expiration_time|nodes)$/;

/** Sample values by transform; the second one differs in what it means. */
const SAMPLES: Readonly<Record<string, readonly [JsonValue, JsonValue]>> = {
  number: ['5', '7'],
  json: [statement('s3:GetObject'), statement('s3:PutObject')],
  not: [true, false],
  enabled: ['Enabled', 'Disabled'],
  present: [{ StreamViewType: 'KEYS_ONLY' }, {}],
  last: ['projects/acme/things/one', 'projects/acme/things/two'],
  lower: ['one', 'two'],
  https: ['https://one.example.com', 'https://two.example.com'],
  first: [['one'], ['two']],
  words: ['AzureServices, Logging', 'AzureServices'],
  pairs: [[{ Key: 'stage', Value: 'one' }], [{ Key: 'stage', Value: 'two' }]],
  gigabytes: [2_147_483_648, 4_294_967_296],
  megabytes: [32, 64],
  ingress: ['all', 'internal'],
  rules: [[rule('10.0.0.0/8')], [rule('10.0.0.0/8'), rule('0.0.0.0/0')]],
};

function statement(action: string): JsonObject {
  const allow = { Effect: 'Allow', Action: action, Resource: 'arn:aws:s3:::acme/*' };
  return { Version: '2012-10-17', Statement: [allow] };
}

function rule(CidrIp: string): JsonObject {
  return { IpProtocol: 'tcp', FromPort: 443, ToPort: 443, CidrIp };
}

/** Values of one leaf: what the state holds, and another one. */
export function sample(name: string, { transforms }: LeafSpec): readonly [JsonValue, JsonValue] {
  const [first] = transforms;
  if (first?.startsWith('pluck:')) return [[{ [first.slice(6)]: 'one' }], [{ [first.slice(6)]: 'two' }]];
  if (first?.startsWith('is:')) return [first.slice(3), `not-${first.slice(3)}`];
  if (first?.startsWith('after:')) return ['Standard_LRS', 'Standard_GRS'];
  if (first !== undefined) return SAMPLES[first]!;
  if (/policy$|policy_document$|access_policies$/.test(name) && !name.startsWith('redrive')) return ['one', 'two'];
  if (NUMBERS.test(name)) return [5, 7];
  if (FLAGS.test(name)) return [true, false];
  if (
    /(?:s|_ids|_arns|_types|scopes|ranges|zones|identifier)$/.test(name) &&
    !/class|address|access|status|tls|basis|alias$/.test(name)
  )
    return [[`${name}-one`], [`${name}-one`, `${name}-two`]];
  return [`${name}-one`, `${name}-two`];
}

/** Every leaf of a mapping; a block is inside the first item of its list. */
export function listPlaces(mapping: Mapping, names: string[] = [], within = ''): Place[] {
  return [...mapping].flatMap(([name, spec]: [string, Spec]) => {
    if (spec.kind === 'leaf') return [{ names: [...names, name], path: join(within, spec.path), spec }];
    return listPlaces(spec.members, [...names, name], toBlockPath(within, spec));
  });
}

function toBlockPath(within: string, { kind, path }: BlockSpec): string {
  const inner = join(within, path);
  return kind === 'each' ? `${inner}[0]` : inner;
}

function join(within: string, path: string): string {
  if (path === '.') return within;
  return within === '' ? path : `${within}.${path}`;
}

/** Writes a value at a path, with the objects and lists that lead to it. */
export function writeAt(target: JsonObject, path: string, value: JsonValue): void {
  const steps = path.match(/[^.[\]]+(?:\.[^.[\]]+)*?(?=\.|\[|$)|\[[^\]]+\]/g) ?? [];
  let current: JsonValue = target;
  for (const [at, step] of steps.entries()) {
    const next = steps[at + 1];
    const empty = (): JsonValue => (next?.startsWith('[') ? [] : {});
    const is_last = at === steps.length - 1;
    if (step.startsWith('[')) current = stepIntoList(current as JsonValue[], step.slice(1, -1));
    else if (is_last) (current as JsonObject)[step] = value;
    else current = (current as JsonObject)[step] ??= empty();
    if (step.startsWith('[') && is_last) throw new Error(`${path} ends in a list`);
  }
}

function stepIntoList(list: JsonValue[], selector: string): JsonValue {
  const [key = '', expected] = selector.split('=');
  if (expected === undefined) {
    list[Number(key)] ??= {};
    return list[Number(key)] as JsonValue;
  }
  let found = list.find((item) => (item as JsonObject)[key] === expected);
  if (found === undefined) {
    found = { [key]: expected };
    list.push(found);
  }
  return found;
}

/** Properties with the first sample at each place. */
export function makeProperties(places: readonly Place[]): JsonObject {
  const properties: JsonObject = {};
  for (const { names, path, spec } of places) {
    if (path !== '') writeAt(properties, path, structuredClone(sample(String(names.at(-1)), spec)[0]));
  }
  return properties;
}
