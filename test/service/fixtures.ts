import { createHash, generateKeyPairSync, randomBytes, randomInt } from 'node:crypto';
import { join } from 'node:path';
import { createFolderStore } from '../../server/adapters/blob/folder.ts';
import type { OpenedAccount } from '../../server/domains/state-sources/index.ts';
import { NotFound } from '../../server/lib/errors.ts';
import { newId } from '../../server/lib/ids.ts';
import type { ServiceRole } from '../../server/main.ts';
import { startGithubServer } from '../fakes/github-server.ts';
import { buildHostedToken, startScmHost } from '../fakes/scm-host.ts';
import { startSlackServer } from '../fakes/slack-server.ts';
import { createFakeStateBackend } from '../fakes/state-backend.ts';
import { stateText } from '../fakes/state-reader.ts';
import { CALLBACK_PATH, readForm } from '../helpers/github-callback.ts';
import { insertResources } from '../helpers/inventory.ts';
import { type Answer, type Caller, startTestService, type TestService } from '../helpers/service.ts';
import { keepPlan } from './kept-plan.ts';
import type { Operation } from './operations.ts';

export const PEOPLE = ['viewer', 'member', 'admin', 'owner', 'stranger', 'root'] as const;
export type Person = (typeof PEOPLE)[number];

/** Included in everything of the other organization: a response that contains it leaked data. */
export const CANARY = 'canary';

/** The secret of an invitation link. */
export function extractToken(accept_url: string): string {
  return accept_url.split('#token=')[1] ?? '';
}

/** A valid request: path parameters other than the organization, and the body. */
export interface Recipe {
  ids?: Record<string, string>;
  body?: unknown;
  /** Required parameters, such as `provider=aws`. */
  query?: string;
  headers?: Record<string, string>;
  /** Operations that reject even a valid request of an unauthenticated caller. */
  status?: number;
  /** Which of the declared audit rows it writes; all by default. */
  audit?: string[];
}

interface Analysis {
  job_id: string;
  scan_run_id: string;
}

const ISSUER = 'https://token.actions.githubusercontent.com';
const SETTINGS = {
  RATE_LIMIT_PER_IP: '1000000',
  RATE_LIMIT_BURST: '1000000',
  RATE_LIMIT_PER_CREDENTIAL: '1000000',
  RATE_LIMIT_PER_ORG: '1000000',
  FEDERATION_SUBJECT: 'deployment:test',
  CHECKPOINT_ORIGIN: 'dpa.example.com/audit',
  CHECKPOINT_SIGNING_KEY: generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  API_URL: 'https://api.example.com',
  FEDERATION_AWS_PRINCIPAL_ARN: 'arn:aws:iam::999999999999:role/scanner',
  FEDERATION_AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
  FEDERATION_AWS_SECRET_ACCESS_KEY: 'not-a-secret',
  // No server listens there.
  LLM_ENDPOINT_GEMINI: 'http://127.0.0.1:1',
  // Gives each of many callers its own address.
  TRUSTED_PROXIES: '1',
};

const CHECKPOINT_BUCKET = {
  ...{ bucket: 'acme-audit', region: 'eu-west-1', lock_mode: 'compliance', lock_days: 365 },
  access_key: { access_key_id: 'AKIAIOSFODNN7EXAMPLE', secret_access_key: 'not-a-secret' },
};

/** Two organizations with every kind of record, and all types of callers. */
export async function startFixtures(role: ServiceRole = 'all') {
  const host = await startScmHost();
  const github = await startGithubServer();
  const slack = await startSlackServer();
  const settings = {
    ...SETTINGS,
    EGRESS_ALLOWED_HOSTS: host.host,
    ...github.environment,
    ...slack.environment,
  };
  const states = createFakeStateBackend();
  states.states.set('s3:states/shop.tfstate', stateText(1));
  const service = await startTestService(settings, role, {
    adapters: { ...buildStateAdapters(states), ...CHECKPOINT_ADAPTERS },
  });
  const people = {} as Record<Person, Caller>;
  const users = {} as Record<Person, string>;
  // The first caller becomes the platform admin.
  await (await service.signIn('root')).get('/api/v2/admin/me');
  for (const name of PEOPLE) {
    people[name] = await service.signIn(name === 'stranger' ? `stranger-${CANARY}` : name);
    users[name] = (await people[name].get('/api/v2/me')).body.user.id;
  }
  const fixtures = {
    service,
    host,
    github,
    slack,
    states,
    people,
    users,
    ours: '',
    theirs: '',
    keys: {} as Record<string, Caller>,
    analyses: new Map<string, Analysis>(),
  };

  fixtures.ours = await makeOrg(service, people.owner, 'acme');
  fixtures.theirs = await makeOrg(service, people.stranger, `org-${CANARY}`);
  for (const role of ['viewer', 'member', 'admin'] as const) await addMember(service, fixtures.ours, users[role], role);
  for (const scope of ['read', 'write', 'traces:read', 'audit:read']) {
    fixtures.keys[scope] = service.withHeaders({ 'x-api-key': await makeKey(people.owner, fixtures.ours, [scope]) });
  }
  return fixtures;
}

