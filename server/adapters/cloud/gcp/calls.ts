import type { CloudCall } from '../types.ts';

/**
 * Every call that a session makes. The roles, the documentation and the messages about missing permissions come from
 * this table.
 */
export const CALLS = {
  issue_token: {
    service: 'oauth2',
    operation: 'token',
    permissions: [],
    needed_for: 'Signing in with the key of a service account',
  },
  exchange_token: {
    service: 'sts',
    operation: 'token',
    permissions: [],
    needed_for: 'Signing in without a key: exchanges the token of this service for one of Google Cloud',
  },
  impersonate: {
    service: 'iamcredentials',
    operation: 'generateAccessToken',
    permissions: ['iam.serviceAccounts.getAccessToken'],
    needed_for: 'Signing in without a key: acts as the service account',
  },
  get_project: {
    service: 'cloudresourcemanager',
    operation: 'projects.get',
    permissions: ['resourcemanager.projects.get'],
    needed_for: 'Confirming that the credential belongs to this project',
  },
  test_permissions: {
    service: 'cloudresourcemanager',
    operation: 'projects.testIamPermissions',
    permissions: [],
    needed_for: 'Checking which permissions are granted',
  },
  search: {
    service: 'cloudasset',
    operation: 'searchAllResources',
    permissions: ['cloudasset.assets.searchAllResources'],
    needed_for: 'Listing the resources of the project with their properties',
  },
} as const satisfies Record<string, CloudCall>;

export type GcpCall = (typeof CALLS)[keyof typeof CALLS];
export type GcpService = GcpCall['service'];
