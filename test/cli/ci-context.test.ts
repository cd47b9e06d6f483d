import { expect, test } from '@jest/globals';
import { readCiJob } from '../../cli/src/ci-context.ts';

const GITHUB = {
  GITHUB_ACTIONS: 'true',
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_REPOSITORY: 'acme/infra',
  GITHUB_RUN_ID: '9911',
  GITHUB_RUN_ATTEMPT: '2',
  GITHUB_JOB: 'plan',
  GITHUB_SHA: 'a'.repeat(40),
};
const GITLAB = {
  GITLAB_CI: 'true',
  CI_SERVER_URL: 'https://gitlab.com',
  CI_PROJECT_PATH: 'acme/platform/infra',
  CI_PROJECT_URL: 'https://gitlab.com/acme/platform/infra',
  CI_JOB_ID: '302',
  CI_COMMIT_SHA: 'a'.repeat(40),
};

test('a GitHub pull request is read from its event, with the pushed commit', () => {
  const env = { ...GITHUB, GITHUB_REF: 'refs/pull/7/merge', GITHUB_REF_NAME: '7/merge', GITHUB_REF_TYPE: 'branch' };
  const event = { pull_request: { number: 7, head: { sha: 'b'.repeat(40) } } };

  expect(readCiJob({ ...env, GITHUB_HEAD_REF: 'feature' }, event)).toEqual({
    ci: {
      repo_owner: 'acme',
      repo_name: 'infra',
      repo_url: 'https://github.com/acme/infra',
      pr_number: 7,
      branch: 'feature',
      commit_sha: 'b'.repeat(40),
    },
    attempt: 'github https://github.com 9911 2 plan',
  });
  expect(readCiJob(env).ci).toMatchObject({ pr_number: 7, commit_sha: 'a'.repeat(40) });
});

test.each([
  ['branch', 'main', 'main'],
  ['tag', 'v1', undefined],
])('a GitHub push of a %s has no pull request', (type, name, branch) => {
  const { ci } = readCiJob({ ...GITHUB, GITHUB_REF_TYPE: type, GITHUB_REF_NAME: name, GITHUB_HEAD_REF: '' });

  expect([ci.branch, ci.pr_number, ci.commit_sha]).toEqual([branch, undefined, 'a'.repeat(40)]);
});

test('a GitLab merge request has its group, and a merged results pipeline has the pushed commit', () => {
  const merge_request = { CI_MERGE_REQUEST_IID: '12', CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'feature' };

  expect(readCiJob({ ...GITLAB, ...merge_request, CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: 'b'.repeat(40) })).toEqual({
    ci: {
      repo_owner: 'acme/platform',
      repo_name: 'infra',
      repo_url: 'https://gitlab.com/acme/platform/infra',
      pr_number: 12,
      branch: 'feature',
      commit_sha: 'b'.repeat(40),
    },
    attempt: 'gitlab https://gitlab.com 302',
  });
  const plain = readCiJob({ ...GITLAB, ...merge_request, CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: '' });
  expect(plain.ci.commit_sha).toBe('a'.repeat(40));
});

test('a GitLab push to a branch has no merge request', () => {
  const { ci } = readCiJob({ ...GITLAB, CI_COMMIT_BRANCH: 'main' });

  expect([ci.branch, ci.pr_number]).toEqual(['main', undefined]);
});

test('a token in the repository URL is not sent', () => {
  const gitlab = { ...GITLAB, CI_PROJECT_URL: 'https://gitlab-ci-token:glcbt-64@gitlab.com/acme/infra' };
  const github = { ...GITHUB, GITHUB_SERVER_URL: 'https://x-access-token:ghs_0@github.com' };

  expect(readCiJob(gitlab).ci.repo_url).toBe('https://gitlab.com/acme/infra');
  expect(readCiJob(github).ci.repo_url).toBe('https://github.com/acme/infra');
});

test('outside of CI the context is empty and there is no attempt', () => {
  expect(readCiJob({ GITHUB_REPOSITORY: 'acme/infra' })).toEqual({ ci: {}, attempt: null });
});
