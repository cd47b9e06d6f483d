import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { importJWK, SignJWT } from 'jose';
import { DEVELOPMENT_ISSUER, signDevToken } from '../../../server/adapters/oidc/index.ts';
import type { GithubServer } from '../../../test/fakes/github-server.ts';
import { type Client, call } from '../client.ts';
import type { ServiceHarness } from '../service.ts';
import type { Contract } from './contract.ts';
import { createPools } from './pools.ts';
import { createSigner } from './signing.ts';

const PEOPLE = ['viewer', 'member', 'admin', 'owner', 'stranger', 'root'] as const;
type Person = (typeof PEOPLE)[number];
/** Part of every record of the other organization. */
const FOREIGN_MARK = 'foreigncanary';
/** Part of every secret; no response may contain it. */
export const SECRET = 'SECRETCANARY';
const PLAN = JSON.stringify({
  format_version: '1.2',
  resource_changes: [
    {
      address: 'aws_db_instance.main',
      type: 'aws_db_instance',
      name: 'main',
      change: {
        actions: ['update'],
        before: { password: `${SECRET}-before`, tags: {} },
        after: { password: `${SECRET}-after`, tags: null },
        before_sensitive: { password: true },
        after_sensitive: { password: true },
      },
    },
  ],
});

export interface FuzzCaller {
  kind: string;
  headers: Record<string, string | string[]>;
  /** Whether this caller is a member of the other organization. */
  sees_foreign: boolean;
}

/** Servers that the service calls. */
interface ExternalServers {
  /** Address of a host that responds with errors. */
  host: string;
  github: GithubServer;
}

export type FuzzFixtures = Awaited<ReturnType<typeof createFixtures>>;

/** Creates two organizations with records of every kind, and every kind of caller. */
export async function createFixtures(
  harness: ServiceHarness,
  client: Client,
  contract: Contract,
  external: ExternalServers,
) {
  const { host, github } = external;
  const data_dir = harness.folder;
  const people = {} as Record<Person, Record<string, string>>;
  const users = {} as Record<Person, string>;
  const signIn = async (name: string) => {
    const token = await signDevToken({ data_dir, email: `${name}@example.com`, name, production: false });
    return { authorization: `Bearer ${token}` };
  };
  people.root = await signIn('root');
  await call(client, 'GET', '/api/v2/admin/me', people.root);
  for (const name of PEOPLE) {
    people[name] = await signIn(name === 'stranger' ? `stranger-${FOREIGN_MARK}` : name);
    users[name] = (await call(client, 'GET', '/api/v2/me', people[name])).user.id;
  }

  const ours = await makeOrg(client, people.root, people.owner, 'acme');
  const theirs = await makeOrg(client, people.root, people.stranger, 'foreign', `${FOREIGN_MARK} Ltd`);
  for (const role of ['viewer', 'member', 'admin'] as const) {
    await call(client, 'POST', '/api/v2/admin/memberships', people.root, { org_id: ours, role, user_id: users[role] });
  }
  const { memberships } = await call(client, 'GET', `/api/v2/orgs/${ours}/memberships`, people.owner);
  const keys: Record<string, { id: string; key: string }> = {};
  for (const scope of ['read', 'write', 'traces:read', 'audit:read', 'analysis:write']) {
    const body = { name: scope, scopes: [scope] };
    keys[scope] = await call(client, 'POST', `/api/v2/orgs/${ours}/api-keys`, people.owner, body);
  }
  const revoked = await call(client, 'POST', `/api/v2/orgs/${ours}/api-keys`, people.owner, {
    name: 'revoked',
    scopes: ['write'],
  });
  await call(client, 'DELETE', `/api/v2/orgs/${ours}/api-keys/${revoked.id}`, people.owner);
  const foreign_key = await call(client, 'POST', `/api/v2/orgs/${theirs}/api-keys`, people.stranger, {
    name: FOREIGN_MARK,
    scopes: ['write'],
  });

  const untouchable = new Set([
    ...Object.values(users),
    ...memberships.map(({ id }: { id: string }) => id),
    ...Object.values(keys).map(({ id }) => id),
    foreign_key.id,
  ]);
  const pools = createPools(contract.operations, untouchable);
  const callers = await listCallers({ data_dir, people, keys, revoked: revoked.key, foreign_key: foreign_key.key });
  const fixtures = {
    client,
    people,
    users,
    ours,
    theirs,
    /** An organization of the owner alone; each refresh creates a new one, whose hourly limits are unused. */
    fresh_org: ours,
    pools,
    callers,
    host,
    github,
    /** Grants access to the repository `acme/infra` of the host. */
    host_token: github.addToken('acme-bot', ['acme/infra']),
    signer: createSigner(github.app.webhook_secret),
    sql: harness.sql,
    signIn,
    /** Tokens of invitations that `member` may accept. */
    tokens: [] as string[],
    round: 0,
  };
  github.addRepo('acme/infra');
  await addForeignRecords(fixtures);
  await refresh(fixtures);
  return fixtures;
}

