import { createConcurrencyLimit } from '../../../lib/concurrency-limit.ts';
import { CloudError, type PermissionCheck } from '../types.ts';
import type { AskAws } from './api.ts';
import { readIndexedPage, readTaggedPage } from './arn-parts.ts';
import { readBucketPage } from './buckets.ts';
import { CALLS } from './calls.ts';
import { readResource } from './get-resource.ts';
import { listResources } from './list-resources.ts';
import { listEnabledRegions } from './regions.ts';
import { readIamPrefix } from './type-table.ts';

const CONCURRENCY = 4;
/** Types with few resources, one for each service whose permissions are checked. */
const PROBES =
  `AWS::EC2::VPC AWS::IAM::Group AWS::RDS::DBSubnetGroup AWS::Lambda::CodeSigningConfig AWS::DynamoDB::Table
  AWS::ECS::Cluster AWS::EKS::Cluster AWS::ElasticLoadBalancingV2::LoadBalancer AWS::KMS::Alias AWS::SQS::Queue
  AWS::SNS::Topic AWS::Logs::Destination AWS::CloudFront::KeyGroup AWS::Route53::HostedZone AWS::SecretsManager::Secret
  AWS::CloudWatch::Dashboard AWS::Events::EventBus AWS::ECR::Repository AWS::SSM::PatchBaseline`.split(/\s+/);
/** A name that no log group has, because AWS reserves the prefix. */
const NO_LOG_GROUP = '/aws/dpa-permission-check';

type Probe = { name: string; needed_for: string; attempt: () => Promise<unknown> };

/**
 * Which permissions are granted, by one harmless call for each. A service control policy can deny a call in other
 * regions, which only a scan shows.
 *
 * @param regions the global one, and one that is on
 */
export async function checkAwsPermissions(
  ask: AskAws,
  { partition, region }: { partition: string; region: string },
  signal: AbortSignal,
): Promise<PermissionCheck[]> {
  const limit = createConcurrencyLimit(CONCURRENCY);
  const probes = [...listOwnProbes(ask, { partition, region }, signal), ...listServiceProbes(ask, region, signal)];
  return Promise.all(probes.map((probe) => limit(() => check(probe))));
}

async function check({ name, needed_for, attempt }: Probe): Promise<PermissionCheck> {
  try {
    await attempt();
    return { name, needed_for, granted: true };
  } catch (error) {
    if (!(error instanceof CloudError) || error.fault.code === 'credential_error') throw error;
    return { name, needed_for, granted: error.fault.code !== 'access_denied' };
  }
}

function listOwnProbes(
  ask: AskAws,
  { partition, region }: { partition: string; region: string },
  signal: AbortSignal,
): Probe[] {
  const logs = { provider_type: 'AWS::Logs::LogGroup', provider_resource_id: NO_LOG_GROUP, region };
  const describe = ({ permissions, needed_for }: { permissions: readonly string[]; needed_for: string }) => ({
    name: permissions[0] ?? '',
    needed_for,
  });
  return [
    { ...describe(CALLS.list_regions), attempt: () => assertRegions(ask, partition, signal) },
    { ...describe(CALLS.list_buckets), attempt: () => readBucketPage(ask, region, null, signal) },
    { ...describe(CALLS.get_resource), attempt: () => readResource(ask, logs, signal) },
    { ...describe(CALLS.list_indexed), attempt: () => readIndexedPage(ask, region, null, signal) },
    { ...describe(CALLS.get_tagged), attempt: () => readTaggedPage(ask, region, null, signal) },
  ];
}

async function assertRegions(ask: AskAws, partition: string, signal: AbortSignal): Promise<void> {
  const { fault } = await listEnabledRegions(ask, partition, signal);
  if (fault !== null) throw new CloudError(fault);
}

function listServiceProbes(ask: AskAws, region: string, signal: AbortSignal): Probe[] {
  return PROBES.map((provider_type) => ({
    name: `${readIamPrefix(provider_type)}:List*`,
    needed_for: `Finding resources of ${provider_type.split('::')[1]}, together with cloudformation:ListResources.`,
    attempt: () => listResources(ask, { provider_type, region, part_region: region, token: null }, signal),
  }));
}
