import { isObject } from '../../lib/is-object.ts';
import type { JsonObject, JsonValue } from '../../model/result.ts';
import type { Header, ReadRow } from '../rows.ts';
import type { ListedResource } from '../types.ts';
import { parseArn, toArnResource } from './arns.ts';
import { ARN_TYPES } from './data/arn-types.ts';
import { LISTED_ARN_TYPES } from './data/listed-arn-types.ts';
import { findGlobalTypeRegion } from './global-types.ts';
import { parseAwsProperties, readTagPairs, toAwsResource } from './resource.ts';

/**
 * One resource of Cloud Control. Only `get-resource` shows all properties; a listing shows those that the list handler of
 * the type returns, which may be the identifier alone.
 *
 * @see https://docs.aws.amazon.com/cloudcontrolapi/latest/APIReference/API_ResourceDescription.html
 */
export function readDescription(row: JsonObject, header: Header, is_complete = false): ReadRow | undefined {
  const [provider_type, identifier, properties] = [header.get('TypeName'), row.Identifier, row.Properties];
  if (!isText(provider_type) || !isText(identifier)) return undefined;
  const text = isText(properties) ? properties : isObject(properties) ? JSON.stringify(properties) : undefined;
  if (text !== undefined && parseAwsProperties(text) === undefined) return undefined;
  const found = toAwsResource({ provider_type, region: readText(header.get('Region')), identifier, properties: text });
  const arn = findArn(found);
  return {
    provider: 'aws',
    format: is_complete ? 'aws_get_resource' : 'aws_list_resources',
    resource: { ...found, region: isAllRegions(provider_type) ? null : (found.region ?? arn?.region ?? null) },
    is_complete: is_complete && found.properties !== null,
    account_id: arn?.account_id ?? readText(header.get('AccountId')),
  };
}

/** Types with one list for all regions: a listing in any region shows all of them. */
export function isAllRegions(provider_type: string): boolean {
  return provider_type === 'AWS::S3::Bucket' || findGlobalTypeRegion(provider_type) !== null;
}

/** @see https://docs.aws.amazon.com/resource-explorer/latest/apireference/API_Resource.html */
export function readExplorerRow({ Arn, Region, ResourceType, OwningAccountId, Properties }: JsonObject) {
  const tags = (Array.isArray(Properties) ? Properties : []).filter(isObject).find(({ Name }) => Name === 'tags');
  const place = { region: readText(Region), type: readText(ResourceType), account_id: readText(OwningAccountId) };
  return readArnRow('aws_resource_explorer', Arn, { ...place, tags: readTagPairs(tags?.Data) });
}

/** @see https://docs.aws.amazon.com/resourcegroupstagging/latest/APIReference/API_ResourceTagMapping.html */
export function readTaggedRow({ ResourceARN, Tags }: JsonObject): ReadRow | undefined {
  return readArnRow('aws_tagged_resources', ResourceARN, { tags: readTagPairs(Tags) });
}

/**
 * A result of a query in AWS Config. Its `configuration` has the form of the service's own API, so that only the
 * existence, the ARN and the tags are used.
 *
 * @see https://docs.aws.amazon.com/config/latest/APIReference/API_SelectResourceConfig.html
 */
export function readConfigRow({ arn, resourceId, resourceType, awsRegion, accountId, tags }: JsonObject) {
  const place = { region: readText(awsRegion), account_id: readText(accountId), tags: readTagPairs(tags) };
  const row = readArnRow('aws_config_query', arn ?? resourceId, place);
  const provider_type = readText(resourceType);
  if (row === undefined || provider_type === null) return undefined;
  const aliases = isText(resourceId) && resourceId !== arn ? [...new Set([...row.resource.aliases, resourceId])] : [];
  return { ...row, resource: { ...row.resource, provider_type, aliases } };
}

interface ArnRow {
  region?: string | null;
  /** Service and resource type, such as `ec2:vpc`. */
  type?: string | null;
  account_id?: string | null;
  tags: [string, string][];
}

function readArnRow(format: ReadRow['format'], arn: JsonValue | undefined, given: ArnRow): ReadRow | undefined {
  if (!isText(arn)) return undefined;
  const parts = parseArn(arn);
  if (parts === undefined && format !== 'aws_config_query') return undefined;
  const type = given.type ?? parts?.type ?? '';
  const known = LISTED_ARN_TYPES[type];
  const region = given.region ?? parts?.region ?? null;
  const resource = toArnResource({
    arn,
    provider_type: known ?? ARN_TYPES[type] ?? type,
    region: region === 'global' ? null : region,
    tags: Object.fromEntries(given.tags),
  });
  const name = parts?.name ?? '';
  return {
    provider: 'aws',
    format,
    resource: { ...resource, aliases: known === undefined || name === '' ? [] : [name] },
    is_complete: false,
    account_id: given.account_id ?? parts?.account_id ?? null,
  };
}

function findArn({ provider_resource_id, aliases }: ListedResource) {
  const arn = [provider_resource_id, ...aliases].find((one) => one.startsWith('arn:'));
  return arn === undefined ? undefined : parseArn(arn);
}

function readText(value: JsonValue | undefined): string | null {
  return isText(value) ? value : null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
