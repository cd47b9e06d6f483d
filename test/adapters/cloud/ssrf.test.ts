import { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createAwsAdapter } from '../../../server/adapters/cloud/aws/index.ts';
import { createAzureAdapter } from '../../../server/adapters/cloud/azure/index.ts';
import { createGcpAdapter } from '../../../server/adapters/cloud/gcp/index.ts';
import type { CloudAdapter, CloudCredentials, CloudProvider } from '../../../server/adapters/cloud/types.ts';
import { isPublicAddress } from '../../../server/adapters/egress/addresses.ts';
import { createGuardedFetch, type GuardedFetch } from '../../../server/adapters/egress/index.ts';
import { createVirtualTime } from '../../fakes/cloud/virtual-time.ts';
import { REFUSED } from '../egress/corpus.ts';

/** Forbidden URLs, and the hosts in them. */
const URLS = [...new Set(REFUSED)];
const IDS = { aws: '123456789012', gcp: 'acme-prod-123456', azure: '0b1f6471-1bf0-4dda-aec3-111122223333' } as const;
const HOSTS = [...new Set(URLS.map((url) => url.replace(/^[a-z]+:\/\//i, '').replace(/\/.*$/s, '')))];
/** Where the adapters may send requests, whatever their input says. */
const VALUES = [...URLS.slice(0, 200), ...HOSTS.slice(-150)];
const OWN_HOSTS =
  /^(?:[a-z0-9-]+\.)*(?:amazonaws\.com|amazonaws\.com\.cn|api\.aws|googleapis\.com|login\.microsoftonline\.com|management\.azure\.com)$/;
const UUID = '0b1f6471-1bf0-4dda-aec3-111122223333';
/** In the block for public addresses, but in a part that was never assigned. */
const NOBODYS = '2d00::1';

interface Slots {
  credentials: CloudCredentials;
  external_account_id?: string;
  regions?: string[];
}

const AWS_KEY = {
  credential_type: 'aws_access_key',
  access_key_id: 'AKIACUSTOMER00000001',
  secret_access_key: 'x',
} as const;
const GOOGLE_EMAIL = 'dpa@acme-prod-123456.iam.gserviceaccount.com';
const GOOGLE_AUDIENCE =
  '//iam.googleapis.com/projects/481516234200/locations/global/workloadIdentityPools/dpa-pool/providers/dpa-main';
const googleKey = (changes: object) => ({
  credential_type: 'gcp_service_account_key' as const,
  service_account_json: JSON.stringify({
    type: 'service_account',
    project_id: 'acme-prod-123456',
    private_key_id: 'k',
    private_key: 'x',
    client_email: GOOGLE_EMAIL,
    token_uri: 'https://oauth2.googleapis.com/token',
    ...changes,
  }),
});

/** Every member of an account that a person enters, with a value of the corpus in it. */
const SLOTS: Record<CloudProvider, Record<string, (value: string) => Slots>> = {
  aws: {
    role_arn: (value) => ({ credentials: { credential_type: 'aws_web_identity', role_arn: value } }),
    'partition of role_arn': (value) => ({
      credentials: { credential_type: 'aws_role', role_arn: `arn:${value}:iam::123456789012:role/x`, external_id: 'x' },
    }),
    region: (value) => ({ credentials: AWS_KEY, regions: [value] }),
    external_account_id: (value) => ({ credentials: AWS_KEY, external_account_id: value }),
  },
  gcp: {
    audience: (audience) => ({
      credentials: { credential_type: 'gcp_workload_identity', audience, service_account_email: GOOGLE_EMAIL },
    }),
    service_account_email: (service_account_email) => ({
      credentials: { credential_type: 'gcp_workload_identity', audience: GOOGLE_AUDIENCE, service_account_email },
    }),
    token_uri: (token_uri) => ({ credentials: googleKey({ token_uri }) }),
    universe_domain: (universe_domain) => ({ credentials: googleKey({ universe_domain }) }),
    external_account_id: (value) => ({
      credentials: {
        credential_type: 'gcp_workload_identity',
        audience: GOOGLE_AUDIENCE,
        service_account_email: GOOGLE_EMAIL,
      },
      external_account_id: value,
    }),
  },
  azure: {
    tenant_id: (tenant_id) => ({ credentials: { credential_type: 'azure_federated', tenant_id, client_id: UUID } }),
    client_id: (client_id) => ({ credentials: { credential_type: 'azure_federated', tenant_id: UUID, client_id } }),
    external_account_id: (value) => ({
      credentials: { credential_type: 'azure_federated', tenant_id: UUID, client_id: UUID },
      external_account_id: value,
    }),
  },
};
const EVERY = Object.entries(SLOTS).flatMap(([provider, slots]) =>
  Object.entries(slots).map(
    ([slot, fill]) => [provider, slot, fill] as [CloudProvider, string, (value: string) => Slots],
  ),
);

let dialed: string[];
beforeEach(() => {
  dialed = [];
  const original = Socket.prototype.connect;
  jest.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...args: unknown[]) {
    const [first] = args.flat();
    const host = typeof first === 'object' ? ((first as { host?: string })?.host ?? 'localhost') : String(args[1]);
    dialed.push(host);
    if (!isPublicAddress(host)) return Reflect.apply(original, this, args);
    // Nobody answers there, and waiting for that proves nothing.
    setImmediate(() => this.destroy(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })));
    return this;
  } as typeof original);
});
afterEach(() => void jest.restoreAllMocks());

