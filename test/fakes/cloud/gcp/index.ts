import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { type Operation, type RestCall, type RestReply, type RestServer, startRestServer } from '../rest-server.ts';
import { apiDisabled, apiError, permissionDenied, UNAUTHENTICATED } from './errors.ts';
import { searchAllResources } from './search.ts';
import { exchangeToken, impersonate, issueToken } from './tokens.ts';

/** The parts of Google Cloud that the adapter calls, for one project. */
export interface FakeGoogle extends RestServer {
  endpoints: Record<'oauth2' | 'sts' | 'iamcredentials' | 'cloudresourcemanager' | 'cloudasset', string>;
  /** Google's clock. */
  now(): Date;
  project: { project_id: string; number: string; state: string };
  service_account: { email: string; revoked: boolean; impersonable: boolean };
  key: { private_pem: string; public_key: KeyObject };
  /** The workload identity provider, and the issuer and subject that it trusts. */
  pool: { provider: string; issuer: string; subject: string; public_key: KeyObject; private_key: KeyObject };
  /** Permissions of the service account on the project. */
  permissions: Set<string>;
  enabled_apis: Set<string>;
  /** `ResourceSearchResult`s of the project. */
  resources: Record<string, unknown>[];
  /** Increment to make all page tokens expire. */
  token_generation: number;
  /** A new token. */
  grant(kind?: 'federated'): string;
  isGranted(authorization: string | undefined, kind?: 'federated'): boolean;
  /** Makes all tokens invalid, and the key with `for_good`. */
  revoke(for_good: boolean): void;
  /** The key file that the console offers for download. */
  keyFile(changes?: Record<string, unknown>): string;
}

export const PROJECT_ID = 'shop-production';
const NUMBER = '481516234200';
const EMAIL = `dpa-reader@${PROJECT_ID}.iam.gserviceaccount.com`;

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });

export async function startGoogle({ now = () => new Date() } = {}): Promise<FakeGoogle> {
  const server = await startRestServer((call) => findOperation(google, call));
  const tokens = new Map<string, string | undefined>();
  const google: FakeGoogle = Object.assign(server, {
    endpoints: {
      oauth2: `${server.url}/oauth2`,
      sts: `${server.url}/sts`,
      iamcredentials: `${server.url}/iamcredentials`,
      cloudresourcemanager: `${server.url}/cloudresourcemanager`,
      cloudasset: `${server.url}/cloudasset`,
    },
    now,
    project: { project_id: PROJECT_ID, number: NUMBER, state: 'ACTIVE' },
    service_account: { email: EMAIL, revoked: false, impersonable: true },
    key: {
      private_pem: rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
      public_key: rsa.publicKey,
    },
    pool: {
      provider: `//iam.googleapis.com/projects/${NUMBER}/locations/global/workloadIdentityPools/dpa-pool/providers/dpa-main`,
      issuer: 'https://dpa.example.com',
      subject: 'deployment:test:org:1',
      public_key: ec.publicKey,
      private_key: ec.privateKey,
    },
    permissions: new Set(['cloudasset.assets.searchAllResources', 'resourcemanager.projects.get']),
    enabled_apis: new Set(['cloudasset', 'cloudresourcemanager']),
    resources: [],
    token_generation: 0,
    grant(kind?: 'federated') {
      const token = `ya29.canary-${kind ?? 'access'}-${tokens.size}`;
      tokens.set(token, kind);
      return token;
    },
    isGranted(authorization: string | undefined, kind?: 'federated') {
      const token = authorization?.replace('Bearer ', '') ?? '';
      return tokens.has(token) && tokens.get(token) === kind;
    },
    revoke(for_good: boolean) {
      tokens.clear();
      google.service_account.revoked = for_good;
    },
    keyFile(changes = {}) {
      const { email: client_email } = google.service_account;
      const token_uri = 'https://oauth2.googleapis.com/token';
      const key = {
        type: 'service_account',
        project_id: PROJECT_ID,
        private_key_id: 'a1b2c3',
        client_email,
        token_uri,
      };
      return JSON.stringify({ ...key, private_key: google.key.private_pem, ...changes });
    },
  });
  return google;
}

function findOperation(google: FakeGoogle, { method, path }: RestCall): Operation | undefined {
  const [, service = '', ...rest] = path.split('/');
  const route = `${method} /${rest.join('/')}`;
  const named = (operation: string, answer: Operation['answer']) => ({ name: `${service} ${operation}`, answer });
  const guarded = (operation: string, answer: (call: RestCall) => RestReply) =>
    named(operation, (call) => refuse(google, service, call) ?? answer(call));
  if (service === 'oauth2' && route === 'POST /token') return named('token', (call) => issueToken(google, call));
  if (service === 'sts' && route === 'POST /v1/token') return named('token', (call) => exchangeToken(google, call));
  if (service === 'iamcredentials' && /^POST \/v1\/projects\/-\/serviceAccounts\/[^/]+:generate/.test(route)) {
    return named('generateAccessToken', (call) => impersonate(google, call));
  }
  if (service === 'cloudresourcemanager' && /^GET \/v3\/projects\/[^/:]+$/.test(route)) {
    return guarded('projects.get', (call) => getProject(google, call));
  }
  if (service === 'cloudresourcemanager' && /^POST \/v3\/projects\/[^/]+:testIamPermissions$/.test(route)) {
    return guarded('projects.testIamPermissions', (call) => testPermissions(google, call));
  }
  if (service === 'cloudasset' && /^GET \/v1\/projects\/[^/]+:searchAllResources$/.test(route)) {
    return guarded('searchAllResources', (call) => searchAllResources(google, call));
  }
  return undefined;
}

function refuse(google: FakeGoogle, service: string, { headers }: RestCall): RestReply | undefined {
  if (!google.isGranted(headers.authorization)) return UNAUTHENTICATED;
  if (!google.enabled_apis.has(service)) return apiDisabled(`${service}.googleapis.com`, google.project.number);
  return undefined;
}

function getProject({ project, permissions }: FakeGoogle, { path }: RestCall): RestReply {
  const id = path.split('/').at(-1);
  const is_visible = permissions.has('resourcemanager.projects.get') && id === project.project_id;
  if (!is_visible) {
    return permissionDenied('resourcemanager.projects.get', `//cloudresourcemanager.googleapis.com/projects/${id}`);
  }
  return {
    status: 200,
    body: {
      name: `projects/${project.number}`,
      parent: 'organizations/1054311078602',
      projectId: project.project_id,
      state: project.state,
      displayName: 'Shop',
      createTime: '2024-03-11T09:12:44.812Z',
      etag: 'W/"9f0b7f6b1a2c3d4e"',
    },
  };
}

function testPermissions({ permissions }: FakeGoogle, { body }: RestCall): RestReply {
  const asked = body['permissions'];
  if (!Array.isArray(asked)) return apiError(400, 'INVALID_ARGUMENT', 'permissions is required');
  const granted = asked.filter((name) => permissions.has(name));
  // Empty lists are left out.
  return { status: 200, body: granted.length > 0 ? { permissions: granted } : {} };
}
