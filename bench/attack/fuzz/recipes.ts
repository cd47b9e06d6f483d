import type { Dice } from '../dice.ts';
import type { FuzzOperation } from './contract.ts';
import { type FuzzFixtures, PLAN, SECRET } from './fixtures.ts';
import { githubPayload } from './signing.ts';

type Recipe = (fixtures: FuzzFixtures, dice: Dice, org: string) => unknown;

const RISK = { version: 1, match: {}, effect: 'raise', level: 'low', message: 'Ask first.' };
const NOISE = { version: 1, match: { resource_types: ['aws_*'] }, attributes: ['tags.*'], severity: 'harmless' };
const WHEN = [{ path: 'tags.Name', op: 'matches', value: '^a+$' }];

const policyRule = (dice: Dice) => ({
  id: `rule-${dice.hex(6)}`,
  name: `Rule ${dice.hex(6)}`,
  enabled: true,
  match: { resource_types: ['aws_*'] },
  effect: 'block',
  reason: 'Frozen.',
});

const customRule = (dice: Dice) => ({
  name: `rule ${dice.hex(8)}`,
  description: 'What it is for.',
  ...dice.pick([
    { rule_type: 'risk', config: RISK },
    { rule_type: 'risk', config: { ...RISK, when: WHEN } },
    { rule_type: 'noise', config: NOISE },
  ]),
});

const organization = (_fixtures: FuzzFixtures, dice: Dice) => ({ slug: `org-${dice.hex(12)}`, display_name: 'Made' });
const scan = (fixtures: FuzzFixtures, dice: Dice, org: string) =>
  fixtures.pools.pick(dice, 'scan_id', org) ?? dice.hex(8);

/** Builders of valid bodies. Other operations use the example in the contract. */
const RECIPES: Record<string, Recipe> = {
  createOrg: organization,
  createOrgWithoutOwner: organization,
  addDomain: (_fixtures, dice) => ({ domain: `${dice.hex(10)}.example.com` }),
  createMembership: ({ ours, fresh_org, pools }, dice) => ({
    org_id: dice.pick([ours, fresh_org]),
    role: 'viewer',
    user_id: pools.pick(dice, 'users id', '') ?? '',
  }),
  acceptInvitation: ({ tokens }, dice) => ({ token: dice.pick(tokens) }),
  createInvitation: (_fixtures, dice) => ({ email: `${dice.hex(12)}@example.com`, role: 'viewer' }),
  createApiKey: (_fixtures, dice) => ({ name: `key ${dice.hex(4)}`, scopes: ['read'] }),
  createCustomRule: (_fixtures, dice) => customRule(dice),
  updateCustomRule(_fixtures, dice) {
    const { rule_type: _fixed, ...body } = customRule(dice);
    return body;
  },
  testCustomRule: (fixtures, dice, org) => {
    const { rule_type, config } = customRule(dice);
    return { rule_type, config, scan_run_id: scan(fixtures, dice, org) };
  },
  replaceRiskPolicy: (_fixtures, dice) => ({ rules: [policyRule(dice)] }),
  previewRiskPolicy: (fixtures, dice, org) => ({ rules: [policyRule(dice)], scan_run_id: scan(fixtures, dice, org) }),
  disableBuiltinRule: (_fixtures, dice) => ({
    builtin_rule_id: dice.pick(['N-AWS-018', 'N-AWS-001']),
    rule_type: 'noise',
  }),
  suppressPlanNoise: (_fixtures, dice) => ({
    fingerprints: [dice.hex(32)],
    resource_addresses: ['aws_s3_bucket.a'],
    reason: 'Known.',
    duration: '7d',
  }),
  analyzePlan: (_fixtures, dice) => ({
    plan_json: dice.chance(0.5) ? PLAN : '{"format_version":"1.2","resource_changes":[]}',
    ci: { repo_owner: 'acme', repo_name: 'infra', pr_number: 1 + dice.below(9), branch: 'main' },
  }),
  createFederationTrust: (_fixtures, dice) => ({
    name: `trust ${dice.hex(6)}`,
    issuer: 'https://token.actions.githubusercontent.com',
    conditions: [{ claim: 'repository_id', op: 'eq', value: '1' }],
    scopes: ['analysis:write'],
    ttl_seconds: 300,
  }),
  createWebhookConfig: ({ host }, dice) =>
    dice.pick([
      { provider: 'generic', provider_base_url: `${host}/${dice.hex(6)}` },
      { provider: 'gitlab', repo_path: `acme/${dice.hex(6)}` },
      { provider: 'github', repo_path: `acme/${dice.hex(6)}` },
    ]),
  setWebhookToken: ({ host_token }, dice) => ({ api_token: dice.pick([host_token, `${SECRET}-token-of-a-host`]) }),
  receiveGithubAppWebhook: (_fixtures, dice) => githubPayload(dice),
  receiveGithubWebhook: (_fixtures, dice) => githubPayload(dice),
  receiveGitlabWebhook: (_fixtures, dice) => githubPayload(dice),
  putLlmConfig: (_fixtures, dice) =>
    dice.pick([
      { provider: 'gemini', api_key: `${SECRET}-gemini` },
      { provider: 'openai', api_key: `${SECRET}-openai` },
      { provider: 'anthropic', api_key: `${SECRET}-anthropic` },
    ]),
  createScmInstallUrl: () => ({ provider: 'github' }),
  exchangeToken: ({ ours }) => ({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: 'a.b.c',
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    audience: ours,
  }),
};

/** A valid body for an operation in an organization; from a recipe or the contract; `{}` if neither has one. */
export function buildValidBody(operation: FuzzOperation, fixtures: FuzzFixtures, dice: Dice, org: string): unknown {
  const recipe = RECIPES[operation.id];
  if (recipe !== undefined) return recipe(fixtures, dice, org);
  const examples = operation.body?.examples ?? [];
  return examples.length === 0 ? {} : structuredClone(dice.pick(examples));
}
