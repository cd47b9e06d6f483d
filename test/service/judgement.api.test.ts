import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Caller, startTestService, type TestService } from '../helpers/service.ts';

const SERVICE = 'module.prod.aws_ecs_service.api';

/** A plan that scales a service, and can open its database to the internet. */
function plan({ to = 5, opened = false }: { to?: number; opened?: boolean } = {}): string {
  const database = { publicly_accessible: false, identifier: 'shop' };
  const changes = [
    entry(SERVICE, { desired_count: 2 }, { desired_count: to }),
    ...(opened ? [entry('aws_db_instance.shop', database, { ...database, publicly_accessible: true })] : []),
  ];
  return JSON.stringify({ format_version: '1.2', terraform_version: '1.11.4', resource_changes: changes });
}

function entry(address: string, before: object, after: object) {
  const parts = address.split('.');
  const [type, name] = parts.slice(-2) as [string, string];
  const module_address = parts.length > 2 ? { module_address: parts.slice(0, -2).join('.') } : {};
  const provider_name = 'registry.terraform.io/hashicorp/aws';
  const change = { actions: ['update'], before, after, after_unknown: {} };
  return { address, ...module_address, mode: 'managed', type, name, provider_name, change };
}

const NOISE_CONFIG = {
  version: 1,
  match: { resource_types: ['aws_ecs_service'], actions: ['update'] },
  attributes: ['desired_count'],
  severity: 'harmless',
};

