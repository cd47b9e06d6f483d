import { CALLS } from './calls.ts';

/** The predefined role that grants the permissions of a service on a project. */
const ROLE_BY_SERVICE: Readonly<Record<string, string>> = {
  cloudasset: 'roles/cloudasset.viewer',
  resourcemanager: 'roles/viewer',
};

/** What a customer has to grant. Generated from the calls of the scanner. */
export interface GcpRoles {
  /** Predefined roles on the project. */
  roles: readonly string[];
  /** The exact permissions on the project, for a custom role instead of the predefined roles. */
  permissions: readonly string[];
  /** APIs to enable in the project of the service account. */
  apis: readonly string[];
  /** With workload identity: what the federated subject needs on the service account. */
  impersonation: { role: string; permissions: readonly string[]; apis: readonly string[] };
}

/** Permissions that are checked on the service account, not on the project. */
function isOnServiceAccount(permission: string): boolean {
  return permission.startsWith('iam.serviceAccounts.');
}

export function describeGcpRoles(): GcpRoles {
  const every: string[] = Object.values(CALLS).flatMap(({ permissions }) => [...permissions]);
  const permissions = every.filter((permission) => !isOnServiceAccount(permission)).sort();
  return {
    roles: permissions.map(findRole),
    permissions,
    apis: ['cloudasset.googleapis.com', 'cloudresourcemanager.googleapis.com'],
    impersonation: {
      role: 'roles/iam.workloadIdentityUser',
      permissions: every.filter(isOnServiceAccount),
      apis: ['iam.googleapis.com', 'iamcredentials.googleapis.com', 'sts.googleapis.com'],
    },
  };
}

function findRole(permission: string): string {
  const role = ROLE_BY_SERVICE[permission.split('.')[0] ?? ''];
  if (role === undefined) throw new Error(`no predefined role is known for ${permission}`);
  return role;
}
