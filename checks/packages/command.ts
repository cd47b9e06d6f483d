import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { analyzePlan } from '../../engine/index.ts';
import type { Installed } from './install.ts';
import { type Output, run } from './run.ts';

const PLANS = ['cli/demo/plan.json', 'test/fixtures/plans/every-action.json', 'test/fixtures/plans/targeted.json'];
const [PLAN] = PLANS.map((path) => resolve(path)) as [string];
const RULES = 'rules: [{ id: frozen, name: Frozen, enabled: true, match: {}, effect: block, reason: Frozen. }]\n';
const SERVICE_COMMANDS = [
  ['serve'],
  ['demo'],
  ['migrate'],
  ['dev-token', '--email', 'ada@example.com'],
  ['audit', 'dump'],
  ['keys', 'rotate'],
  ['trace', 'replay', `trc-${'0'.repeat(24)}`],
];

export type Dpa = (args: string[], env?: Record<string, string>) => Promise<Output>;

/** Runs the installed command through the link that npm creates. */
export function createDpaCommand({ folder }: Installed): Dpa {
  const config_env = { HOME: folder, XDG_CONFIG_HOME: join(folder, 'config') };
  return (args, env = {}) =>
    run([join(folder, 'node_modules/.bin/dpa'), ...args], { cwd: folder, env: { ...config_env, ...env } });
}

/** Checks every command that works without a service. */
export async function checkOffline(installed: Installed): Promise<void> {
  const dpa = createDpaCommand(installed);
  const { version } = JSON.parse(await readFile('cli/package.json', 'utf8'));
  expect(await dpa(['--version']), 0, new RegExp(`^${version}\n$`));
  expect(await dpa(['--help']), 0, /^Usage: dpa /);
  await checkVerdicts(dpa);

  const rules = join(installed.folder, 'rules.yaml');
  await writeFile(rules, RULES);
  expect(await dpa(['analyze', PLAN, '--rules', rules]), 2, /^BLOCKED /);
  expect(await dpa(['analyze', PLAN, '--format', 'markdown', '--fail-on', 'high']), 2, /critical risk/i);
  expect(await dpa(['analyze', rules]), 1, /^dpa: .*JSON/);
  expect(await dpa(['pr-preview', PLAN]), 0, /critical risk/i);
  expect(await dpa(['pr-preview', PLAN, '--html']), 0, /^<!doctype html>[\s\S]*<strong>critical risk/);
  expect(await dpa(['submit', PLAN]), 1, /^dpa: no service selected:/);
  expect(await dpa(['logout']), 0, /^you were not logged in/);
  const issuer = ['--issuer', 'http://127.0.0.1:1', '--client-id', 'dpa-cli'];
  expect(await dpa(['login', '--url', 'http://127.0.0.1:1', ...issuer]), 1, /^dpa: http:\/\/127\.0\.0\.1:1: /);
  for (const args of SERVICE_COMMANDS) expect(await dpa(args), 1, /^dpa: this command needs the service, .*Dockerfile/);
  console.log('@dpa/cli: commands without a service work, and service commands say where they run');
}

/** Checks that the bundled engine gives the same results as its modules. */
async function checkVerdicts(dpa: Dpa): Promise<void> {
  for (const path of PLANS) {
    const { code, stdout, stderr } = await dpa(['analyze', resolve(path), '--format', 'json']);
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    assert.deepEqual(JSON.parse(stdout), JSON.parse(JSON.stringify(analyzePlan(await readFile(path)))));
  }
}

/** Checks the commands that use a service. */
export async function checkRemote(dpa: Dpa, env: Record<string, string>): Promise<void> {
  expect(await dpa(['submit', PLAN, '--wait', '--fail-on', 'critical'], env), 2, /^CRITICAL RISK /);
  expect(await dpa(['jobs', '--limit', '5'], env), 0, / done /);
  expect(await dpa(['noise', 'list'], env), 0, /./);
  console.log('@dpa/cli: commands that use a service work');
}

/** Checks that the audit log of the service verifies. */
export async function checkAuditVerify(installed: Installed, dump: string): Promise<void> {
  const path = join(installed.folder, 'audit.jsonl');
  await writeFile(path, dump);
  expect(await createDpaCommand(installed)(['audit', 'verify', path]), 0, /chains: \d+, rows: \d+, all intact\n$/);
  console.log('@dpa/cli: the audit log of the service verifies');
}

/** Errors are on standard error, everything else on standard output. */
function expect({ code, stdout, stderr }: Output, expected: number, pattern: RegExp): void {
  const printed = expected === 1 ? stderr : stdout;
  if (code === expected && pattern.test(printed)) return;
  throw new Error(`exit code ${code}, not ${expected} with ${pattern}:\n${stderr}${stdout.slice(0, 1_000)}`);
}