function open(provider: CloudProvider, fetch: GuardedFetch): CloudAdapter {
  const shared = { fetch, signToken: async () => 'token', throttle: { ...createVirtualTime(), random: () => 0.5 } };
  if (provider === 'aws')
    return createAwsAdapter({ ...shared, own_keys: { accessKeyId: 'AKIASERVICE000000001', secretAccessKey: 'x' } });
  return provider === 'gcp' ? createGcpAdapter(shared) : createAzureAdapter({ ...shared, quota: createVirtualTime() });
}

/** Signs in, and asks who the account is; in AWS also for a queue, because regions are used only there. */
async function identify(adapter: CloudAdapter, { credentials, external_account_id, regions = [] }: Slots) {
  const { provider } = adapter;
  const target = {
    provider,
    external_account_id: external_account_id ?? IDS[provider],
    credentials,
    regions,
    token_subject: 'x',
  };
  const signal = AbortSignal.timeout(10_000);
  const attempt = async () => adapter.open(target).identify(signal);
  const [region] = regions;
  const part = {
    key: `cloudcontrolapi/${region}/AWS::SQS::Queue`,
    service: 'cloudcontrolapi',
    region: region ?? null,
    provider_type: 'AWS::SQS::Queue',
  };
  const list = async () => region === undefined || adapter.open(target).readPage(part, null, signal);
  await Promise.allSettled([attempt(), list()]);
}

/** A token for every sign-in, so that the requests behind it are made, too; everything else is answered with `reply`. */
function answerWith(reply: () => Response, asked: string[]): GuardedFetch {
  return async (url) => {
    asked.push(url);
    const { hostname, pathname } = new URL(url);
    const is_sign_in =
      hostname.startsWith('login.') || hostname === 'sts.googleapis.com' || /:generateAccessToken$/.test(pathname);
    if (!is_sign_in) return reply();
    const expireTime = new Date(Date.now() + 3_600_000).toISOString();
    return Response.json({ access_token: 't', accessToken: 't', token_type: 'Bearer', expires_in: 3_600, expireTime });
  };
}

test('the corpus is large enough', () => {
  expect(URLS.length).toBeGreaterThan(300);
  expect(VALUES.length).toBeGreaterThanOrEqual(300);
});

describe.each(EVERY)('%s, %s', (provider, _slot, fill) => {
  test('no value of the corpus changes where requests go', async () => {
    const asked: string[] = [];
    const adapter = open(
      provider,
      answerWith(() => Response.json({}, { status: 403 }), asked),
    );

    for (const value of VALUES) await identify(adapter, fill(value));

    expect([...new Set(asked.map((url) => new URL(url).host))].filter((host) => !OWN_HOSTS.test(host))).toEqual([]);
    expect(dialed).toEqual([]);
  });
});

const GOOD: Record<CloudProvider, Slots> = {
  aws: { credentials: AWS_KEY, regions: ['eu-west-1'] },
  gcp: SLOTS.gcp['audience']!(GOOGLE_AUDIENCE),
  azure: SLOTS.azure['tenant_id']!(UUID),
};

describe.each(['aws', 'gcp', 'azure'] as const)('%s', (provider) => {
  test('an account without such values is asked for, so that the tests can fail', async () => {
    const asked: string[] = [];

    await identify(
      open(
        provider,
        answerWith(() => Response.json({}, { status: 403 }), asked),
      ),
      GOOD[provider],
    );

    expect(asked.length).toBeGreaterThan(0);
    expect(asked.every((url) => OWN_HOSTS.test(new URL(url).host))).toBe(true);
  });

  test('no redirect is followed', async () => {
    const locations = URLS.filter((url) => /^[\x20-\x7e]+$/.test(url));
    const asked: string[] = [];
    let next = 0;
    const redirect = () =>
      new Response('', { status: 307, headers: { location: locations[next++ % locations.length]! } });
    const adapter = open(provider, answerWith(redirect, asked));

    for (let round = 0; round < 20; round += 1) await identify(adapter, GOOD[provider]);

    expect(next).toBeGreaterThan(0);

    expect([...new Set(asked.map((url) => new URL(url).host))].filter((host) => !OWN_HOSTS.test(host))).toEqual([]);
    expect(dialed).toEqual([]);
  });

  test('hosts that resolve to a public address first and to a private one later are never dialed there', async () => {
    let lookups = 0;
    const resolve = async () => [lookups++ % 2 === 0 ? NOBODYS : '127.0.0.1'];
    const adapter = open(provider, createGuardedFetch({ resolve }));

    for (let round = 0; round < 3; round += 1) await identify(adapter, GOOD[provider]);

    expect(lookups).toBeGreaterThan(2);
    expect(dialed.filter((host) => !isPublicAddress(host))).toEqual([]);
  });

  test.each(['169.254.169.254', '127.0.0.1', '10.0.0.1', '::1', 'fd00:ec2::254', '::ffff:169.254.169.254'])(
    'hosts that resolve to %s are not dialed',
    async (address) => {
      await identify(open(provider, createGuardedFetch({ resolve: async () => [address] })), GOOD[provider]);

      expect(dialed).toEqual([]);
    },
  );
});
