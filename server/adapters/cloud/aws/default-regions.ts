/** Regions that are on in every account of the partition `aws`; the others have to be enabled. */
const DEFAULT_REGIONS = `us-east-1 us-east-2 us-west-1 us-west-2 ca-central-1 sa-east-1 eu-west-1 eu-west-2 eu-west-3
  eu-central-1 eu-north-1 ap-northeast-1 ap-northeast-2 ap-northeast-3 ap-south-1 ap-southeast-1 ap-southeast-2`.split(
  /\s+/,
);
const PARTITIONS: Readonly<Record<string, readonly string[]>> = {
  aws: DEFAULT_REGIONS,
  'aws-cn': ['cn-north-1', 'cn-northwest-1'],
  'aws-us-gov': ['us-gov-west-1', 'us-gov-east-1'],
};

/** Whether a region of the partition `aws` is off until the account enables it. */
export function isOptInRegion(region: string | null): boolean {
  return region !== null && findPartition(region) === 'aws' && !DEFAULT_REGIONS.includes(region);
}

export function findPartition(region: string): string {
  if (region.startsWith('cn-')) return 'aws-cn';
  return region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws';
}

export function listDefaultRegions(partition: string): readonly string[] {
  return PARTITIONS[partition] ?? DEFAULT_REGIONS;
}

/** The region that answers for services without regions: the given one, or the first of another partition. */
export function findGlobalRegion(partition: string, region = 'us-east-1'): string {
  return partition === 'aws' ? region : (PARTITIONS[partition]?.[0] ?? region);
}