/** One AWS account for every organization, except for accounts that exist elsewhere. */
function buildStateAdapters({ backend }: ReturnType<typeof createFakeStateBackend>) {
  const credentials = { credential_type: 'aws_web_identity', role_arn: 'arn:aws:iam::123456789012:role/dpa' } as const;
  const account: OpenedAccount = { provider: 'aws', enabled: true, credentials, token_subject: 'test' };
  const accounts = {
    async openAccount(_org_id: string, id: string) {
      if (id !== AWS_ACCOUNT) throw new NotFound();
      return account;
    },
    findOnlyAccount: async () => undefined,
  };
  return { stateBackend: backend, accounts };
}

/** A bucket and a repository that take every checkpoint. */
const CHECKPOINT_ADAPTERS = {
  buckets: {
    findRefusedName: () => undefined,
    open: () => ({ assertLock: async () => {}, putOnce: async () => true }),
  },
  commitOnce: async () => true,
};

export type ServiceFixtures = Awaited<ReturnType<typeof startFixtures>>;

async function makeOrg(service: TestService, owner: Caller, slug: string): Promise<string> {
  const { status, body } = await owner.post('/api/v2/orgs', { slug, display_name: slug });
  if (status !== 201) throw new Error(`no org: ${JSON.stringify(body)}`);
  await service.admin_db('orgs').where({ id: body.id }).update({ plan: 'enterprise' });
  return body.id;
}

async function makePerson(service: TestService, name: string): Promise<string> {
  const id = newId();
  const email = `${name}-${id.slice(-12)}@example.com`;
  await service.admin_db('users').insert({ id, issuer: 'urn:test', subject: id, email, display_name: name });
  return id;
}

async function addMember(service: TestService, org_id: string, user_id: string, role: string): Promise<string> {
  const id = newId();
  await service.admin_db('memberships').insert({ id, org_id, user_id, role, accepted_at: new Date() });
  return id;
}

async function makeKey(owner: Caller, org: string, scopes: string[], name = 'key'): Promise<string> {
  return (await readCreated(owner.post(`/api/v2/orgs/${org}/api-keys`, { name, scopes }))).key;
}

// biome-ignore lint/suspicious/noExplicitAny: the test knows the shape of the response
async function readCreated(answer: Promise<Answer>): Promise<any> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`a fixture was not made: ${status} ${JSON.stringify(body)}`);
  return body;
}

const PLAN = { plan_json: '{"format_version":"1.2","resource_changes":[]}' };
const buildTrust = (name: string) => ({
  name,
  issuer: ISSUER,
  conditions: [{ claim: 'repository_id', op: 'eq', value: '1' }],
  scopes: ['analysis:write'],
  ttl_seconds: 300,
});
/** Each call has an account number of its own. */
const buildCloudAccount = (display_name: string) => ({
  display_name,
  provider: 'aws',
  external_account_id: String(randomInt(1e11, 1e12)),
  credential_type: 'aws_access_key',
  credentials: { access_key_id: 'AKIAIOSFODNN7EXAMPLE', secret_access_key: `secret-${CANARY}` },
});
const uniqueSuffix = () => newId().slice(-12);
const CANARY_TOKEN = 'a-token-of-hcp-terraform';
const AWS_ACCOUNT = '019b7a10-0000-7000-8000-000000000050';
const buildGlob = (prefix: string) => {
  const where = { provider: 'aws', bucket: 'states', prefix, region: 'eu-central-1' };
  return { ...where, cloud_account_id: AWS_ACCOUNT, display_name: prefix };
};
const ACCOUNT = { provider: 'gemini', api_key: `key-${CANARY}` };
const RISK_CONFIG = { version: 1, match: {}, effect: 'raise', level: 'low', message: 'Ask.' };
const buildCustomRule = (name: string) => ({ name, description: name, rule_type: 'risk', config: RISK_CONFIG });
const buildIgnoreRule = (reason: string) => ({ resource_type: 'aws_iam_*', drift_types: ['new'], reason });
const buildPolicyRule = (name: string) => ({ id: 'a', name, enabled: true, match: {}, effect: 'block', reason: name });
const buildSuppression = (reason: string) => ({
  fingerprints: [randomBytes(16).toString('hex')],
  resource_addresses: [`aws_s3_bucket.${reason}`],
  reason,
  duration: '7d',
});
/** The number of built-in rules is limited: one is enabled again before it is disabled. */
const DISABLED_RULE = { builtin_rule_id: 'N-AWS-018', rule_type: 'noise' };

/**
 * Creates a record of every kind that has an id in a path.
 *
 * @param owner owner of the organization
 */
/** Does not run while tests do. */
const YEARLY = '30 2 29 2 *';

const MAKERS: Record<
  string,
  (fixtures: ServiceFixtures, owner: Caller, org: string, label: string) => Promise<string>
