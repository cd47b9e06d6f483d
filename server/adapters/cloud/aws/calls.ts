import type { CloudCall } from '../types.ts';
import { READ_ACTIONS } from './data/services.ts';
import { READABLE_TYPES, readIamPrefix } from './type-table.ts';

/** Cloud Control lists resources with the caller's own permissions for the service of each type. */
const HANDLER_ACTIONS = listHandlerActions();

/** Every call that a session makes. The policy, the permission checks and the documentation are generated from it. */
export const CALLS = {
  get_caller_identity: {
    service: 'sts',
    operation: 'GetCallerIdentity',
    permissions: [],
    needed_for: 'Checking which account the credential belongs to. Every credential may do this.',
  },
  assume_role: {
    service: 'sts',
    operation: 'AssumeRole',
    permissions: [],
    needed_for: 'Getting short-lived keys of a role. The trust policy of the role allows it.',
  },
  assume_role_with_web_identity: {
    service: 'sts',
    operation: 'AssumeRoleWithWebIdentity',
    permissions: [],
    needed_for: 'Getting short-lived keys of a role without a stored key. The trust policy of the role allows it.',
  },
  list_regions: {
    service: 'account',
    operation: 'ListRegions',
    permissions: ['account:ListRegions'],
    needed_for: 'Reading the regions that are enabled in the account, instead of only those that are on by default.',
  },
  list_buckets: {
    service: 's3',
    operation: 'ListBuckets',
    permissions: ['s3:ListAllMyBuckets'],
    needed_for: 'Finding S3 buckets and their regions.',
  },
  list_resources: {
    service: 'cloudcontrolapi',
    operation: 'ListResources',
    permissions: ['cloudformation:ListResources', ...HANDLER_ACTIONS.list],
    needed_for: 'Finding the resources of each type and region.',
  },
  get_resource: {
    service: 'cloudcontrolapi',
    operation: 'GetResource',
    permissions: ['cloudformation:GetResource', ...HANDLER_ACTIONS.read],
    needed_for: 'Reading all properties of a resource.',
  },
  list_indexes: {
    service: 'resource-explorer-2',
    operation: 'ListIndexes',
    permissions: ['resource-explorer-2:ListIndexes'],
    needed_for: 'Finding the regions that Resource Explorer indexes.',
  },
  list_indexed: {
    service: 'resource-explorer-2',
    operation: 'ListResources',
    permissions: ['resource-explorer-2:ListResources'],
    needed_for: 'Finding resources of types that Cloud Control does not list, where Resource Explorer is on.',
  },
  get_tagged: {
    service: 'tagging',
    operation: 'GetResources',
    permissions: ['tag:GetResources'],
    needed_for: 'Finding tagged resources of types that Cloud Control does not list.',
  },
} as const satisfies Record<string, CloudCall>;

function listHandlerActions(): { list: string[]; read: string[] } {
  const prefixes = [...new Set(READABLE_TYPES.map(({ provider_type }) => readIamPrefix(provider_type)))].sort();
  return {
    list: prefixes.flatMap((prefix) => [`${prefix}:Describe*`, `${prefix}:List*`]),
    read: Object.entries(READ_ACTIONS).flatMap(([prefix, actions]) => actions.map((action) => `${prefix}:${action}`)),
  };
}
