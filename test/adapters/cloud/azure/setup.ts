import { generateKeyPairSync } from 'node:crypto';
import { SignJWT } from 'jose';
import { type AzureDeps, createAzureAdapter } from '../../../../server/adapters/cloud/azure/index.ts';
import type { CloudCredentials, CloudSession, SignToken } from '../../../../server/adapters/cloud/types.ts';
import { createGuardedFetch } from '../../../../server/adapters/egress/index.ts';
import { type FakeAzure, SUBSCRIPTION_ID, TENANT_ID } from '../../../fakes/cloud/azure/index.ts';
import { createVirtualTime } from '../../../fakes/cloud/virtual-time.ts';

export interface AzureOptions extends Partial<AzureDeps> {
  credentials?: CloudCredentials;
  subscription_id?: string;
  regions?: string[];
}

/** The adapter, connected to a fake. Waits of throttle and quota take no time. */
export function connectAzure(azure: FakeAzure, deps: Partial<AzureDeps> = {}) {
  const time = createVirtualTime();
  return createAzureAdapter({
    fetch: createGuardedFetch({ allowed_hosts: [new URL(azure.url).host] }),
    signToken: signTokens(azure),
    endpoints: azure.endpoints,
    throttle: time,
    quota: time,
    ...deps,
  });
}

export function openAzure(azure: FakeAzure, options: AzureOptions = {}): CloudSession {
  const { credentials = useSecret(azure), subscription_id = SUBSCRIPTION_ID, regions = [], ...deps } = options;
  return connectAzure(azure, deps).open({
    provider: 'azure',
    external_account_id: subscription_id,
    credentials,
    regions,
    token_subject: azure.application.federated.subject,
  });
}

export function useSecret({ application }: FakeAzure, changes: Record<string, string> = {}): CloudCredentials {
  const { client_id, client_secret } = application;
  return { credential_type: 'azure_client_secret', tenant_id: TENANT_ID, client_id, client_secret, ...changes };
}

export function federated({ application }: FakeAzure): CloudCredentials {
  return { credential_type: 'azure_federated', tenant_id: TENANT_ID, client_id: application.client_id };
}

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** Signs as the service does, for ten minutes: with ES256 unless the cloud needs another algorithm. */
export function signTokens(azure: FakeAzure, changes: { now?: () => Date; issuer?: string } = {}): SignToken {
  const { federated: trusted } = azure.application;
  const { now = () => new Date(), issuer = trusted.issuer } = changes;
  return ({ subject, audience, algorithm }) => {
    const issued_at = Math.floor(now().getTime() / 1_000);
    return new SignJWT({})
      .setProtectedHeader({ alg: algorithm ?? 'ES256' })
      .setIssuer(issuer)
      .setSubject(subject)
      .setAudience(audience)
      .setIssuedAt(issued_at)
      .setNotBefore(issued_at)
      .setExpirationTime(issued_at + 600)
      .sign(algorithm === undefined ? ec.privateKey : trusted.private_key);
  };
}

/** A row of the table `resources`, as Resource Graph shows a storage account. */
export function storage(name: string, changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: `/subscriptions/${SUBSCRIPTION_ID}/resourceGroups/RG-Shop/providers/Microsoft.Storage/storageAccounts/${name}`,
    name,
    type: 'microsoft.storage/storageaccounts',
    tenantId: TENANT_ID,
    kind: 'StorageV2',
    location: 'westeurope',
    resourceGroup: 'rg-shop',
    subscriptionId: SUBSCRIPTION_ID,
    managedBy: '',
    sku: { name: 'Standard_LRS', tier: 'Standard' },
    plan: null,
    properties: { minimumTlsVersion: 'TLS1_2', supportsHttpsTrafficOnly: true },
    tags: { team: 'shop' },
    identity: null,
    zones: null,
    extendedLocation: null,
    ...changes,
  };
}

export function storages(count: number): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, index) => storage(`shop${String(index).padStart(6, '0')}`));
}
