/** What this project hands to the CI of others, as its runners read it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

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
  id_tokens: Record<string, { aud: string }>;
  variables: Record<string, string>;
  script: string[];
}

export const action: Action = parse(await readFile(join(ROOT, 'action.yml'), 'utf8'));
export const [step] = action.runs.steps as [Step];
export const GITLAB_JOB: GitLabJob = parse(await readFile(join(ROOT, 'ci/dpa.gitlab-ci.yml'), 'utf8'))['.dpa'];
