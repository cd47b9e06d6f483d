import { randomBytes, randomInt } from 'node:crypto';
import { newId } from '../../server/lib/ids.ts';
import type { ServiceRole } from '../../server/main.ts';
import { startGithubServer } from '../bot/github-server.ts';
import { CALLBACK, readForm } from '../helpers/github-return.ts';
import { hostedToken, startScmHost } from '../helpers/scm-host.ts';
import { type Answer, type Caller, startTestService, type TestService } from '../helpers/service.ts';
import { keepPlan } from './kept-plan.ts';
import type { Operation } from './operations.ts';

export const PEOPLE = ['viewer', 'member', 'admin', 'owner', 'stranger', 'root'] as const;
export type Person = (typeof PEOPLE)[number];

/** Stands in whatever belongs to the other org: an answer that shows it has leaked. */
export const CANARY = 'canary';

/** The secret of an invitation's link. */
export function tokenOf(accept_url: string): string {
  return accept_url.split('#token=')[1] ?? '';
}

/** A right request: what stands in the path beside the org, and the body. */
export interface Recipe {
  ids?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
  /** Where a right request of somebody nobody knows is refused all the same. */
  status?: number;
  /** Which of the declared audit rows it writes; all of them unless given. */
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
  API_URL: 'https://api.example.com',
  // Nobody listens there.
  LLM_ENDPOINT_GEMINI: 'http://127.0.0.1:1',
  // So that each of many callers can have an address of its own.
  TRUSTED_PROXIES: '1',
};

/** Two orgs with everything in them, and everybody who might ask. */
export async function makeWorld(role: ServiceRole = 'all') {
  const host = await startScmHost();
  const github = await startGithubServer();
  const settings = { ...SETTINGS, EGRESS_ALLOWED_HOSTS: host.host, ...github.environment };
  const service = await startTestService(settings, role);
  const people = {} as Record<Person, Caller>;
  const users = {} as Record<Person, string>;
  // Nobody has signed in yet: who asks first is the platform admin.
  await (await service.as('root')).get('/api/v2/admin/me');
  for (const name of PEOPLE) {
    people[name] = await service.as(name === 'stranger' ? `stranger-${CANARY}` : name);
    users[name] = (await people[name].get('/api/v2/me')).body.user.id;
  }
  const world = {
    service,
    host,
    github,
    people,
    users,
    ours: '',
    theirs: '',
    keys: {} as Record<string, Caller>,
    analyses: new Map<string, Analysis>(),
  };

  world.ours = await makeOrg(service, people.owner, 'acme');
  world.theirs = await makeOrg(service, people.stranger, `org-${CANARY}`);
  for (const role of ['viewer', 'member', 'admin'] as const) await addMember(service, world.ours, users[role], role);
  for (const scope of ['read', 'write', 'traces:read', 'audit:read']) {
    world.keys[scope] = service.with({ 'x-api-key': await makeKey(people.owner, world.ours, [scope]) });
  }
  return world;
}

export type World = Awaited<ReturnType<typeof makeWorld>>;

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
  return (await made(owner.post(`/api/v2/orgs/${org}/api-keys`, { name, scopes }))).key;
}

// biome-ignore lint/suspicious/noExplicitAny: what a reply holds is what the test asks
async function made(answer: Promise<Answer>): Promise<any> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`a fixture was not made: ${status} ${JSON.stringify(body)}`);
  return body;
}

