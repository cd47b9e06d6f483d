import { scrubText } from '../../redact/scrub-text.ts';
import { scrubTags } from '../scrub.ts';
import type { ListedResource } from '../types.ts';
import { ARN_TYPES } from './data/arn-types.ts';

/** The parts of `arn:partition:service:region:account:type/name` or `…:type:name`. */
export interface ArnParts {
  /** Null for global resources. */
  region: string | null;
  /** Null where the ARN has none, such as that of a bucket. */
  account_id: string | null;
  /** Service and resource type, such as `ec2:vpc`; the service alone if the ARN has no type. */
  type: string;
  name: string;
}

/** @returns undefined if the text is not an ARN */
export function parseArn(arn: string): ArnParts | undefined {
  const [prefix, , service = '', region = '', account_id = '', ...rest] = arn.split(':');
  if (prefix !== 'arn' || service === '' || rest.length === 0) return undefined;
  const resource = rest.join(':');
  const at = resource.search(/[:/]/);
  return {
    region: region === '' ? null : region,
    account_id: /^\d{12}$/.test(account_id) ? account_id : null,
    type: at < 0 ? service : `${service}:${resource.slice(0, at)}`,
    name: resource.slice(at + 1),
  };
}

/** The type of an ARN of `ARN_TYPES`; undefined for types that Cloud Control lists, and for unknown ones. */
export function findIndexedType(arn: string): string | undefined {
  const parts = parseArn(arn);
  if (parts === undefined) return undefined;
  const { type, name } = parts;
  // Load balancers of the newer kinds have the same type in their ARN, and their kind before the name.
  if (type === 'elasticloadbalancing:loadbalancer' && name.includes('/')) return undefined;
  return Object.hasOwn(ARN_TYPES, type) ? ARN_TYPES[type] : undefined;
}

interface ArnDescription {
  arn: string;
  provider_type: string;
  region: string | null;
  tags: Readonly<Record<string, string>>;
}

/** A resource of which only the ARN and the tags are known. */
export function toArnResource({ arn, provider_type, region, tags }: ArnDescription): ListedResource {
  return {
    provider_resource_id: arn,
    provider_type,
    region,
    name: scrubText(tags.Name ?? parseArn(arn)?.name ?? arn),
    tags: scrubTags(tags),
    aliases: [],
    properties: null,
  };
}
