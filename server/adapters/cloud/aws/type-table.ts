import { findGlobalTypeRegion } from '../../../../engine/inventory/index.ts';
import { LISTED_TYPES } from './data/listed-types.ts';
import { PARENTS, VARIANTS } from './data/parents.ts';
import { IAM_PREFIXES } from './data/services.ts';
import { CHILD_TYPES, UNKNOWN_TYPES } from './data/unlisted-types.ts';

/** How the resources of a type are listed. */
export type Listing =
  | { kind: 'plain' }
  /** Once for each resource of the parent, with its identifier as `property`. */
  | { kind: 'parent'; parent: string; property: string }
  /** Once for each value of `property`. */
  | { kind: 'variants'; property: string; values: readonly string[]; global?: string };

export interface ReadableType {
  provider_type: string;
  listing: Listing;
  /** The region that answers for a service without regions; null if each region has its own list. */
  global_region: string | null;
}

export interface UnreadableType {
  provider_type: string;
  reason: 'needs_parent' | 'not_listed';
}

/** Buckets of all regions are in one list, which the S3 API gives with their regions. */
export const BUCKET_TYPE = 'AWS::S3::Bucket';

const FIRST_SERVICES =
  `IAM EC2 S3 RDS Lambda DynamoDB ECS EKS ElasticLoadBalancingV2 KMS SQS SNS Logs CloudFront Route53 SecretsManager`.split(
    ' ',
  );

/** Types that are read one by one, most used services first: what a scan reads before it is interrupted matters most. */
export const READABLE_TYPES: readonly ReadableType[] = listReadableTypes();

/** Types that are not read, or only partly; a scan reports them as not checked. */
export const UNREADABLE_TYPES: readonly UnreadableType[] = [
  ...parseTypes(CHILD_TYPES)
    .filter((type) => !isReadable(type))
    .map((provider_type) => ({ provider_type, reason: 'needs_parent' as const })),
  ...parseTypes(UNKNOWN_TYPES).map((provider_type) => ({ provider_type, reason: 'not_listed' as const })),
];

/** The service of a type in type names, such as `EC2`. */
export function readService(provider_type: string): string {
  return provider_type.split('::')[1] ?? '';
}

/** The prefix of the IAM actions of a type, such as `ec2`. */
export function readIamPrefix(provider_type: string): string {
  const service = readService(provider_type);
  return IAM_PREFIXES[service] ?? service.toLowerCase();
}

function listReadableTypes(): ReadableType[] {
  const names = [...parseTypes(LISTED_TYPES), ...parseTypes(CHILD_TYPES).filter(isReadable)];
  const types = names.filter((name) => name !== BUCKET_TYPE).map(describeType);
  return types.sort((a, b) => rank(a) - rank(b));
}

function describeType(provider_type: string): ReadableType {
  return { provider_type, global_region: findGlobalTypeRegion(provider_type), listing: findListing(provider_type) };
}

function findListing(provider_type: string): Listing {
  const variants = VARIANTS[provider_type];
  if (variants !== undefined) return { kind: 'variants', ...variants };
  const parent = PARENTS[provider_type];
  return parent === undefined ? { kind: 'plain' } : { kind: 'parent', parent: parent[0], property: parent[1] };
}

function isReadable(provider_type: string): boolean {
  return Object.hasOwn(PARENTS, provider_type) || Object.hasOwn(VARIANTS, provider_type);
}

function rank({ provider_type }: ReadableType): number {
  const place = FIRST_SERVICES.indexOf(readService(provider_type));
  return place < 0 ? FIRST_SERVICES.length : place;
}

/** @param text lines of a service, a colon and the names of its types; a service may continue on the next line */
function parseTypes(text: string): string[] {
  let service = '';
  const types: string[] = [];
  for (const word of text.split(/\s+/)) {
    if (word.endsWith(':')) service = word.slice(0, -1);
    else if (word !== '') types.push(`AWS::${service}::${word}`);
  }
  return types;
}
