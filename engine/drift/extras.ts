/** Sorts live resources that no state names: undeclared ones, and those that do not count, with the reason. */

import { capitalize } from '../lib/capitalize.ts';
import { readPath } from './arguments/source-path.ts';
import { normalizeName } from './identifiers.ts';
import { findChildReason, findServiceReason } from './service-made.ts';
import { listManagers, toTypeKey } from './type-rules.ts';
import type { Apart, DriftAccount, LiveResource } from './types.ts';

export interface ExtraFacts {
  account: DriftAccount;
  /** Names of objects that the cloud created together with a resource of a state, and its address. */
  created_with: ReadonlyMap<string, string>;
  /** Types of the cloud of which a state has resources that could not be found with certainty. */
  unsettled_types: ReadonlySet<string>;
  /** Security groups whose rules the states hold as resources, and the inventory does not show with the group. */
  open_groups: ReadonlySet<string>;
  default_vpcs: DefaultVpcs;
}

type Verdict = Pick<Apart, 'code' | 'reason'>;

const EXAMPLES = 5;

/** @param apart receives the resources that do not count. @returns the undeclared ones */
export function sortExtras(extras: readonly LiveResource[], facts: ExtraFacts, apart: ApartGroups): LiveResource[] {
  return extras.filter((live) => {
    const verdict = explainApart(live, facts) ?? explainDefaultVpc(live, facts.default_vpcs);
    if (verdict !== null) apart.add(live, verdict);
    return verdict === null;
  });
}

/** Groups resources that do not count by reason and type. */
export class ApartGroups {
  count = 0;
  private readonly groups = new Map<string, Apart>();

  add(
    { provider_type, provider_resource_id }: Pick<LiveResource, 'provider_type' | 'provider_resource_id'>,
    verdict: Verdict,
  ): void {
    this.count += 1;
    const key = JSON.stringify([verdict.code, provider_type, verdict.reason]);
    const group = this.groups.get(key) ?? { ...verdict, provider_type, count: 0, examples: [] };
    group.count += 1;
    group.examples = [...group.examples, provider_resource_id].sort().slice(0, EXAMPLES);
    this.groups.set(key, group);
  }

  list(): Apart[] {
    return [...this.groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
  }
}

function explainApart(live: LiveResource, facts: ExtraFacts): Verdict | null {
  const { account, created_with, unsettled_types, open_groups } = facts;
  const { provider_type, provider_resource_id, aliases } = live;
  const { provider } = account;
  const service = findServiceReason(live, provider);
  if (service !== null) return { code: 'service', reason: `${capitalize(service)}.` };
  for (const name of [provider_resource_id, ...aliases]) {
    const parent = created_with.get(normalizeName(name, account));
    if (parent !== undefined) return { code: 'service', reason: `Created together with ${parent}.` };
  }
  const child = findChildReason(provider_type);
  if (child !== undefined && !isOpenRule(live, open_groups)) return { code: 'child', reason: `${capitalize(child)}.` };
  const managers = listManagers(provider, provider_type);
  if (managers.length === 0)
    return { code: 'unknown_type', reason: 'No rule says which Terraform type manages this type.' };
  if (unsettled_types.has(toTypeKey(provider, provider_type)))
    return {
      code: 'unproven_rule',
      reason: 'A state has resources of this type whose IDs could not be compared with certainty.',
    };
  return null;
}

/** A rule of a group whose rules are resources of their own is undeclared if no state has it. */
function isOpenRule({ properties }: LiveResource, open_groups: ReadonlySet<string>): boolean {
  const group = properties === null ? undefined : readPath(properties, 'GroupId');
  return typeof group === 'string' && open_groups.has(group);
}

/** The default VPCs of an account, whether a state names them or not. */
export class DefaultVpcs {
  private readonly ids = new Set<string>();
  private readonly regions = new Set<string>();

  observe(live: LiveResource): void {
    if (!isDefaultVpc(live)) return;
    this.ids.add(live.provider_resource_id);
    if (live.region !== null) this.regions.add(live.region);
  }

  /** Whether a resource came with a default VPC. */
  includes({ provider_type, properties, tags, region }: LiveResource): boolean {
    const vpc = properties?.['VpcId'];
    if (typeof vpc === 'string' && this.ids.has(vpc) && DEFAULT_PARTS.has(provider_type)) return true;
    return ONE_PER_REGION.has(provider_type) && Object.keys(tags).length === 0 && this.regions.has(region ?? '');
  }
}

const DEFAULT_PARTS: ReadonlySet<string> = new Set([
  'AWS::EC2::Subnet',
  'AWS::EC2::RouteTable',
  'AWS::EC2::NetworkAcl',
]);
const DEFAULT_RANGE = '172.31.0.0/16';
/** Each region with a default VPC has one of each, which nothing connects with the VPC in a listing. */
const ONE_PER_REGION: ReadonlySet<string> = new Set(['AWS::EC2::InternetGateway', 'AWS::EC2::DHCPOptions']);

/** Listings do not always say which VPC is the default one; it has this range, and nobody named it. */
function isDefaultVpc({ provider_type, properties, tags }: LiveResource): boolean {
  if (provider_type !== 'AWS::EC2::VPC' || properties === null) return false;
  return (
    properties['IsDefault'] === true || (properties['CidrBlock'] === DEFAULT_RANGE && Object.keys(tags).length === 0)
  );
}

function explainDefaultVpc(live: LiveResource, defaults: DefaultVpcs): Verdict | null {
  if (isDefaultVpc(live)) return { code: 'service', reason: 'The default VPC, which AWS creates in each region.' };
  return defaults.includes(live) ? { code: 'service', reason: 'A part of the default VPC.' } : null;
}
