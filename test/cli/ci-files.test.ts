import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { action, GITLAB_JOB, ROOT } from './ci-files.ts';

test('the action hands values over as environment variables alone', () => {
  const { outputs, runs } = action;
  const without_env = {
    ...action,
    outputs: {},
    runs: { ...runs, steps: runs.steps.map((one) => ({ ...one, env: {} })) },
  };

  expect(JSON.stringify(without_env)).not.toContain('${{');
  for (const { value } of Object.values(outputs)) expect(value).toMatch(/^\$\{\{ steps\.submit\.outputs\.[\w-]+ \}\}$/);
  expect(runs.using).toBe('composite');
});

test('both name the very version of the command', async () => {
  const { name, version } = JSON.parse(await readFile(join(ROOT, 'cli/package.json'), 'utf8'));

  expect(action.inputs['version']?.default).toBe(version);
  const npx = 'npx --prefix "$';
  expect(await readFile(join(ROOT, 'ci/github-submit.sh'), 'utf8')).toContain(`${npx}folder" --yes "${name}@$VERSION"`);
  expect(GITLAB_JOB.script.join()).toContain(`${npx}(mktemp -d)" --yes "${name}@\${DPA_VERSION:-${version}}"`);
});

test('what GitLab users set for a whole file is not overruled by the template', () => {
  expect(Object.keys(GITLAB_JOB.variables).filter((name) => name.startsWith('DPA_'))).toEqual([]);
});

test('the scripts are well-formed', () => {
  execFileSync('bash', ['-n', join(ROOT, 'ci/github-submit.sh')]);
  for (const script of GITLAB_JOB.script) execFileSync('sh', ['-n'], { input: script });
});
