import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { analyzePlan, type PlanAnalysis, renderMarkdown } from '../../engine/index.ts';
import { BUNDLED_PLAN, runCli, startCli } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'dpa-cli-'));
const EMPTY_PLAN = JSON.stringify({ format_version: '1.2', terraform_version: '1.11.4', resource_changes: [] });

afterAll(() => rmSync(folder, { recursive: true }));

describe('dpa analyze with several plans', () => {
  const several = join(folder, 'several');
  mkdirSync(join(several, 'network', '.terraform'), { recursive: true });
  copyFileSync(BUNDLED_PLAN, join(several, 'network', 'plan.json'));
  writeFileSync(join(several, 'quiet.json'), EMPTY_PLAN);
  writeFileSync(join(several, 'package.json'), '{"name":"no plan"}');
  writeFileSync(join(several, 'network', '.terraform', 'modules.json'), EMPTY_PLAN);

  test('prints one verdict for a folder and ignores other files in it', async () => {
    const { code, stdout, stderr } = await runCli(['analyze', several, '--fail-on', 'critical']);

    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    expect(stdout).toMatch(/^CRITICAL RISK {2}2 plans\n\n== .*network\/plan\.json\nCRITICAL RISK/);
    expect(stdout).toContain(`== ${join(several, 'quiet.json')}\nNO RISK`);
    expect(stdout).not.toMatch(/package\.json|modules\.json/);
  });

  test('names the plan that cannot be read, and exits with 1', async () => {
    const cut = join(folder, 'cut.json');
    writeFileSync(cut, readFileSync(BUNDLED_PLAN).subarray(0, 500));
    const { code, stdout } = await runCli(['analyze', join(several, 'quiet.json'), cut, '--format', 'json']);

    const { risk_level, plans } = JSON.parse(stdout);
    expect({ code, risk_level }).toEqual({ code: 1, risk_level: 'none' });
    expect(plans).toMatchObject([
      { state: 'done' },
      { path: cut, state: 'failed', note: expect.stringMatching(/cut|ends/) },
    ]);
  });

  test('says in the first line that a policy blocks one of the plans', async () => {
    const rules = join(folder, 'policy.yaml');
    writeFileSync(
      rules,
      'rules: [{ id: frozen, name: Frozen, enabled: true, match: {}, effect: block, reason: Frozen. }]\n',
    );
    const many = await runCli(['analyze', several, '--rules', rules]);
    const one = await runCli(['analyze', BUNDLED_PLAN, '--rules', rules]);

    expect([many.code, one.code]).toEqual([2, 2]);
    expect(many.stdout).toMatch(/^BLOCKED {2}CRITICAL RISK {2}2 plans\n/);
    expect(one.stdout).toMatch(/^BLOCKED {2}CRITICAL RISK {2}28 changes/);
  });

  test('fails if no JSON file in a folder is a plan', async () => {
    const other = join(folder, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'package.json'), '{}');
    const { code, stderr } = await runCli(['analyze', other]);

    expect({ code, stderr }).toEqual({ code: 1, stderr: 'dpa: none of the 1 JSON files is a plan\n' });
  });
});