async function makeOrg(
  client: Client,
  root: Record<string, string>,
  owner: Record<string, string>,
  slug: string,
  display_name = slug,
): Promise<string> {
  const { id } = await call(client, 'POST', '/api/v2/orgs', owner, { slug, display_name });
  await call(client, 'PATCH', `/api/v2/admin/orgs/${id}`, root, { plan: 'enterprise' });
  return id;
}

interface Credentials {
  data_dir: string;
  people: Record<Person, Record<string, string>>;
  keys: Record<string, { key: string }>;
  revoked: string;
  foreign_key: string;
}

async function listCallers({ data_dir, people, keys, revoked, foreign_key }: Credentials): Promise<FuzzCaller[]> {
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const expired = await signToken(data_dir, { issuer: DEVELOPMENT_ISSUER, ends_in_s: -60 });
  const outsider = await signToken(data_dir, { issuer: 'https://issuer.example.com', ends_in_s: 3_600 });
  const write = keys['write']?.key ?? '';
  const kinds: Record<string, Record<string, string | string[]>> = {
    none: {},
    'garbage token': bearer('nonsense'),
    'unsigned token': bearer('eyJhbGciOiJub25lIn0.eyJzdWIiOiJyb290In0.'),
    'no bearer': { authorization: 'Basic cm9vdDpyb290' },
    'garbage key': { 'x-api-key': 'dpa_nonsense' },
    'long key': { 'x-api-key': 'x'.repeat(20_000) },
    'expired token': bearer(expired),
    'token of another issuer': bearer(outsider),
    'revoked key': { 'x-api-key': revoked },
    'two credentials': { ...people.owner, 'x-api-key': write },
    'one credential twice': { 'x-api-key': [write, write] },
    'foreign owner': people.stranger,
    'foreign key': { 'x-api-key': foreign_key },
    ...Object.fromEntries((['viewer', 'member', 'admin', 'owner', 'root'] as const).map((one) => [one, people[one]])),
    ...Object.fromEntries(Object.entries(keys).map(([scope, { key }]) => [`key ${scope}`, { 'x-api-key': key }])),
  };
  const sees_foreign = new Set(['foreign owner', 'foreign key', 'root']);
  return Object.entries(kinds).map(([kind, headers]) => ({ kind, headers, sees_foreign: sees_foreign.has(kind) }));
}

async function signToken(data_dir: string, { issuer, ends_in_s }: { issuer: string; ends_in_s: number }) {
  const jwk = JSON.parse(await readFile(join(data_dir, 'dev-issuer-key.json'), 'utf8'));
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ email: 'owner@example.com', email_verified: true })
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
    .setIssuer(issuer)
    .setAudience('dpa')
    .setSubject('dev:owner@example.com')
    .setIssuedAt(now - 3_600)
    .setExpirationTime(now + ends_in_s)
    .sign(await importJWK(jwk, 'ES256'));
}

/** Fills the other organization with records that contain its mark. */
async function addForeignRecords({ client, people, theirs, pools, host }: FuzzFixtures): Promise<void> {
  const at = `/api/v2/orgs/${theirs}`;
  const post = (path: string, body: unknown) => call(client, 'POST', `${at}${path}`, people.stranger, body);
  await post('/analyze', { plan_json: PLAN.replaceAll('aws_db_instance.main', `aws_db_instance.${FOREIGN_MARK}`) });
  const rule = { name: FOREIGN_MARK, description: FOREIGN_MARK, rule_type: 'risk' };
  await post('/custom-rules', {
    ...rule,
    config: { version: 1, match: {}, effect: 'raise', level: 'low', message: FOREIGN_MARK },
  });
  await post('/invitations', { email: `${FOREIGN_MARK}@example.com`, role: 'viewer' });
  await post('/webhook-configs', {
    provider: 'generic',
    provider_base_url: `${host}/${FOREIGN_MARK}`,
    label: FOREIGN_MARK,
  });
  await post('/disabled-rules', { builtin_rule_id: 'N-AWS-018', rule_type: 'noise', reason: FOREIGN_MARK });
  const accepted = { fingerprints: ['f'.repeat(32)], resource_addresses: [`aws_s3_bucket.${FOREIGN_MARK}`] };
  await post('/plan-noise/suppress', { ...accepted, reason: FOREIGN_MARK, duration: '7d' });
  await post('/federation-trusts', {
    name: FOREIGN_MARK,
    issuer: 'https://token.actions.githubusercontent.com',
    conditions: [{ claim: 'repository_id', op: 'eq', value: '1' }],
    scopes: ['analysis:write'],
    ttl_seconds: 300,
  });
  for (const path of ['custom-rules', 'invitations', 'webhook-configs', 'api-keys', 'scans', 'memberships']) {
    pools.learn(`/orgs/{id}/${path}`, theirs, await call(client, 'GET', `${at}/${path}`, people.stranger));
  }
}