> = {
  job_id: async (fixtures, owner, org) => (await ensureAnalysis(fixtures, owner, org)).job_id,
  scan_id: async (fixtures, owner, org) => (await ensureAnalysis(fixtures, owner, org)).scan_run_id,
  membership_id: async ({ service }, _owner, org, label) =>
    addMember(service, org, await makePerson(service, label), 'member'),
  invitation_id: async (_fixtures, owner, org, label) => {
    const email = `${label}-${uniqueSuffix()}@example.com`;
    return (await readCreated(owner.post(`/api/v2/orgs/${org}/invitations`, { email, role: 'member' }))).id;
  },
  key_id: async (_fixtures, owner, org, label) =>
    (await readCreated(owner.post(`/api/v2/orgs/${org}/api-keys`, { name: label, scopes: ['read'] }))).id,
  trust_id: async (_fixtures, owner, org, label) =>
    (await readCreated(owner.post(`/api/v2/orgs/${org}/federation-trusts`, buildTrust(label)))).id,
  config_id: makeGenericWebhook,
  delivery_id: async (fixtures, owner, org, label) => (await makeDelivery(fixtures, owner, org, label)).delivery_id,
  target_id: makeTarget,
  notification_delivery_id: async (fixtures, owner, org, label) => {
    const target_id = await makeTarget(fixtures, owner, org, label);
    return insertFailedNotification(fixtures.service, org, target_id);
  },
  installation_row_id: makeInstallation,
  rule_id: async (_fixtures, owner, org, label) =>
    (await readCreated(owner.post(`/api/v2/orgs/${org}/custom-rules`, buildCustomRule(`${label} ${uniqueSuffix()}`))))
      .id,
  handle: async (_fixtures, owner, org) => publishCheckpoints(owner, org),
  eid: async ({ service }, _owner, org_id, label) => insertPack(service, org_id, { requested_by: label }),
  ignore_rule_id: async (_fixtures, owner, org, label) =>
    (await readCreated(owner.post(`/api/v2/orgs/${org}/drift-ignore-rules`, buildIgnoreRule(label)))).id,
  disabled_rule_id: async ({ service, users }, _owner, org_id, reason) => {
    const row = { id: newId(), org_id, rule_type: 'noise', reason, disabled_by: users.owner, created_at: new Date() };
    await service.admin_db('disabled_rules').insert({ ...row, builtin_rule_id: `N-${uniqueSuffix()}` });
    return row.id;
  },
  known_owner_id: async (_fixtures, owner, org, label) => {
    const body = { owner: `bucket:${label}-${uniqueSuffix()}`, note: label };
    return (await readCreated(owner.post(`/api/v2/orgs/${org}/known-owners`, body))).id;
  },
  sid: async (fixtures, owner, org, label) => {
    const cloud_account_id = await MAKERS['account_id']?.(fixtures, owner, org, label);
    const body = { name: label, schedule: YEARLY, cloud_account_id };
    return (await readCreated(owner.post(`/api/v2/orgs/${org}/schedules`, body))).id;
  },
  account_id: async (_fixtures, owner, org, label) =>
    (await readCreated(owner.post(`/api/v2/orgs/${org}/cloud-accounts`, buildCloudAccount(label)))).id,
  resource_id: async (fixtures, owner, org_id, name) => {
    const { id: cloud_account_id } = await readCreated(
      owner.post(`/api/v2/orgs/${org_id}/cloud-accounts`, buildCloudAccount(name)),
    );
    const [id = ''] = await insertResources(fixtures.service.admin_db, { org_id, cloud_account_id }, [{ name }]);
    return id;
  },
  trace_id: async (fixtures, owner, org_id, model) => {
    const { scan_run_id } = await ensureAnalysis(fixtures, owner, org_id);
    const id = `trc-${randomBytes(12).toString('hex')}`;
    const call = { id, org_id, scan_run_id, kind: 'narrative', status: 'failed', has_body: false, model };
    const inputs = JSON.stringify({ digest: '', char_count: 0, resource_count: 0 });
    const rest = { latency_ms: 1, cached: false, fallback: false, prompt_version: 'narrative-1', inputs };
    await fixtures.service.admin_db('traces').insert({ ...call, ...rest, created_at: new Date() });
    return id;
  },
  fingerprint: async ({ service }, _owner, org_id, label) => {
    const fingerprint = randomBytes(16).toString('hex');
    const at = new Date();
    const where = { resource_address: `aws_s3_bucket.${label}`, resource_type: 'aws_s3_bucket', attribute: 'tags_all' };
    const seen = { action: 'update', classification: 'likely_benign', first_seen: at, last_seen: at, window_count: 5 };
    const row = { org_id, pair_id: newId(), repo_key: newId(), fingerprint, ...where, ...seen };
    await service.admin_db('noise_patterns').insert(row);
    return fingerprint;
  },
  plan_id: async (fixtures, owner, org, label) =>
    keepPlan(fixtures.service, org, await makeGenericWebhook(fixtures, owner, org, label), PLAN.plan_json),
  src_id: async (_fixtures, owner, org, label) => {
    const body = { display_name: label, kind: 'upload', config: {} };
    return (await readCreated(owner.post(`/api/v2/orgs/${org}/state-sources`, body))).id;
  },
  glob_id: async (_fixtures, owner, org, label) =>
    (await readCreated(owner.post(`/api/v2/orgs/${org}/state-source-globs`, buildGlob(`${label}/${uniqueSuffix()}`))))
      .glob.id,
  suppression_id: async (_fixtures, owner, org, label) =>
    (await readCreated(owner.post(`/api/v2/orgs/${org}/plan-noise/suppress`, buildSuppression(label)))).suppressions[0]
      .id,
};

