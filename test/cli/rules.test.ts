import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { PlanAnalysis } from '../../engine/index.ts';
import { runCli } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'dpa-rules-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PLAN = JSON.stringify({
  format_version: '1.2',
  terraform_version: '1.11.4',
  resource_changes: [
    {
      address: 'module.prod.aws_ecs_service.api',
      module_address: 'module.prod',
      mode: 'managed',
      type: 'aws_ecs_service',
      name: 'api',
      provider_name: 'registry.terraform.io/hashicorp/aws',
      change: { actions: ['update'], before: { desired_count: 2 }, after: { desired_count: 5 }, after_unknown: {} },
    },
  ],
});

function writeRules(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

async function judge(rules: string, ...more: string[]) {
  const args = ['analyze', '-', '--format', 'json', '--rules', rules, ...more];
  const { code, stdout, stderr } = await runCli(args, { input: PLAN });
  return { code, stderr, analysis: stdout === '' ? null : (JSON.parse(stdout) as PlanAnalysis) };
}

describe('dpa analyze --rules', () => {
  test('a noise rule of the file makes its change known noise', async () => {
    const rules = writeRules(
      'noise.yaml',
      `custom_rules:
  - name: Autoscaled
    rule_type: noise
    config: { version: 1, match: { resource_types: [aws_ecs_service] }, attributes: [desired_count], severity: harmless }
`,
    );

    const { code, analysis } = await judge(rules);

    expect(code).toBe(0);
    expect(analysis?.changes[0]?.noise).toMatchObject({
      classification: 'known_benign',
      matched_custom_rule_id: 'Autoscaled',
    });
    expect(analysis?.risk_level).toBe('none');
  });

  test('a blocking policy exits with 2, and only if it matches the repository', async () => {
    const rules = writeRules(
      'policy.json',
      JSON.stringify({
        rules: [
          {
            id: 'freeze',
            name: 'Freeze',
            enabled: true,
            match: { repos: ['acme/shop'], addresses: ['module.prod.**'] },
            effect: 'block',
            reason: 'Quarter end',
          },
        ],
      }),
    );

    const here = await judge(rules, '--repo', 'acme/shop');
    const elsewhere = await judge(rules, '--repo', 'acme/tools');

    expect([here.code, here.analysis?.risk.blocked]).toEqual([2, true]);
    expect([elsewhere.code, elsewhere.analysis?.risk.blocked]).toEqual([0, false]);
  });

  test('an owner of the file is not foreign', async () => {
    const rules = writeRules('owners.yaml', 'known_owners: ["444455556666", github.com/acme]\n');
    const none = writeRules('no-owners.yaml', 'known_owners: []\n');
    const destination = (account: string) => ({ destination_arn: `arn:aws:logs:eu-west-1:${account}:destination:x` });
    const [type, name] = ['aws_cloudwatch_log_subscription_filter', 'audit'];
    const change = { actions: ['update'], before: destination('111122223333'), after: destination('444455556666') };
    const resource = { address: `${type}.${name}`, mode: 'managed', type, name, change };
    const input = JSON.stringify({ format_version: '1.2', resource_changes: [resource] });
    const run = async (file: string) =>
      (await runCli(['analyze', '-', '--format', 'json', '--rules', file], { input })).stdout;

    expect(await run(none)).toContain('R-DST-FOREIGN');
    expect(await run(rules)).not.toContain('R-DST-FOREIGN');
  });

  test('an invalid rules file lists every error, and no plan is analyzed', async () => {
    const rules = writeRules(
      'wrong.yaml',
      `rules: [{ id: a, name: A, enabled: true, match: {}, effect: rise, reason: x }]
custom_rules: [{ rule_type: noise, config: { version: 1, match: { kinds: [x] }, severity: harmless } }]
known_owners: [123456789012, github.com]
`,
    );

    const { code, stderr, analysis } = await judge(rules);

    expect([code, analysis]).toEqual([1, null]);
    expect(stderr).toMatch(/\/rules\/0\/effect: .*raise/);
    expect(stderr).toMatch(/\/known_owners\/1: belongs to a vendor/);
    expect(stderr).toMatch(/\/custom_rules\/0\/config\/match.*: .*resource_types/);
  });

  test('a rules file that is missing, not YAML or of another format is reported as such', async () => {
    const missing = join(folder, 'none.yaml');
    expect((await judge(missing)).stderr).toContain(missing);
    expect((await judge(writeRules('broken.yaml', 'rules: ['))).code).toBe(1);
    expect((await judge(writeRules('other.yaml', 'policy: []'))).stderr).toMatch(/`policy` is not a known member/);
  });
});