describe('rules, suppressions and policy over HTTP', () => {
  let service: TestService;
  let ana: Caller;
  beforeAll(async () => {
    service = await startTestService();
    ana = await service.signIn('ana');
  });
  afterAll(() => service.close());

  let orgs = 0;
  async function makeOrg(): Promise<string> {
    orgs += 1;
    const { headers } = await ana.post('/api/v2/orgs', { slug: `judge-${orgs}`, display_name: `Judge ${orgs}` });
    return headers.get('location') ?? '';
  }

  async function analyze(org: string, plan_json: string, ci: object = {}) {
    const { headers, body } = await ana.post(`${org}/analyze`, { plan_json, ci });
    const { body: job } = await service.waitForJob(ana, headers.get('location') ?? '');
    expect(job.status).toBe('done');
    return { ...job.result, scan_run_id: body.scan_run_id };
  }

  const inShop = (commit_sha: string) => ({ repo_owner: 'acme', repo_name: 'shop', branch: 'main', commit_sha });

  test('a recurring difference is listed, suppressed at its address, and returns with another value', async () => {
    const org = await makeOrg();
    for (const commit of ['a1', 'a2', 'a2', 'a3', 'a4']) await analyze(org, plan(), inShop(commit));

    const { body: listed } = await ana.get(`${org}/plan-noise?repo_owner=acme&repo_name=shop`);
    expect(listed.settings).toEqual({ recurrence_threshold: 3, window_days: 30 });
    expect(listed.patterns).toHaveLength(1);
    const [pattern] = listed.patterns;
    expect(pattern).toMatchObject({
      resource_address: SERVICE,
      resource_type: 'aws_ecs_service',
      attribute: 'desired_count',
      action: 'update',
      classification: 'novel',
      occurrence_count: 4,
      suppressed: false,
    });

    const { status, body } = await ana.post(`${org}/plan-noise/suppress`, {
      fingerprints: [pattern.fingerprint],
      resource_addresses: [SERVICE],
      reason: 'autoscaling owns it',
      duration: '30d',
    });
    expect(status).toBe(201);
    const [suppression] = body.suppressions;

    const same = await analyze(org, plan());
    expect(same.plan_noise).toMatchObject({ known_benign: 1, suppressed: 1, novel: 0 });
    expect(same.changes[0].noise.suppression_id).toBe(suppression.id);
    const another = await analyze(org, plan({ to: 9 }));
    expect(another.plan_noise).toMatchObject({ suppressed: 0, novel: 1 });

    await ana.send('DELETE', `${org}/plan-noise/suppressions/${suppression.id}`);
    expect((await analyze(org, plan())).plan_noise).toMatchObject({ suppressed: 0, novel: 1 });
  });

  test('an expired suppression has no effect', async () => {
    const org = await makeOrg();
    const first = await analyze(org, plan());
    const [fingerprint] = first.changes[0].noise.fingerprints;
    await ana.post(`${org}/plan-noise/suppress`, {
      fingerprints: [fingerprint],
      resource_addresses: [SERVICE],
      reason: 'x',
      duration: '7d',
    });
    expect((await analyze(org, plan())).plan_noise.suppressed).toBe(1);

    await service.admin_db('noise_suppressions').where({ fingerprint }).update({ expires_at: new Date() });

    expect((await analyze(org, plan())).plan_noise.suppressed).toBe(0);
  });

  test('a serious security change cannot be hidden, and the override is reported', async () => {
    const org = await makeOrg();
    const config = { ...NOISE_CONFIG, match: {}, attributes: ['**'] };
    await ana.post(`${org}/custom-rules`, { name: 'all', description: '-', rule_type: 'noise', config });

    const { changes } = await analyze(org, plan({ opened: true }));

    const opened = changes.find(({ type }: { type: string }) => type === 'aws_db_instance');
    expect(opened).toMatchObject({
      risk: { level: 'high', guarded: true },
      noise: { classification: 'known_benign', overridden: true },
    });
  });

  test('a rule applies from the next analysis on, until it is disabled', async () => {
    const org = await makeOrg();
    const before = await analyze(org, plan());
    expect(before.changes[0].noise.classification).toBe('novel');
    const input = { name: 'Autoscaled', description: 'by load', rule_type: 'noise', config: NOISE_CONFIG };

    const { body: tried } = await ana.post(`${org}/custom-rules/test`, {
      rule_type: 'noise',
      config: NOISE_CONFIG,
      scan_run_id: before.scan_run_id,
    });
    expect(tried).toEqual({
      matches: [{ address: SERVICE, path: 'desired_count' }],
      match_count: 1,
      total_changes: 1,
    });
    const { body: rule } = await ana.post(`${org}/custom-rules`, input);
    const on = await analyze(org, plan());
    await ana.send('PATCH', `${org}/custom-rules/${rule.id}`, { enabled: false });
    const off = await analyze(org, plan());

    expect(on.changes[0].noise).toMatchObject({ classification: 'known_benign', matched_custom_rule_id: rule.id });
    expect(off.changes[0].noise).toMatchObject({ classification: 'novel', matched_custom_rule_id: null });
  });

  test('a disabled built-in rule gives no reason', async () => {
    const org = await makeOrg();
    const ids = ({ changes }: Awaited<ReturnType<typeof analyze>>) =>
      changes.flatMap(({ risk }: { risk: { reasons: { rule_id: string }[] } }) =>
        risk.reasons.map(({ rule_id }) => rule_id),
      );
    expect(ids(await analyze(org, plan({ opened: true })))).toContain('R-DB-PUBLIC');

    const { status } = await ana.post(`${org}/disabled-rules`, { builtin_rule_id: 'R-DB-PUBLIC', rule_type: 'risk' });

    expect(status).toBe(201);
    expect(ids(await analyze(org, plan({ opened: true })))).not.toContain('R-DB-PUBLIC');
  });

  test('a policy blocks a plan after a preview showed that it would', async () => {
    const org = await makeOrg();
    const stored = await analyze(org, plan(), inShop('a1'));
    const rules = [
      {
        id: 'prod-freeze',
        name: 'Freeze',
        enabled: true,
        match: { addresses: ['module.prod.**'], repos: ['acme/*'] },
        effect: 'block',
        reason: 'Quarter end',
      },
      {
        id: 'loud',
        name: 'Services',
        enabled: true,
        match: { resource_types: ['aws_ecs_*'], branches: ['main'] },
        effect: 'raise',
        level: 'high',
        reason: 'Look twice',
      },
    ];

    const { body: preview } = await ana.post(`${org}/risk-policy/preview`, { rules, scan_run_id: stored.scan_run_id });
    expect(preview).toEqual({
      before: stored.risk_level,
      after: 'high',
      changed: [{ address: SERVICE, before: stored.risk_level, after: 'high' }],
    });
    const { body: policy } = await ana.send('PUT', `${org}/risk-policy`, { rules });

    const here = await analyze(org, plan(), inShop('a2'));
    expect(here).toMatchObject({
      risk_level: 'high',
      risk: { blocked: true, policy_version: policy.version },
    });
    expect(here.risk.block_reasons[0]).toMatchObject({ rule_id: 'prod-freeze', kind: 'policy', effect: 'block' });
    const elsewhere = await analyze(org, plan());
    expect(elsewhere.risk).toMatchObject({ blocked: false, policy_version: policy.version });
  });

  test('decisions of one organization have no effect in another', async () => {
    const [one, other] = [await makeOrg(), await makeOrg()];
    await ana.post(`${one}/custom-rules`, { name: 'n', description: '-', rule_type: 'noise', config: NOISE_CONFIG });

    expect((await analyze(one, plan())).plan_noise.known_benign).toBe(1);
    expect((await analyze(other, plan())).plan_noise.known_benign).toBe(0);
  });
});
