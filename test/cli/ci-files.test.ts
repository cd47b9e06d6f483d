import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { action, gitlabJobs, gitlabScript, gitlabVariables, ROOT } from './ci-files.ts';

test('the action passes inputs only as environment variables', () => {
  const { outputs, runs } = action;
  const without_env = {
    ...action,
    outputs: {},
    runs: { ...runs, steps: runs.steps.map((one) => ({ ...one, env: {} })) },
  };

  expect(JSON.stringify(without_env)).not.toContain('${{');
  for (const { value } of Object.values(outputs)) expect(value).toMatch(/^\$\{\{ steps\.judge\.outputs\.[\w-]+ \}\}$/);
  expect(runs.using).toBe('composite');
});

test('the action and the GitLab template use the version of the CLI package', async () => {
  const { name, version } = JSON.parse(await readFile(join(ROOT, 'cli/package.json'), 'utf8'));

  expect(action.inputs['version']?.default).toBe(version);
  expect(await readFile(join(ROOT, 'ci/github-judge.sh'), 'utf8')).toContain(`PACKAGE=${name}@$VERSION\n`);
  expect(gitlabScript.join()).toContain(`"\${DPA_PACKAGE:-${name}@\${DPA_VERSION:-${version}}}"`);
});

test('the GitLab template does not override variables of the including file', () => {
  expect(Object.keys(gitlabVariables).filter((name) => name.startsWith('DPA_'))).toEqual([]);
});

test('exactly one GitLab job runs: dpa if DPA_URL is set, otherwise dpa-offline without a token', () => {
  const { '.dpa': template, dpa, 'dpa-offline': offline } = gitlabJobs;

  expect(template).toEqual({ extends: '.dpa-offline', id_tokens: { DPA_ID_TOKEN: { aud: '$DPA_URL' } } });
  expect([dpa.extends, offline.extends]).toEqual(['.dpa', '.dpa-offline']);
  expect(gitlabJobs['.dpa-offline'].id_tokens).toBeUndefined();
  for (const rule of dpa.rules ?? []) expect(rule.if).toMatch(/^\$DPA_URL && /);
  expect(offline.rules?.[0]).toEqual({ if: '$DPA_URL', when: 'never' });
});

test('the scripts have valid shell syntax', () => {
  execFileSync('bash', ['-n', join(ROOT, 'ci/github-judge.sh')]);
  for (const script of gitlabScript) execFileSync('sh', ['-n'], { input: script });
});
