/** Which live resources anyone on the internet can reach or read, by the rules that judge plans. */
import { createDocumentReader } from '../documents/reader.ts';
import type { DocumentParsers } from '../documents/types.ts';
import { isObject } from '../lib/is-object.ts';
import { compareLevels, isAtLeast } from '../model/levels.ts';
import type { JsonObject, JsonValue, LiveExposure, Reason, RiskLevel } from '../model/result.ts';
import { NO_RULES } from '../model/rule-book.ts';
import { createPlanFacts } from '../risk/facts.ts';
import { judge } from '../risk/judge.ts';
import { readPath } from './arguments/source-path.ts';
import { Differences } from './changes.ts';
import { describeNew, describeParts, toProviderName } from './describe-live.ts';
import { chooseType } from './new-type.ts';
import type { DriftAccount, LiveResource } from './types.ts';

export type ExposedAccount = Pick<DriftAccount, 'provider' | 'external_account_id'>;
export type Exposure = Pick<LiveExposure, 'rule_id' | 'message' | 'group_id'>;

/** The rules whose findings say that a resource is public, and from which level on. */
const PUBLIC_RULES: Readonly<Record<string, RiskLevel>> = {
  'R-NET-OPEN': 'medium',
  'R-DB-PUBLIC': 'high',
  'R-STO-PUBLIC': 'high',
  'R-K8S-PUBLICAPI': 'high',
};

/** A block of public access that is off opens nothing by itself. */
const GUARDS: ReadonlySet<string> = new Set([
  'aws_s3_bucket_public_access_block',
  'aws_s3_account_public_access_block',
]);

/** Where properties name the security groups that filter the traffic to the resource. */
const GROUP_PATHS: Readonly<Record<string, readonly string[]>> = {
  'AWS::EC2::Instance': ['SecurityGroupIds', 'NetworkInterfaces'],
  'AWS::EC2::NetworkInterface': ['GroupSet'],
  'AWS::ElasticLoadBalancingV2::LoadBalancer': ['SecurityGroups'],
  'AWS::RDS::DBInstance': ['VPCSecurityGroups'],
  'AWS::RDS::DBCluster': ['VpcSecurityGroupIds'],
  'AWS::ElastiCache::ReplicationGroup': ['SecurityGroupIds'],
};
const GROUP_TYPE = 'AWS::EC2::SecurityGroup';
const BUCKET_TYPE = 'AWS::S3::Bucket';
const POLICY_TYPE = 'AWS::S3::BucketPolicy';

/**
 * How each resource is exposed; those that are not, or whose properties the inventory does not show, are absent.
 *
 * @param resources of one account
 * @param neighbors security groups, buckets and bucket policies of the same account, which decide about others
 * @returns by `live_resource_id`
 */
export function findExposures(
  resources: readonly LiveResource[],
  { neighbors, account, parsers }: ExposureOptions,
): Map<string, Exposure> {
  const findOwn = createOwnExposure(account, parsers);
  const all = [...neighbors, ...resources];
  const byId = (type: string) => new Map(all.filter(({ provider_type }) => provider_type === type).map(toEntry));
  const [groups, buckets, policies] = [byId(GROUP_TYPE), byId(BUCKET_TYPE), byId(POLICY_TYPE)];

  function findNamed(live: LiveResource): Exposure | null {
    const { provider_type, provider_resource_id: id } = live;
    if (provider_type === POLICY_TYPE) return findOfPolicy(buckets.get(id));
    const own = findOwn(live) ?? findOfGroups(live);
    return own ?? (provider_type === BUCKET_TYPE ? findOfPolicy(live) : null);
  }

  function findOfGroups(live: LiveResource): Exposure | null {
    for (const id of listGroups(live)) {
      const group = groups.get(id);
      const open = group === undefined || group.region !== live.region ? null : findOwn(group);
      if (open !== null) return { ...open, group_id: id };
    }
    return null;
  }

  /** A policy opens a bucket only if the bucket is known not to ignore such policies. */
  function findOfPolicy(bucket: LiveResource | undefined): Exposure | null {
    if (bucket === undefined || bucket.properties === null) return null;
    const { provider_resource_id, properties } = bucket;
    if (readPath(properties, 'PublicAccessBlockConfiguration.RestrictPublicBuckets') !== false) return null;
    const policy = policies.get(provider_resource_id);
    return policy === undefined ? null : findOwn(policy);
  }

  return new Map(
    resources.flatMap((live): [string, Exposure][] => {
      const found = live.live_resource_id === undefined ? null : findNamed(live);
      return found === null ? [] : [[live.live_resource_id as string, found]];
    }),
  );
}

export interface ExposureOptions {
  neighbors: readonly LiveResource[];
  account: ExposedAccount;
  /** As in `AnalyzeOptions`. */
  parsers?: () => DocumentParsers | undefined;
}

/** Judges a resource as if a plan created it as it is. */
function createOwnExposure({ provider, external_account_id }: ExposedAccount, parsers: ExposureOptions['parsers']) {
  const documents = createDocumentReader(parsers);
  const differences = new Differences({ documents, book: NO_RULES, noise_key: undefined });
  const account: DriftAccount = { provider, external_account_id, parts: [], unread: [] };
  const { facts } = createPlanFacts([]);

  function judgeArguments(type: string, values: JsonObject): Reason[] {
    const named = { address: `${type}.live`, type, name: 'live', index: null, module_address: null, deposed: null };
    const { change, noise } = differences.toCreate({ ...named, provider_name: toProviderName(account) }, values);
    return judge(change, facts, noise, NO_RULES, documents).reasons;
  }

  return (live: LiveResource): Exposure | null => {
    if (live.properties === null) return null;
    const type = live.provider_type === POLICY_TYPE ? 'aws_s3_bucket_policy' : chooseType(live, provider);
    if (type === undefined) return null;
    const parts = describeParts(live, account).filter(([of_part]) => !GUARDS.has(of_part));
    const described: [string, JsonObject][] = [[type, describeNew(type, live, account)], ...parts];
    const [worst] = described
      .flatMap((one) => judgeArguments(...one))
      .filter(isPublic)
      .sort(compareSeverity);
    return worst === undefined ? null : { rule_id: worst.rule_id, message: worst.message, group_id: null };
  };
}

function isPublic({ rule_id, effect, level }: Reason): boolean {
  const least = Object.hasOwn(PUBLIC_RULES, rule_id) ? PUBLIC_RULES[rule_id] : undefined;
  return least !== undefined && effect === 'raise' && isAtLeast(level, least);
}

function compareSeverity(a: Reason, b: Reason): number {
  return compareLevels(b.level, a.level) || (a.rule_id < b.rule_id ? -1 : 1);
}

function listGroups({ provider_type, properties }: LiveResource): string[] {
  const paths = Object.hasOwn(GROUP_PATHS, provider_type) ? (GROUP_PATHS[provider_type] ?? []) : [];
  return properties === null ? [] : paths.flatMap((path) => listTexts(readPath(properties, path)));
}

/** Network interfaces list their groups one level deeper. */
function listTexts(value: JsonValue | undefined): string[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item) => {
    if (typeof item === 'string') return [item];
    const inner = isObject(item) ? item['GroupSet'] : undefined;
    return Array.isArray(inner) ? inner.filter((id) => typeof id === 'string') : [];
  });
}

function toEntry(live: LiveResource): [string, LiveResource] {
  return [live.provider_resource_id, live];
}