const PLAN = { plan_json: '{"format_version":"1.2","resource_changes":[]}' };
const trust = (name: string) => ({
  name,
  issuer: ISSUER,
  conditions: [{ claim: 'repository_id', op: 'eq', value: '1' }],
  scopes: ['analysis:write'],
  ttl_seconds: 300,
});
const unique = () => newId().slice(-12);
const ACCOUNT = { provider: 'gemini', api_key: `key-${CANARY}` };
const RISK_CONFIG = { version: 1, match: {}, effect: 'raise', level: 'low', message: 'Ask.' };
const customRule = (name: string) => ({ name, description: name, rule_type: 'risk', config: RISK_CONFIG });
const policyRule = (name: string) => ({ id: 'a', name, enabled: true, match: {}, effect: 'block', reason: name });
const suppression = (reason: string) => ({
  fingerprints: [randomBytes(16).toString('hex')],
  resource_addresses: [`aws_s3_bucket.${reason}`],
  reason,
  duration: '7d',
});
/** There are only so many built-in rules: one is given back before it is disabled again. */
const DISABLED = { builtin_rule_id: 'N-AWS-018', rule_type: 'noise' };

/**
 * Makes a record of every kind that has an id in a path.
 *
 * @param owner owner of the org
 */
const MAKERS: Record<string, (world: World, owner: Caller, org: string, label: string) => Promise<string>> = {
  job_id: async (world, owner, org) => (await standingAnalysis(world, owner, org)).job_id,
  scan_id: async (world, owner, org) => (await standingAnalysis(world, owner, org)).scan_run_id,
  membership_id: async ({ service }, _owner, org, label) =>
    addMember(service, org, await makePerson(service, label), 'member'),
  invitation_id: async (_world, owner, org, label) => {
    const email = `${label}-${unique()}@example.com`;
    return (await made(owner.post(`/api/v2/orgs/${org}/invitations`, { email, role: 'member' }))).id;
  },
  key_id: async (_world, owner, org, label) =>
    (await made(owner.post(`/api/v2/orgs/${org}/api-keys`, { name: label, scopes: ['read'] }))).id,
  trust_id: async (_world, owner, org, label) =>
    (await made(owner.post(`/api/v2/orgs/${org}/federation-trusts`, trust(label)))).id,
  config_id: makeGenericWebhook,
  delivery_id: async (world, owner, org, label) => (await makeDelivery(world, owner, org, label)).delivery_id,
  installation_row_id: makeInstallation,
  rule_id: async (_world, owner, org, label) =>
    (await made(owner.post(`/api/v2/orgs/${org}/custom-rules`, customRule(`${label} ${unique()}`)))).id,
  disabled_rule_id: async ({ service, users }, _owner, org_id, reason) => {
    const row = { id: newId(), org_id, rule_type: 'noise', reason, disabled_by: users.owner, created_at: new Date() };
    await service.admin_db('disabled_rules').insert({ ...row, builtin_rule_id: `N-${unique()}` });
    return row.id;
  },
  trace_id: async (world, owner, org_id, model) => {
    const { scan_run_id } = await standingAnalysis(world, owner, org_id);
    const id = `trc-${randomBytes(12).toString('hex')}`;
    const call = { id, org_id, scan_run_id, kind: 'narrative', status: 'failed', has_body: false, model };
    const inputs = JSON.stringify({ digest: '', char_count: 0, resource_count: 0 });
    const rest = { latency_ms: 1, cached: false, fallback: false, prompt_version: 'narrative-1', inputs };
    await world.service.admin_db('traces').insert({ ...call, ...rest, created_at: new Date() });
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
  plan_id: async (world, owner, org, label) =>
    keepPlan(world.service, org, await makeGenericWebhook(world, owner, org, label), PLAN.plan_json),
  suppression_id: async (_world, owner, org, label) =>
    (await made(owner.post(`/api/v2/orgs/${org}/plan-noise/suppress`, suppression(label)))).suppressions[0].id,
};

/** A server that cannot be called: what is tried in vain is tried on loopback. */
async function makeGenericWebhook(world: World, owner: Caller, org: string, label: string): Promise<string> {
  const server = { provider: 'generic', provider_base_url: `https://hooks.example.com/${unique()}`, label };
  const { id } = await made(owner.post(`/api/v2/orgs/${org}/webhook-configs`, server));
  await world.service
    .admin_db('webhook_configs')
    .where({ id })
    .update({ provider_base_url: `https://127.0.0.1/${id}`, target_ct: null });
  return id;
}

/** An installation that GitHub knows, linked with a key. */
async function makeInstallation(world: World, owner: Caller, org_id: string, label: string): Promise<string> {
  const { service, github, users } = world;
  github.addRepo(`${label}/infra`);
  const installation_id = github.install([`${label}/infra`]);
  const { account, permissions, html_url } = github.installation(installation_id);
  const api_key_id = (await made(owner.post(`/api/v2/orgs/${org_id}/api-keys`, { name: label, scopes: ['read'] }))).id;
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

function anyAddress(): Record<string, string> {
  return { 'x-forwarded-for': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}` };
}

/** The page that is shown to a person who installed the App for our org. */
async function comeBackFromGithub({ service, github, people, ours }: World): Promise<Answer> {
  const repo = `made-${unique()}/infra`;
  github.addRepo(repo);
  const installation_id = String(github.install([repo], { seen_by: ['ana'] }));
  const path = `/api/v2/orgs/${ours}/scm-installations/install-url`;
  const { install_url } = await made(people.owner.post(path, { provider: 'github' }));
  const state = new URL(install_url).searchParams.get('state') ?? '';
  const query = new URLSearchParams({ state, installation_id, code: github.code('ana') });
  return service.nobody.get(`${CALLBACK}?${query}`, anyAddress());
}

/** Something that was sent in vain. */
async function makeDelivery(world: World, owner: Caller, org: string, label: string) {
  const config_id = await makeGenericWebhook(world, owner, org, label);
  const path = `/api/v2/orgs/${org}/webhook-configs/${config_id}`;
  await made(owner.post(`${path}/test`, undefined));
  const { deliveries } = await made(owner.get(`${path}/deliveries`));
  return { config_id, delivery_id: deliveries[0].id as string };
}

async function makeRepository(
  { people, ours }: World,
  provider: 'github' | 'gitlab',
  more: Record<string, string> = {},
): Promise<string> {
  const repository = { provider, repo_path: `acme/${unique()}`, ...more };
  return (await made(people.owner.post(`/api/v2/orgs/${ours}/webhook-configs`, repository))).id;
}

/** A repository whose host answers for its token. */
async function makeHostedRepository(world: World): Promise<string> {
  const more = { provider_base_url: world.host.url, api_token: hostedToken('developer') };
  return makeRepository(world, 'gitlab', more);
}

/** One finished analysis an org: nothing that is asked of it changes it. */
async function standingAnalysis({ service, analyses }: World, owner: Caller, org: string): Promise<Analysis> {
  const known = analyses.get(org);
  if (known !== undefined) return known;
  const path = `/api/v2/orgs/${org}`;
  const analysis: Analysis = await made(owner.post(`${path}/analyze`, PLAN));
  await service.finished(owner, `${path}/llm-jobs/${analysis.job_id}`);
  analyses.set(org, analysis);
  return analysis;
}

/** A fresh record of that kind in the given org. */
export function makeRecord(world: World, name: string, whose: 'ours' | 'theirs'): Promise<string> {
  const make = MAKERS[name];
  if (make === undefined) throw new Error(`test/service/world.ts does not know how to make a record for {${name}}`);
  const owner = whose === 'ours' ? world.people.owner : world.people.stranger;
  return make(world, owner, world[whose], whose === 'ours' ? 'ours' : CANARY);
}

/** Whose analyses run on the platform's model, or on none. */
async function withoutAccount({ service, ours }: World): Promise<void> {
  for (const table of ['llm_configs', 'llm_breakers']) await service.admin_db(table).where({ org_id: ours }).delete();
}

async function withAccount({ service, people, ours }: World): Promise<Recipe> {
  await service.admin_db('llm_validations').delete();
  await made(people.owner.send('PUT', `/api/v2/orgs/${ours}/llm-config`, ACCOUNT));
  return {};
}

/** What a right request needs beside fresh records of its org; an operation that needs more and has none here fails. */
const RECIPES: Record<string, (world: World, caller: Person) => Promise<Recipe> | Recipe> = {
  createOrg: () => ({ body: { slug: `made-${unique()}`, display_name: 'Made' } }),
  createOrgWithoutOwner: () => ({ body: { slug: `made-${unique()}`, display_name: 'Made' } }),
  updateOrg: () => ({ body: { display_name: `Acme ${unique()}` } }),
  updateOrgSettings: () => ({ body: { default_notify_channel: `#${unique()}` } }),
  overrideOrgPlan: ({ ours }) => ({ ids: { org_id: ours }, body: { limits: { seats: 1000 } } }),
  async analyzePlan(world) {
    await withoutAccount(world);
    return { body: PLAN };
  },
  async analyzePullRequestPlan(world) {
    await withoutAccount(world);
    return {};
  },
  async generateNoiseFix(world) {
    await withoutAccount(world);
    return {};
  },
  async putLlmConfig(world) {
    await withoutAccount(world);
    return { body: ACCOUNT, audit: ['llm_config.created'] };
  },
  getLlmConfig: withAccount,
  deleteLlmConfig: withAccount,
  validateLlmConfig: withAccount,
  addDomain: () => ({ body: { domain: `${unique()}.example.com` } }),
  async deleteDomain({ people }) {
    const domain = `${unique()}.example.com`;
    return { ids: { id: (await made(people.root.post('/api/v2/admin/domains', { domain }))).id } };
  },
  async createMembership({ service, ours }) {
    return { body: { org_id: ours, role: 'member', user_id: await makePerson(service, 'added') } };
  },
  deleteMembership: async (world) => ({ ids: { id: await makeRecord(world, 'membership_id', 'ours') } }),
  setMembershipRole: async (world) => ({
    ids: { id: await makeRecord(world, 'membership_id', 'ours') },
    body: { role: 'viewer' },
  }),
  deleteUser: async ({ service }) => ({ ids: { id: await makePerson(service, 'leaving') } }),
  listUserMemberships: ({ users }) => ({ ids: { id: users.member } }),
  changeMemberRole: () => ({ body: { role: 'viewer' } }),
  createInvitation: () => ({ body: { email: `${unique()}@example.com`, role: 'viewer' } }),
  async acceptInvitation({ service, people }, caller) {
    const founder = await service.as('founder');
    const org = await makeOrg(service, founder, `club-${unique()}`);
    const { email } = (await people[caller].get('/api/v2/me')).body.user;
    const { accept_url } = await made(founder.post(`/api/v2/orgs/${org}/invitations`, { email, role: 'viewer' }));
    return { body: { token: tokenOf(accept_url) } };
  },
  createCustomRule: () => ({ body: customRule(`rule ${unique()}`) }),
  updateCustomRule() {
    const { rule_type: _fixed, ...body } = customRule(`rule ${unique()}`);
    return { body };
  },
  setCustomRuleEnabled: () => ({ body: { enabled: false }, audit: ['custom_rule.disabled'] }),
  testCustomRule: async (world) => ({
    body: { rule_type: 'risk', config: RISK_CONFIG, scan_run_id: await makeRecord(world, 'scan_id', 'ours') },
  }),
  async disableBuiltinRule({ service, ours }) {
    await service
      .admin_db('disabled_rules')
      .where({ org_id: ours, ...DISABLED })
      .delete();
    return { body: DISABLED };
  },
  replaceRiskPolicy: () => ({ body: { rules: [policyRule(unique())] } }),
  previewRiskPolicy: async (world) => ({
    body: { rules: [policyRule('Freeze')], scan_run_id: await makeRecord(world, 'scan_id', 'ours') },
  }),
  updateNoiseSettings: () => ({ body: { recurrence_threshold: randomInt(1, 1_001), window_days: randomInt(1, 366) } }),
  suppressPlanNoise: () => ({ body: suppression(unique()) }),
  createFederationTrust: () => ({ body: trust(`trust ${unique()}`) }),
  createApiKey: () => ({ body: { name: `key ${unique()}`, scopes: ['read'] } }),
  createWebhookConfig: () => ({ body: { provider: 'gitlab', repo_path: `acme/${unique()}` } }),
  receiveGithubWebhook: async (world) => ({
    ids: { config_id: await makeRepository(world, 'github') },
    body: {},
    status: 401,
  }),
  receiveGitlabWebhook: async (world) => ({
    ids: { config_id: await makeRepository(world, 'gitlab') },
    body: {},
    status: 401,
  }),
  setWebhookToken: async (world) => ({
    ids: { config_id: await makeHostedRepository(world) },
    body: { api_token: hostedToken('developer') },
  }),
  deleteWebhookConfig: async (world) => ({ ids: { config_id: await makeHostedRepository(world) } }),
  deleteWebhookToken: async (world) => ({ ids: { config_id: await makeHostedRepository(world) } }),
  createScmInstallUrl: () => ({ body: { provider: 'github' } }),
  createScanLink: () => ({ body: { expires_in_s: 60 } }),
  receiveGithubAppWebhook: () => ({ body: {}, status: 401 }),
  completeGithubInstallation: () => ({ headers: anyAddress(), status: 302 }),
  confirmGithubInstallation: async (world) => {
    const { token, cookie } = readForm(await comeBackFromGithub(world));
    // Nobody needs a credential for it: what it writes counts as the cost of preparing, where that is measured.
    return { body: { token, decision: 'link' }, headers: { ...anyAddress(), cookie }, status: 303, audit: [] };
  },
  redeliverWebhook: async (world) => ({ ids: await makeDelivery(world, world.people.owner, world.ours, 'ours') }),
  updateWebhookConfig: () => ({ body: { label: unique() } }),
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

/** Calls an operation rightly: fresh records of our org wherever the path names one. */
export async function callRightly(
  world: World,
  operation: Operation,
  as: { caller: Caller; recipe_for?: Person; org?: string },
): Promise<{ answer: Answer; recipe: Recipe }> {
  const { path, recipe } = await rightRequest(world, operation, as);
  return { answer: await as.caller.send(operation.method, path, recipe.body, recipe.headers), recipe };
}

/** What `callRightly` sends, to be sent by the test itself. */
export async function rightRequest(
  world: World,
  operation: Operation,
  { recipe_for = 'owner', org }: { recipe_for?: Person; org?: string } = {},
): Promise<{ path: string; recipe: Recipe }> {
  const recipe = (await RECIPES[operation.id]?.(world, recipe_for)) ?? {};
  const ids: Record<string, string> = { id: org ?? world.ours, ...recipe.ids };
  for (const name of operation.ids) ids[name] ??= await makeRecord(world, name, 'ours');
  return { path: pathOf(operation, ids), recipe };
}

export function callWith(operation: Operation, caller: Caller, ids: Record<string, string>, body: unknown, query = '') {
  return caller.send(operation.method, pathOf(operation, ids) + query, body);
}

function pathOf({ path }: Operation, ids: Record<string, string>): string {
  return `/api/v2${path.replace(/\{(\w+)\}/g, (_, name) => ids[name] ?? `no-${name}`)}`;
}

/** The body that a right request would have. */
export async function rightBody(world: World, operation: Operation): Promise<unknown> {
  return (await RECIPES[operation.id]?.(world, 'owner'))?.body;
}

/** Everything that is stored of an org, as one fingerprint. */
export async function fingerprintOf({ service }: World, org: string): Promise<Record<string, string>> {
  const { rows } = await service.admin_db.raw(
    `select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id'
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`,
  );
  const found: Record<string, string> = {};
  for (const { relname } of [...rows, { relname: 'orgs' }]) {
    const column = relname === 'orgs' ? 'id' : 'org_id';
    const { rows: hashed } = await service.admin_db.raw(
      `select md5(coalesce(string_agg(t::text, ',' order by t::text), '')) as hash from ${relname} t where t.${column} = ?`,
      [org],
    );
    found[relname] = hashed[0].hash;
  }
  return found;
}