describe('dpa analyze', () => {
  test('prints the verdict first and exits with 0', async () => {
    const { code, stdout, stderr } = await runCli(['analyze', BUNDLED_PLAN]);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^CRITICAL RISK {2}28 changes: 2 to delete, 3 to replace/);
  });

  test('prints the analysis of the engine as JSON', async () => {
    const { code, stdout } = await runCli(['analyze', BUNDLED_PLAN, '--format', 'json']);

    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(analyzePlan(readFileSync(BUNDLED_PLAN)))));
  });

  test('prints the comment as Markdown', async () => {
    const { stdout } = await runCli(['analyze', BUNDLED_PLAN, '--format', 'markdown', '--top', '3']);

    expect(stdout).toBe(renderMarkdown(analyzePlan(readFileSync(BUNDLED_PLAN)), { top: 3 }));
  });

  test('reads standard input', async () => {
    const { code, stdout } = await runCli(['analyze', '-', '--format', 'json'], { input: EMPTY_PLAN });
    const analysis: PlanAnalysis = JSON.parse(stdout);

    expect(code).toBe(0);
    expect(analysis).toMatchObject({ risk_level: 'none', changes: [], summary: { terraform_version: '1.11.4' } });
  });

  test('lists as many changes as --top allows', async () => {
    const { stdout } = await runCli(['analyze', BUNDLED_PLAN, '--top', '1']);

    expect(stdout).toMatch(/Other changes \(12\)\n {2}~ update .*\n(?: {6,}.*\n)+ {2}… and 11 more/);
  });

  test.each([
    ['high', 2],
    ['critical', 2],
  ])('--fail-on %s exits with %d for a critical plan and still prints the result', async (level, expected) => {
    const { code, stdout } = await runCli(['analyze', BUNDLED_PLAN, '--fail-on', level]);

    expect(code).toBe(expected);
    expect(stdout).toContain('CRITICAL RISK');
  });

  test('also writes the result to files, in the format of dpa submit', async () => {
    const [json, markdown] = [join(folder, 'result.json'), join(folder, 'result.md')];
    const args = ['analyze', BUNDLED_PLAN, '--report', json, '--report', markdown, '--fail-on', 'high'];
    const { code, stdout } = await runCli(args);

    expect({ code, stdout }).toEqual({ code: 2, stdout: expect.stringMatching(/^CRITICAL RISK {2}28 changes/) });
    expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({
      risk_level: 'critical',
      plans: [{ path: BUNDLED_PLAN, state: 'done', job_id: null, result: { risk_level: 'critical' } }],
    });
    expect(readFileSync(markdown, 'utf8')).toBe(
      (await runCli(['analyze', BUNDLED_PLAN, '--format', 'markdown'])).stdout,
    );
  });

  test('writes the reason into the result if a plan was not analyzed', async () => {
    const json = join(folder, 'failed.json');
    const { code, stderr } = await runCli(['analyze', '-', '--report', json], { input: '{}' });

    const { risk_level, plans } = JSON.parse(readFileSync(json, 'utf8'));
    expect({ code, risk_level, plans }).toMatchObject({ code: 1, risk_level: null, plans: [{ state: 'failed' }] });
    expect(stderr).toBe(`dpa: ${plans[0].note}\n`);
  });

  test('--fail-on low exits with 0 for a plan without changes', async () => {
    expect((await runCli(['analyze', '-', '--fail-on', 'low'], { input: EMPTY_PLAN })).code).toBe(0);
  });

  test('prints no colors without a terminal, unless FORCE_COLOR is set', async () => {
    const plain = await runCli(['analyze', '-'], { input: EMPTY_PLAN });
    const forced = await runCli(['analyze', '-'], { input: EMPTY_PLAN, env: { FORCE_COLOR: '1' } });

    expect(plain.stdout).not.toContain('\u001b');
    expect(forced.stdout).toContain('\u001b[2mNO RISK\u001b[0m');
  });

  test('exits without an error when the reader closes the pipe', async () => {
    const child = startCli(['analyze', BUNDLED_PLAN, '--format', 'json']);
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.stdout?.destroy();
    const [code] = await once(child, 'close');

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});

describe('dpa analyze fails with 1, with advice and without a stack trace', () => {
  test.each<[string, string[], RegExp, string]>([
    [
      'on a report of another kind',
      ['analyze', '-', '--report', 'r.txt'],
      /r\.txt: the name of a report must end in/,
      '',
    ],
    ['on a missing file', ['analyze', join(folder, 'none.json')], /none\.json: the file does not exist/, ''],
    ['on a folder without any', ['analyze', mkdtempSync(join(folder, 'empty-'))], /no .json file found/, ''],
    ['on a state', ['analyze', '-'], /state/, '{"version":4,"terraform_version":"1.11.4","serial":1,"lineage":"x"}'],
    ['on a binary plan', ['analyze', '-'], /terraform show -json/, 'PK\u0003\u0004tfplan'],
    ['on truncated JSON', ['analyze', '-'], /./, '{"format_version":"1.2","resource_changes":[{'],
    ['on an unknown format version', ['analyze', '-'], /2\.0/, '{"format_version":"2.0"}'],
    ['on empty input', ['analyze', '-'], /./, ''],
    ['without a plan', ['analyze'], /missing required argument 'plan'/, ''],
    ['on an unknown level', ['analyze', '-', '--fail-on', 'none'], /choices are low, medium, high, critical/, ''],
    ['on an unknown format', ['analyze', '-', '--format', 'xml'], /choices are text, json, markdown/, ''],
    ['on a --top that is no number', ['analyze', '-', '--top', 'x'], /whole number/, ''],
    ['on an unknown command', ['analyse'], /Did you mean analyze/, ''],
  ])('%s', async (_when, args, message, input) => {
    const { code, stdout, stderr } = await runCli(args, { input });

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^ {4}at /m);
  });

  // Root reads every file.
  (process.getuid?.() === 0 ? test.skip : test)('on a file that may not be read', async () => {
    const path = join(folder, 'secret.json');
    writeFileSync(path, EMPTY_PLAN);
    chmodSync(path, 0);

    expect(await runCli(['analyze', path])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('you may not read'),
    });
  });
});

describe('dpa', () => {
  test('--version prints the version of the package', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

    expect(await runCli(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  test('--help lists every command', async () => {
    const { stdout } = await runCli(['--help']);

    for (const command of ['analyze', 'submit', 'jobs', 'login', 'logout', 'serve', 'migrate', 'dev-token', 'demo'])
      expect(stdout).toContain(`  ${command} `);
  });
});
