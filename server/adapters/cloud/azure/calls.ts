import type { CloudCall } from '../types.ts';

/**
 * Every call that a session makes. The role, the documentation and the messages about missing permissions come from
 * this table.
 */
export const CALLS = {
  issue_token: {
    service: 'login',
    operation: 'token',
    permissions: [],
    needed_for: 'Signing in as the application',
  },
  get_subscription: {
    service: 'management',
    operation: 'subscriptions.get',
    permissions: ['Microsoft.Resources/subscriptions/read'],
    needed_for: 'Confirming that the credential belongs to this subscription',
  },
  list_permissions: {
    service: 'management',
    operation: 'permissions.list',
    permissions: ['Microsoft.Authorization/permissions/read'],
    needed_for: 'Checking which permissions are granted',
  },
  query: {
    service: 'resourcegraph',
    operation: 'resources',
    permissions: ['*/read'],
    needed_for:
      'Listing resources with their properties; without it, Resource Graph leaves resources out without an error',
  },
} as const satisfies Record<string, CloudCall>;