/** A scan that has ended, with a drift snapshot without items. */
async function makeComputedDrift(fixtures: ServiceFixtures): Promise<{ ids: { scan_id: string } }> {
  const { ours: org_id, service } = fixtures;
  const cloud_account_id = await makeRecord(fixtures, 'account_id', 'ours');
  const scan_run_id = newId();
  const run = { id: scan_run_id, org_id, kind: 'cloud', scan_type: 'manual', provider: 'aws', cloud_account_id };
  const at = new Date();
  await service.admin_db('scan_runs').insert({ ...run, status: 'done', queued_at: at, finished_at: at });
  const set = { id: newId(), org_id, cloud_account_id, content_hash: randomBytes(32), item_count: 0 };
  await service.admin_db('drift_item_sets').insert({ ...set, created_at: at, last_used_at: at });
  const counts = ['changed', 'extra', 'matched', 'missing', 'parse_failure', 'not_checked', 'excluded', 'ignored'];
  await service.admin_db('drift_snapshots').insert({
    ...{ id: newId(), org_id, scan_run_id, cloud_account_id, items_id: set.id, created_at: at },
    ...Object.fromEntries(counts.map((name) => [`${name}_count`, 0])),
    ...{ drift_status: 'in_sync', total_iac: 0, total_live: 0, coverage_pct: 100, risk_level: 'none' },
    ...{ narrative_status: 'fallback', notes: '[]' },
  });
  return { ids: { scan_id: scan_run_id } };
}

/** A channel by its ID, which needs no workspace. The oldest make room, since an organization can have 50. */
async function makeTarget({ service }: ServiceFixtures, owner: Caller, org: string, label: string): Promise<string> {
  const targets = service.admin_db('notification_targets').where({ org_id: org }).whereNull('deleted_at');
  const oldest = targets.clone().orderBy('created_at', 'desc').offset(20).select('id');
  await targets.clone().whereIn('id', oldest).update({ deleted_at: new Date() });
  const channel = { kind: 'slack', channel: `C${uniqueSuffix().toUpperCase()}`, label };
  return (await readCreated(owner.post(`/api/v2/orgs/${org}/notification-targets`, channel))).id;
}

/** A failed scan of which a channel could not be notified. */
async function insertFailedNotification({ admin_db }: TestService, org_id: string, target_id: string): Promise<string> {
  const at = new Date();
  const event = { id: newId(), org_id, source: 'scan', source_id: newId(), created_at: at, decided_at: at };
  await admin_db('notification_events').insert(event);
  const sent = { id: newId(), org_id, event_id: event.id, event: 'scan.failed', action: 'notice', target_id };
  const ended = { status: 'failed', attempts: 1, error: 'the channel is gone', created_at: at, finished_at: at };
  await admin_db('notification_deliveries').insert({ ...sent, target_kind: 'slack', ...ended });
  return sent.id;
}

/** An unreachable server on loopback. */
async function makeGenericWebhook(
  fixtures: ServiceFixtures,
  owner: Caller,
  org: string,
  label: string,
): Promise<string> {
  const server = { provider: 'generic', provider_base_url: `https://hooks.example.com/${uniqueSuffix()}`, label };
  const { id } = await readCreated(owner.post(`/api/v2/orgs/${org}/webhook-configs`, server));
  await fixtures.service
    .admin_db('webhook_configs')
    .where({ id })
    .update({ provider_base_url: `https://127.0.0.1/${id}`, target_ct: null });
  return id;
}

/** An installation that GitHub knows, linked with a key. */
async function makeInstallation(
  fixtures: ServiceFixtures,
  owner: Caller,
  org_id: string,
  label: string,
): Promise<string> {
  const { service, github, users } = fixtures;
  github.addRepo(`${label}/infra`);
  const installation_id = github.install([`${label}/infra`]);
  const { account, permissions, html_url } = github.installation(installation_id);
  const api_key_id = (
    await readCreated(owner.post(`/api/v2/orgs/${org_id}/api-keys`, { name: label, scopes: ['read'] }))
  ).id;
  const known = {
    account_login: label,
    account_type: account.type,
    repository_selection: 'all',
    permissions,
    html_url,
  };
  const key = { api_key_id, api_key_ct: Buffer.alloc(1) };
  const at = { created_at: new Date(), updated_at: new Date() };
  const row = { id: newId(), org_id, provider: 'github', installation_id, status: 'active', linked_by: users.owner };
  await service.admin_db('scm_installations').insert({ ...row, ...known, ...key, ...at });
  return row.id;
}

/** The confirmation page for a person who approved the Slack app for this organization. */
async function openChatConfirmation({ service, slack, people, ours }: ServiceFixtures): Promise<Answer> {
  const { authorize_url } = await readCreated(people.owner.post(`/api/v2/orgs/${ours}/chat/install`, undefined));
  const state = new URL(authorize_url).searchParams.get('state') ?? '';
  const query = new URLSearchParams({ state, code: slack.approve('TOURS') });
  return service.anonymous.get(`/api/v2/chat/callback?${query}`, randomAddressHeader());
}

/** Connects a workspace to the organization. */
async function connectSlack(fixtures: ServiceFixtures): Promise<void> {
  const { token, cookie } = readForm(await openChatConfirmation(fixtures));
  const headers = { ...randomAddressHeader(), cookie };
  await fixtures.service.anonymous.post('/api/v2/chat/confirm', { token, decision: 'install' }, headers);
}

