import { SignJWT } from 'jose';
import { createGcpAdapter, type GcpDeps } from '../../../../server/adapters/cloud/gcp/index.ts';
import type { CloudCredentials, CloudSession, SignToken } from '../../../../server/adapters/cloud/types.ts';
import { createGuardedFetch } from '../../../../server/adapters/egress/index.ts';
import { type FakeGoogle, PROJECT_ID } from '../../../fakes/cloud/gcp/index.ts';
import { createVirtualTime } from '../../../fakes/cloud/virtual-time.ts';

export interface GcpOptions extends Partial<GcpDeps> {
  credentials?: CloudCredentials;
  project_id?: string;
  regions?: string[];
}

/** The adapter, connected to a fake. Waits of the throttle take no time. */
export function connectGcp(google: FakeGoogle, deps: Partial<GcpDeps> = {}) {
  return createGcpAdapter({
    fetch: createGuardedFetch({ allowed_hosts: [new URL(google.url).host] }),
    signToken: signTokens(google),
    endpoints: google.endpoints,
    throttle: createVirtualTime(),
    ...deps,
  });
}

export function openGcp(google: FakeGoogle, options: GcpOptions = {}): CloudSession {
  const { credentials, project_id = PROJECT_ID, regions = [], ...deps } = options;
  return connectGcp(google, deps).open({
    provider: 'gcp',
    external_account_id: project_id,
    credentials: credentials ?? useKey(google),
    regions,
    token_subject: google.pool.subject,
  });
}

export function useKey(google: FakeGoogle, changes: Record<string, unknown> = {}): CloudCredentials {
  return { credential_type: 'gcp_service_account_key', service_account_json: google.keyFile(changes) };
}

export function federated(google: FakeGoogle, changes: { audience?: string; email?: string } = {}): CloudCredentials {
  const { audience = google.pool.provider, email = google.service_account.email } = changes;
  return { credential_type: 'gcp_workload_identity', audience, service_account_email: email };
}

/** Signs as the service does: ES256, valid for ten minutes. */
export function signTokens(google: FakeGoogle, now = () => new Date(), issuer = google.pool.issuer): SignToken {
  return ({ subject, audience }) => {
    const issued_at = Math.floor(now().getTime() / 1_000);
    return new SignJWT({})
      .setProtectedHeader({ alg: 'ES256' })
      .setIssuer(issuer)
      .setSubject(subject)
      .setAudience(audience)
      .setIssuedAt(issued_at)
      .setExpirationTime(issued_at + 600)
      .sign(google.pool.private_key);
  };
}

/** A search result, as Cloud Asset shows a bucket. */
export function bucket(name: string, changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    name: `//storage.googleapis.com/${name}`,
    assetType: 'storage.googleapis.com/Bucket',
    project: 'projects/481516234200',
    displayName: name,
    location: 'europe-west1',
    labels: { team: 'shop' },
    versionedResources: [{ version: 'v1', resource: { id: name, storageClass: 'STANDARD', versioning: {} } }],
    ...changes,
  };
}

export function buckets(count: number): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, index) => bucket(`bucket-${String(index).padStart(6, '0')}`));
}
