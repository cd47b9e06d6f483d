import type { AskCloud } from '../rest/api.ts';
import { CloudError, type CloudTarget, type PermissionCheck } from '../types.ts';
import { CALLS, type GcpCall } from './calls.ts';
import { describeGcpRoles } from './roles.ts';

export interface PermissionScope {
  ask: AskCloud<GcpCall>;
  target: CloudTarget;
  /** Such as `projects/my-project`. */
  project: string;
}

/** The declared permissions, and whether the Cloud Asset API can be used, which permissions do not show. */
export async function checkGcpPermissions(scope: PermissionScope, signal: AbortSignal): Promise<PermissionCheck[]> {
  const granted = await listGranted(scope, signal);
  const is_federated = scope.target.credentials.credential_type === 'gcp_workload_identity';
  const checks = Object.values(CALLS).flatMap((call) => {
    const is_impersonation = call === CALLS.impersonate;
    if (is_impersonation && !is_federated) return [];
    // Without the permission to impersonate, there would be no token.
    const isGranted = (name: string) => is_impersonation || granted.has(name);
    return call.permissions.map((name) => ({ name, granted: isGranted(name), needed_for: call.needed_for }));
  });
  return [...checks, await checkApi(scope, signal)];
}

async function listGranted({ ask, project }: PermissionScope, signal: AbortSignal): Promise<Set<unknown>> {
  const body = { permissions: [...describeGcpRoles().permissions] };
  const { permissions } = await ask(CALLS.test_permissions, {
    path: `/v3/${project}:testIamPermissions`,
    body,
    signal,
  });
  return new Set(Array.isArray(permissions) ? permissions : []);
}

async function checkApi({ ask, project }: PermissionScope, signal: AbortSignal): Promise<PermissionCheck> {
  const check = {
    name: 'cloudasset.googleapis.com',
    needed_for: 'The API that lists resources, enabled and with billing',
  };
  try {
    await ask(CALLS.search, { path: `/v1/${project}:searchAllResources?pageSize=1&readMask=name`, signal });
    return { ...check, granted: true };
  } catch (error) {
    if (!(error instanceof CloudError) || error.fault.code !== 'access_denied') throw error;
    // A refusal that names a permission comes from an API that is enabled.
    return { ...check, granted: error.fault.permission !== null };
  }
}