function randomAddressHeader(): Record<string, string> {
  return { 'x-forwarded-for': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}` };
}

/** The confirmation page for a person who installed the App for this organization. */
async function openConfirmationPage({ service, github, people, ours }: ServiceFixtures): Promise<Answer> {
  const repo = `made-${uniqueSuffix()}/infra`;
  github.addRepo(repo);
  const installation_id = String(github.install([repo], { visible_to: ['ana'] }));
  const path = `/api/v2/orgs/${ours}/scm-installations/install-url`;
  const { install_url } = await readCreated(people.owner.post(path, { provider: 'github' }));
  const state = new URL(install_url).searchParams.get('state') ?? '';
  const query = new URLSearchParams({ state, installation_id, code: github.code('ana') });
  return service.anonymous.get(`${CALLBACK_PATH}?${query}`, randomAddressHeader());
}

/** A delivery that failed. */
async function makeDelivery(fixtures: ServiceFixtures, owner: Caller, org: string, label: string) {
  const config_id = await makeGenericWebhook(fixtures, owner, org, label);
  const path = `/api/v2/orgs/${org}/webhook-configs/${config_id}`;
  await readCreated(owner.post(`${path}/test`, undefined));
  const { deliveries } = await readCreated(owner.get(`${path}/deliveries`));
  return { config_id, delivery_id: deliveries[0].id as string };
}

async function makeRepository(
  { people, ours }: ServiceFixtures,
  provider: 'github' | 'gitlab',
  more: Record<string, string> = {},
): Promise<string> {
  const repository = { provider, repo_path: `acme/${uniqueSuffix()}`, ...more };
  return (await readCreated(people.owner.post(`/api/v2/orgs/${ours}/webhook-configs`, repository))).id;
}

/** A repository whose host accepts its token. */
async function makeHostedRepository(fixtures: ServiceFixtures): Promise<string> {
  const more = { provider_base_url: fixtures.host.url, api_token: buildHostedToken('developer') };
  return makeRepository(fixtures, 'gitlab', more);
}

/** One finished analysis per organization; no request changes it. */
async function ensureAnalysis({ service, analyses }: ServiceFixtures, owner: Caller, org: string): Promise<Analysis> {
  const known = analyses.get(org);
  if (known !== undefined) return known;
  const path = `/api/v2/orgs/${org}`;
  const analysis: Analysis = await readCreated(owner.post(`${path}/analyze`, PLAN));
  await service.waitForJob(owner, `${path}/llm-jobs/${analysis.job_id}`);
  await waitForDecisions(service, org);
  analyses.set(org, analysis);
  return analysis;
}

/** A worker decides after the job what an analysis means for notifications. */
async function waitForDecisions({ admin_db }: TestService, org_id: string): Promise<void> {
  const undecided = admin_db('notification_events').where({ org_id, decided_at: null });
  while ((await undecided.clone().first('id')) !== undefined) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** A new record of that kind in the given organization. */
export function makeRecord(fixtures: ServiceFixtures, name: string, whose: 'ours' | 'theirs'): Promise<string> {
  const make = MAKERS[name];
  if (make === undefined) throw new Error(`test/service/fixtures.ts does not know how to make a record for {${name}}`);
  const owner = whose === 'ours' ? fixtures.people.owner : fixtures.people.stranger;
  return make(fixtures, owner, fixtures[whose], whose === 'ours' ? 'ours' : CANARY);
}

/** Whether analyses use the platform's model or none. */
async function removeAccount({ service, ours }: ServiceFixtures): Promise<void> {
  for (const table of ['llm_configs', 'llm_breakers']) await service.admin_db(table).where({ org_id: ours }).delete();
}

async function addAccount({ service, people, ours }: ServiceFixtures): Promise<Recipe> {
  await service.admin_db('llm_validations').delete();
  await readCreated(people.owner.send('PUT', `/api/v2/orgs/${ours}/llm-config`, ACCOUNT));
  return {};
}

/**
 * Inputs of a valid request in addition to new records of its organization; an operation that needs more and has none
 * here fails.
 */
const RECIPES: Record<string, (fixtures: ServiceFixtures, caller: Person) => Promise<Recipe> | Recipe> = {
  createOrg: () => ({ body: { slug: `made-${uniqueSuffix()}`, display_name: 'Made' } }),
  createOrgWithoutOwner: () => ({ body: { slug: `made-${uniqueSuffix()}`, display_name: 'Made' } }),
  updateOrg: () => ({ body: { display_name: `Acme ${uniqueSuffix()}` } }),
  updateOrgSettings: () => ({ body: { default_notify_channel: `C${uniqueSuffix().toUpperCase()}` } }),
  overrideOrgPlan: ({ ours }) => ({ ids: { org_id: ours }, body: { limits: { seats: 1000 } } }),
  async analyzePlan(fixtures) {
    await removeAccount(fixtures);
    return { body: PLAN };
  },
  async analyzePullRequestPlan(fixtures) {
    await removeAccount(fixtures);
    return {};
  },
  async generateNoiseFix(fixtures) {
    await removeAccount(fixtures);
    return {};
  },
  async putLlmConfig(fixtures) {
    await removeAccount(fixtures);
    return { body: ACCOUNT, audit: ['llm_config.created'] };
  },
  getLlmConfig: addAccount,
  deleteLlmConfig: addAccount,
  validateLlmConfig: addAccount,
  addDomain: () => ({ body: { domain: `${uniqueSuffix()}.example.com` } }),
  async deleteDomain({ people }) {
    const domain = `${uniqueSuffix()}.example.com`;
    return { ids: { id: (await readCreated(people.root.post('/api/v2/admin/domains', { domain }))).id } };
  },
  async createMembership({ service, ours }) {
    return { body: { org_id: ours, role: 'member', user_id: await makePerson(service, 'added') } };
  },
  deleteMembership: async (fixtures) => ({ ids: { id: await makeRecord(fixtures, 'membership_id', 'ours') } }),
  setMembershipRole: async (fixtures) => ({
    ids: { id: await makeRecord(fixtures, 'membership_id', 'ours') },
    body: { role: 'viewer' },
  }),
  deleteUser: async ({ service }) => ({ ids: { id: await makePerson(service, 'leaving') } }),
  listUserMemberships: ({ users }) => ({ ids: { id: users.member } }),
  changeMemberRole: () => ({ body: { role: 'viewer' } }),
  createInvitation: () => ({ body: { email: `${uniqueSuffix()}@example.com`, role: 'viewer' } }),
  async acceptInvitation({ service, people }, caller) {
    const founder = await service.signIn('founder');
    const org = await makeOrg(service, founder, `club-${uniqueSuffix()}`);
    const { email } = (await people[caller].get('/api/v2/me')).body.user;
    const { accept_url } = await readCreated(
      founder.post(`/api/v2/orgs/${org}/invitations`, { email, role: 'viewer' }),
    );
    return { body: { token: extractToken(accept_url) } };
  },
  createCustomRule: () => ({ body: buildCustomRule(`rule ${uniqueSuffix()}`) }),
  updateCustomRule() {
    const { rule_type: _fixed, ...body } = buildCustomRule(`rule ${uniqueSuffix()}`);
    return { body };
  },
  setCustomRuleEnabled: () => ({ body: { enabled: false }, audit: ['custom_rule.disabled'] }),
  testCustomRule: async (fixtures) => ({
    body: { rule_type: 'risk', config: RISK_CONFIG, scan_run_id: await makeRecord(fixtures, 'scan_id', 'ours') },
  }),
  async disableBuiltinRule({ service, ours }) {
    await service
      .admin_db('disabled_rules')
      .where({ org_id: ours, ...DISABLED_RULE })
      .delete();
    return { body: DISABLED_RULE };
  },
  replaceRiskPolicy: () => ({ body: { rules: [buildPolicyRule(uniqueSuffix())] } }),
  previewRiskPolicy: async (fixtures) => ({
    body: { rules: [buildPolicyRule('Freeze')], scan_run_id: await makeRecord(fixtures, 'scan_id', 'ours') },
  }),
  createKnownOwner: () => ({ body: { owner: `shop-${uniqueSuffix()}.com` } }),
  updateKnownOwner: () => ({ body: { status: 'dismissed', note: uniqueSuffix() } }),
  createCloudAccount: () => ({ body: buildCloudAccount('Production'), audit: ['cloud_account.created'] }),
  getCloudSetup: () => ({ query: 'provider=aws' }),
  listInfrastructureAccounts: () => ({ ids: { provider: 'aws' } }),
  updateCloudAccount: () => ({ body: { display_name: uniqueSuffix() }, audit: ['cloud_account.updated'] }),
  validateCloudAccount: () => ({ audit: [] }),
  createSchedule: () => ({ body: { name: uniqueSuffix(), schedule: YEARLY } }),
  updateSchedule: () => ({ body: { name: uniqueSuffix() } }),
  createScan: async (fixtures) => ({ body: { cloud_account_id: await makeRecord(fixtures, 'account_id', 'ours') } }),
  async createScansBulk(fixtures) {
    await fixtures.service.admin_db('scan_runs').where({ org_id: fixtures.ours }).update({ bulk_id: null });
    return { body: { account_ids: [await makeRecord(fixtures, 'account_id', 'ours')] } };
  },
  async createCompliancePack({ service }) {
    await service.admin_db('audit_export_requests').delete();
    return { body: { period_start: '2026-01-01T00:00:00Z', period_end: '2026-01-02T00:00:00Z' } };
  },
  async putCheckpointSettings({ service, ours }) {
    await service.admin_db('audit_checkpoint_settings').where({ org_id: ours }).delete();
    return { body: { public: true, webhook_config_id: null } };
  },
  async putCheckpointBucket({ service, ours }) {
    await service.admin_db('audit_checkpoint_destinations').where({ org_id: ours }).delete();
    return { body: CHECKPOINT_BUCKET };
  },
  async deleteCheckpointBucket({ people, ours }) {
    const path = `/api/v2/orgs/${ours}/audit-log/checkpoint-bucket`;
    await readCreated(people.owner.send('PUT', path, CHECKPOINT_BUCKET));
    return {};
  },
  putCheckpointRepository: async (fixtures) => ({
    body: { webhook_config_id: await makeHostedRepository(fixtures), branch: 'main' },
  }),
  async deleteCheckpointRepository(fixtures) {
    const { people, ours } = fixtures;
    const path = `/api/v2/orgs/${ours}/audit-log/checkpoint-repository`;
    await readCreated(people.owner.send('PUT', path, { webhook_config_id: await makeHostedRepository(fixtures) }));
    return {};
  },
  async getPublicCheckpoint({ service, people, ours }) {
    await insertCheckpoint(service, ours);
    return { ids: { handle: await publishCheckpoints(people.owner, ours) } };
  },
  downloadCompliancePack: async (fixtures) => ({
    ids: { eid: await makeStoredPack(fixtures) },
    audit: ['audit_export.downloaded'],
  }),
  listDriftItems: makeComputedDrift,
  computeDrift: makeComputedDrift,
  async generateDriftNarrative(fixtures) {
    await removeAccount(fixtures);
    return makeComputedDrift(fixtures);
  },
  async generateResourceIac(fixtures) {
    await removeAccount(fixtures);
    return {};
  },
  createDriftIgnoreRule: () => ({ body: buildIgnoreRule(uniqueSuffix()) }),
  previewDriftIgnoreRule: async (fixtures) => {
    const { scan_id } = (await makeComputedDrift(fixtures)).ids;
    return { body: { scan_run_id: scan_id, rule: buildIgnoreRule('Preview') } };
  },
  async cancelScan(fixtures) {
    // Not in the queue, so that it does not end by itself.
    const cloud_account_id = await makeRecord(fixtures, 'account_id', 'ours');
    const run = {
      id: newId(),
      org_id: fixtures.ours,
      kind: 'cloud',
      scan_type: 'manual',
      provider: 'aws',
      cloud_account_id,
    };
    await fixtures.service.admin_db('scan_runs').insert({ ...run, queued_at: new Date() });
    return { ids: { scan_id: run.id } };
  },
  updateNoiseSettings: () => ({ body: { recurrence_threshold: randomInt(1, 1_001), window_days: randomInt(1, 366) } }),
  suppressPlanNoise: () => ({ body: buildSuppression(uniqueSuffix()) }),
  createStateSource: () => ({
    body: { display_name: 'Shop', kind: 'tfc', config: { workspace: `acme/${uniqueSuffix()}`, token: CANARY_TOKEN } },
  }),
  uploadState: () => ({ body: JSON.parse(stateText(1)) }),
  createStateSourceGlob: () => ({ body: buildGlob(uniqueSuffix()) }),
  previewStateSourceGlob: () => ({ body: buildGlob(uniqueSuffix()) }),
  createFederationTrust: () => ({ body: buildTrust(`trust ${uniqueSuffix()}`) }),
  createApiKey: () => ({ body: { name: `key ${uniqueSuffix()}`, scopes: ['read'] } }),
  createWebhookConfig: () => ({ body: { provider: 'gitlab', repo_path: `acme/${uniqueSuffix()}` } }),
  receiveGithubWebhook: async (fixtures) => ({
    ids: { config_id: await makeRepository(fixtures, 'github') },
    body: {},
    status: 401,
  }),
  receiveGitlabWebhook: async (fixtures) => ({
    ids: { config_id: await makeRepository(fixtures, 'gitlab') },
    body: {},
    status: 401,
  }),
  setWebhookToken: async (fixtures) => ({
    ids: { config_id: await makeHostedRepository(fixtures) },
    body: { api_token: buildHostedToken('developer') },
  }),
  deleteWebhookConfig: async (fixtures) => ({ ids: { config_id: await makeHostedRepository(fixtures) } }),
  deleteWebhookToken: async (fixtures) => ({ ids: { config_id: await makeHostedRepository(fixtures) } }),
  createScmInstallUrl: () => ({ body: { provider: 'github' } }),
  createScanLink: () => ({ body: { expires_in_s: 60 } }),
  previewPlanChange: () => ({ query: 'plan=free' }),
  // The deployment has no payment provider.
  createCheckoutSession: () => ({ body: { plan: 'team' }, status: 503 }),
  createPortalSession: () => ({ body: {}, status: 503 }),
  receiveStripeWebhook: () => ({ body: {}, status: 503 }),
  putSsoConfig: () => ({ body: {}, status: 503 }),
  receiveGithubAppWebhook: () => ({ body: {}, status: 401 }),
  completeGithubInstallation: () => ({ headers: randomAddressHeader(), status: 302 }),
  confirmGithubInstallation: async (fixtures) => {
    const { token, cookie } = readForm(await openConfirmationPage(fixtures));
    // It needs no credential: its writes count as preparation where writes are measured.
    return { body: { token, decision: 'link' }, headers: { ...randomAddressHeader(), cookie }, status: 303, audit: [] };
  },
  completeChatInstallation: () => ({ query: 'state=a.b', headers: randomAddressHeader(), status: 302 }),
  confirmChatInstallation: async (fixtures) => {
    const { token, cookie } = readForm(await openChatConfirmation(fixtures));
    return {
      body: { token, decision: 'install' },
      headers: { ...randomAddressHeader(), cookie },
      status: 303,
      audit: [],
    };
  },
  listChatChannels: async (fixtures) => {
    await connectSlack(fixtures);
    return {};
  },
  deleteChatInstallation: async (fixtures) => {
    await connectSlack(fixtures);
    return {};
  },
  receiveSlackEvent: () => ({ body: {}, status: 401 }),
  receiveSlackCommand: () => ({ body: {}, status: 401, audit: [] }),
  receiveSlackInteraction: () => ({ body: {}, status: 401, audit: [] }),
  redeliverWebhook: async (fixtures) => ({
    ids: await makeDelivery(fixtures, fixtures.people.owner, fixtures.ours, 'ours'),
  }),
  createNotificationTarget: () => ({ body: { kind: 'slack', channel: `C${uniqueSuffix().toUpperCase()}` } }),
  updateNotificationTarget: () => ({ body: { label: uniqueSuffix() } }),
  updateWebhookConfig: () => ({ body: { label: uniqueSuffix() } }),
  exchangeToken: ({ ours }) => ({
    body: {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: 'a.b.c',
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      audience: ours,
    },
    status: 400,
  }),
  async verifyOrgAuditLog({ service }) {
    await service.admin_db('audit_verifications').delete();
    return {};
  },
};

/** @returns the unguessable part of the address */
async function publishCheckpoints(owner: Caller, org: string): Promise<string> {
  const path = `/api/v2/orgs/${org}/audit-log/checkpoint-settings`;
  const { public_url } = await readCreated(owner.send('PUT', path, { public: true, webhook_config_id: null }));
  return public_url.split('/').at(-1);
}

async function insertCheckpoint({ admin_db }: TestService, org_id: string): Promise<void> {
  const hashes = { root_hash: '0'.repeat(64), head_hash: '0'.repeat(64), subtrees: ['0'.repeat(64)] };
  const row = { org_id, size: 1, ...hashes, note: 'a note\n', created_at: new Date(), copied_at: new Date() };
  await admin_db('audit_checkpoints').insert(row).onConflict(['org_id', 'size']).ignore();
}

/** A pack that no worker builds. */
async function insertPack(service: TestService, org_id: string, columns: Record<string, unknown>): Promise<string> {
  const at = new Date();
  const id = newId();
  const period = { period_start: new Date(0), period_end: at, created_at: at, expires_at: at, queued_at: at };
  const ended = { status: 'error', finished_at: at, error_message: 'The build has failed.' };
  await service.admin_db('audit_exports').insert({ id, org_id, requested_by: '', ...period, ...ended, ...columns });
  return id;
}

/** A pack whose file is in the object store. */
async function makeStoredPack({ service, ours }: ServiceFixtures): Promise<string> {
  const bytes = Buffer.from('a pack');
  const artifact_key = `packs/${ours}/${newId()}/1.zip`;
  await createFolderStore(join(service.data_dir, 'blobs')).put(artifact_key, bytes);
  const artifact = { artifact_bytes: bytes.length, artifact_sha256: createHash('sha256').update(bytes).digest('hex') };
  return insertPack(service, ours, { ...artifact, artifact_key, status: 'done', error_message: null });
}

/** Calls an operation with a valid request: new records of the organization for all path parameters. */
export async function callValid(
  fixtures: ServiceFixtures,
  operation: Operation,
  as: { caller: Caller; recipe_for?: Person; org?: string },
): Promise<{ answer: Answer; recipe: Recipe }> {
  const { path, recipe } = await buildValidRequest(fixtures, operation, as);
  return { answer: await as.caller.send(operation.method, path, recipe.body, recipe.headers), recipe };
}

/** The request of `callRightly`, to be sent by the test itself. */
export async function buildValidRequest(
  fixtures: ServiceFixtures,
  operation: Operation,
  { recipe_for = 'owner', org }: { recipe_for?: Person; org?: string } = {},
): Promise<{ path: string; recipe: Recipe }> {
  const recipe = (await RECIPES[operation.id]?.(fixtures, recipe_for)) ?? {};
  const ids: Record<string, string> = { id: org ?? fixtures.ours, ...recipe.ids };
  for (const name of operation.ids) ids[name] ??= await makeRecord(fixtures, name, 'ours');
  const query = recipe.query === undefined ? '' : `?${recipe.query}`;
  return { path: buildPath(operation, ids) + query, recipe };
}

export function callOperation(
  operation: Operation,
  caller: Caller,
  ids: Record<string, string>,
  body: unknown,
  query = '',
) {
  return caller.send(operation.method, buildPath(operation, ids) + query, body);
}

function buildPath({ path }: Operation, ids: Record<string, string>): string {
  return `/api/v2${path.replace(/\{(\w+)\}/g, (_, name) => ids[name] ?? `no-${name}`)}`;
}

/** The body of a valid request. */
export async function buildValidBody(fixtures: ServiceFixtures, operation: Operation): Promise<unknown> {
  return (await RECIPES[operation.id]?.(fixtures, 'owner'))?.body;
}

/** A fingerprint of all stored data of an organization, by table. */
export async function fingerprintOrg({ service }: ServiceFixtures, org: string): Promise<Record<string, string>> {
  const { rows } = await service.admin_db.raw(
    `select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id'
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`,
  );
  const names = rows.map(({ relname }: { relname: string }) => relname);
  const tables = [{ name: 'orgs', column: 'id' }, ...names.map((name: string) => ({ name, column: 'org_id' }))];
  const hashes = tables.map(
    ({ name, column }) =>
      `select '${name}' as name, md5(coalesce(string_agg(t::text, ',' order by t::text), '')) as hash
       from ${name} t where t.${column} = :org`,
  );
  const found = await service.admin_db.raw(hashes.join(' union all '), { org });
  return Object.fromEntries(found.rows.map(({ name, hash }: { name: string; hash: string }) => [name, hash]));
}
