/** The CI files that this project publishes, as runners read them. */
import { execFileSync, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { RunResult } from './run.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Step {
  run: string;
  shell: string;
  env: Record<string, string>;
}
interface Action {
  inputs: Record<string, { default?: string }>;
  outputs: Record<string, { value: string }>;
  runs: { using: string; steps: Step[] };
}
interface GitLabJob {
  extends?: string;
  id_tokens?: Record<string, { aud: string }>;
  variables: Record<string, string>;
  script: string[];
  rules?: { if: string; when?: string }[];
}

export const action: Action = parse(await readFile(join(ROOT, 'action.yml'), 'utf8'));
export const [step] = action.runs.steps as [Step];
export const gitlabJobs: Record<'.dpa' | '.dpa-offline' | 'dpa' | 'dpa-offline', GitLabJob> = parse(
  await readFile(join(ROOT, 'ci/dpa.gitlab-ci.yml'), 'utf8'),
);
/** The commands that every job of the template runs. */
export const { script: gitlabScript, variables: gitlabVariables } = gitlabJobs['.dpa-offline'];

/** Packs the published command. @returns the path of the tarball */
export function packCommand(folder: string): string {
  const args = ['pack', '-w', 'cli', '--json', '--pack-destination', folder];
  const [{ filename }] = JSON.parse(execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' }));
  return join(folder, filename);
}

/** The environment of the action's step, as GitHub sets it from the inputs. */
export function buildStepEnv(inputs: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(step.env).map(([name, text]) => {
      const input = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(text)?.[1] ?? '';
      return [name, inputs[input] ?? action.inputs[input]?.default ?? ''];
    }),
  );
}

/** Runs a script as runners do, without the npm registry: the tarball is sufficient. */
export function runScript(
  shell: 'bash' | 'sh',
  script: string,
  { env, cwd }: { env: Record<string, string>; cwd: string },
): Promise<RunResult> {
  const offline = { PATH: process.env['PATH'] ?? '', npm_config_offline: 'true', npm_config_update_notifier: 'false' };
  const child = spawn(shell, ['-e', '-c', script], {
    env: { ...offline, ...env },
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve({ code, ...output }));
  });
}