/** Restores what requests may have used up or changed: plans, limits, and single-use records. */
export async function refresh(fixtures: FuzzFixtures): Promise<void> {
  const { client, people, ours } = fixtures;
  fixtures.round += 1;
  const { round, pools } = fixtures;
  const extra = await fixtures.signIn(`extra-${round}`);
  const { id } = (await call(client, 'GET', '/api/v2/me', extra)).user;
  const membership = await addMember(fixtures, id);
  pools.keep('users id', '', id);
  pools.keep('memberships id', '', membership.id);
  pools.keep('membership_id', ours, membership.id);
  const fresh_org = await makeOrg(client, people.root, people.owner, `club-${round}-${randomUUID().slice(0, 8)}`);
  const invitation = { email: 'member@example.com', role: 'viewer' };
  const { accept_url } = await call(client, 'POST', `/api/v2/orgs/${fresh_org}/invitations`, people.owner, invitation);
  await addHostedRecords(fixtures);
  fixtures.fresh_org = fresh_org;
  fixtures.tokens = [String(accept_url).split('#token=')[1] ?? ''];
}

/** Adds records that only a Git host can cause. */
async function addHostedRecords({ client, people, users, ours, github, pools, sql, signer, round }: FuzzFixtures) {
  const repository = { provider: 'github', repo_path: `acme/infra-${randomUUID()}`, provider_base_url: github.url };
  const config = await call(client, 'POST', `/api/v2/orgs/${ours}/webhook-configs`, people.owner, repository);
  signer.learn(config);
  pools.keep('config_id', ours, config.id);
  // An organization may have a limited number of keys.
  for (const key_id of pools.list('key_id', ours).slice(0, 10)) {
    await client.send({ method: 'DELETE', path: `/api/v2/orgs/${ours}/api-keys/${key_id}`, headers: people.owner });
    pools.drop('key_id', ours, key_id);
  }
  const key = { name: `installation ${round}`, scopes: ['read'] };
  const { id: key_id } = await call(client, 'POST', `/api/v2/orgs/${ours}/api-keys`, people.owner, key);
  const account = `account-${round}`;
  github.addRepo(`${account}/infra`);
  const installation_id = github.install([`${account}/infra`]);
  const { permissions, html_url } = github.installation(installation_id);
  const id = randomUUID();
  await sql.query(
    `insert into scm_installations (id, org_id, provider, installation_id, status, linked_by, account_login, account_type,
       repository_selection, permissions, html_url, api_key_id, api_key_ct, created_at, updated_at)
     values ($1, $2, 'github', $3, 'active', $4, $5, 'Organization', 'all', $6, $7, $8, '\\x00', now(), now())`,
    [id, ours, installation_id, users.owner, account, JSON.stringify(permissions), html_url, key_id],
  );
  pools.keep('installation_row_id', ours, id);
}

const NO_LIMITS = Object.fromEntries(
  ['seats', 'custom_rules', 'api_keys', 'webhook_configs', 'llm_weekly', 'llm_hourly'].map((name) => [name, -1]),
);

/** The part of a response that only members of the other organization may see, if any. */
export function findForeignMark(text: string): string | undefined {
  return text.toLowerCase().includes(FOREIGN_MARK) ? FOREIGN_MARK : undefined;
}

export { PLAN };

/** Retries, because requests in flight may lower the limits and use up the seats. */
async function addMember(fixtures: FuzzFixtures, user_id: string, tries = 5): Promise<{ id: string }> {
  const { client, people, ours } = fixtures;
  await call(client, 'PATCH', `/api/v2/admin/orgs/${ours}`, people.root, { plan: 'enterprise', limits: NO_LIMITS });
  try {
    const added = { org_id: ours, role: 'viewer', user_id };
    return await call(client, 'POST', '/api/v2/admin/memberships', people.root, added);
  } catch (error) {
    if (tries <= 1) throw error;
    return addMember(fixtures, user_id, tries - 1);
  }
}
