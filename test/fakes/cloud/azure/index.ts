import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { type Operation, type RestCall, type RestReply, type RestServer, startRestServer } from '../rest-server.ts';
import { armError, notAuthorized } from './errors.ts';
import { queryResources } from './graph.ts';
import { issueToken } from './tokens.ts';

/** The parts of Azure that the adapter calls, for one subscription. */
export interface FakeAzure extends RestServer {
  endpoints: { login: string; management: string };
  /** Azure's clock. */
  now(): Date;
  tenant_id: string;
  subscription: { id: string; tenant_id: string; managing_tenants: string[]; state: string };
  application: {
    client_id: string;
    client_secret: string;
    secret_expired: boolean;
    revoked: boolean;
    federated: { issuer: string; subject: string; public_key: KeyObject; private_key: KeyObject };
  };
  /** Permissions of the application on the subscription; empty if it has no role. */
  roles: { actions: string[]; notActions: string[] }[];
  /** Rows of each table. */
  tables: Record<string, Record<string, unknown>[]>;
  /** Makes results incomplete without a skip token. */
  cuts_results: boolean;
  /** Increment to make all skip tokens invalid. */
  token_generation: number;
  /** Queries that are left in this window; undefined if there is no limit. */
  quota_remaining: number | undefined;
  grant(): string;
  isGranted(authorization: string | undefined): boolean;
  /** Makes all tokens invalid, and the application with `for_good`. */
  revoke(for_good: boolean): void;
}

export const SUBSCRIPTION_ID = '0b1f6471-1bf0-4dda-aec3-111122223333';
export const TENANT_ID = '72f988bf-86f1-41af-91ab-2d7cd0111111';
const CLIENT_ID = '11111111-2222-4333-8444-555555555555';
const READER = { actions: ['*/read'], notActions: [], dataActions: [], notDataActions: [] };

const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 });

export async function startAzure({ now = () => new Date() } = {}): Promise<FakeAzure> {
  const server = await startRestServer((call) => findOperation(azure, call));
  const tokens = new Set<string>();
  const azure: FakeAzure = Object.assign(server, {
    endpoints: { login: `${server.url}/login`, management: `${server.url}/management` },
    now,
    tenant_id: TENANT_ID,
    subscription: { id: SUBSCRIPTION_ID, tenant_id: TENANT_ID, managing_tenants: [], state: 'Enabled' },
    application: {
      client_id: CLIENT_ID,
      client_secret: 'canary~8Q~secret-value',
      secret_expired: false,
      revoked: false,
      federated: {
        issuer: 'https://dpa.example.com',
        subject: 'deployment:test:org:1',
        public_key: rsa.publicKey,
        private_key: rsa.privateKey,
      },
    },
    roles: [READER],
    tables: {
      resources: [],
      resourcecontainers: [],
      authorizationresources: [],
      policyresources: [],
      dnsresources: [],
    },
    cuts_results: false,
    token_generation: 0,
    quota_remaining: undefined,
    grant() {
      const token = `eyJ0canary-${tokens.size}`;
      tokens.add(token);
      return token;
    },
    isGranted: (authorization: string | undefined) => tokens.has(authorization?.replace('Bearer ', '') ?? ''),
    revoke(for_good: boolean) {
      tokens.clear();
      azure.application.revoked = for_good;
    },
  });
  return azure;
}

function findOperation(azure: FakeAzure, { method, path }: RestCall): Operation | undefined {
  const guarded = (name: string, answer: (call: RestCall) => RestReply): Operation => ({
    name,
    answer: (call) => refuse(azure, call) ?? answer(call),
  });
  if (method === 'POST' && /^\/login\/[^/]+\/oauth2\/v2\.0\/token$/.test(path)) {
    return { name: 'login token', answer: (call) => issueToken(azure, call) };
  }
  if (method === 'GET' && /^\/management\/subscriptions\/[^/]+$/.test(path)) {
    return guarded('management subscriptions.get', (call) => getSubscription(azure, call));
  }
  if (method === 'GET' && /^\/management\/subscriptions\/[^/]+\/providers\/Microsoft.Authorization\/perm/.test(path)) {
    return guarded('management permissions.list', (call) => listPermissions(azure, call));
  }
  if (method === 'POST' && path === '/management/providers/Microsoft.ResourceGraph/resources') {
    return guarded('resourcegraph resources', (call) => queryResources(azure, call));
  }
  return undefined;
}

function refuse(azure: FakeAzure, { headers, query }: RestCall): RestReply | undefined {
  if (!azure.isGranted(headers.authorization)) {
    return armError(401, 'InvalidAuthenticationToken', 'The access token is invalid.');
  }
  if (query.get('api-version') === null) {
    return armError(400, 'MissingApiVersionParameter', 'The api-version query parameter (?api-version=) is required.');
  }
  return undefined;
}

function refuseSubscription({ subscription, tenant_id, roles }: FakeAzure, path: string): RestReply | undefined {
  const id = path.split('/')[3];
  const is_here = subscription.tenant_id === tenant_id || subscription.managing_tenants.includes(tenant_id);
  if (id !== subscription.id || (is_here && roles.length === 0)) {
    return armError(404, 'SubscriptionNotFound', `The subscription '${id}' could not be found.`);
  }
  if (is_here) return undefined;
  const text = `The access token is from the wrong issuer 'https://sts.windows.net/${tenant_id}/'. It must match the tenant 'https://sts.windows.net/${subscription.tenant_id}/' associated with this subscription.`;
  return armError(401, 'InvalidAuthenticationTokenTenant', text);
}

function getSubscription(azure: FakeAzure, { path }: RestCall): RestReply {
  const { id, tenant_id, managing_tenants, state } = azure.subscription;
  const refusal = refuseSubscription(azure, path);
  if (refusal !== undefined) return refusal;
  return {
    status: 200,
    body: {
      id: `/subscriptions/${id}`,
      authorizationSource: 'RoleBased',
      managedByTenants: managing_tenants.map((tenantId) => ({ tenantId })),
      subscriptionId: id,
      tenantId: tenant_id,
      displayName: 'Shop',
      state,
      subscriptionPolicies: { locationPlacementId: 'Public_2014-09-01', spendingLimit: 'Off' },
    },
  };
}

function listPermissions(azure: FakeAzure, { path }: RestCall): RestReply {
  const { roles } = azure;
  const refusal = refuseSubscription(azure, path);
  if (refusal !== undefined) return refusal;
  const action = 'Microsoft.Authorization/permissions/read';
  const is_allowed = roles.some(({ actions }) => actions.some((one) => ['*', '*/read', action].includes(one)));
  if (!is_allowed) return notAuthorized(action, `/subscriptions/${azure.subscription.id}`);
  return { status: 200, body: { value: roles } };
}
