import type { Schemas } from '../../sdk/src/index.ts';
import { withoutCredentials } from '../../server/lib/url-credentials.ts';

type CiContext = Schemas['CiContext'];
type Env = Readonly<Record<string, string | undefined>>;

/** The CI job that runs this command. */
export interface CiJob {
  ci: CiContext;
  /** Identifies this attempt of the job; the same for all of its steps; null outside of CI. */
  attempt: string | null;
}

/** The fields that this command reads of the event that started a GitHub workflow. */
export interface GitHubEvent {
  pull_request?: { number?: number; head?: { sha?: string } };
}

/**
 * Repository, branch and commit of the current CI job. Empty variables count as unset; credentials in URLs are removed.
 *
 * @param event of GitHub Actions: on pull requests GITHUB_SHA is a temporary merge commit; the event has the pushed commit
 * @see GitHub, "Variables reference"; GitLab, "Predefined CI/CD variables"
 */
export function readCiJob(env: Env, event: GitHubEvent = {}): CiJob {
  if (env['GITHUB_ACTIONS'] === 'true') return readGitHubJob(env, event);
  if (env['GITLAB_CI'] === 'true') return readGitLabJob(env);
  return { ci: {}, attempt: null };
}

/** Splits `owner/name` or `group/subgroup/project` into the two fields of the contract. */
export function splitRepo(repo: string | undefined): Pick<CiContext, 'repo_owner' | 'repo_name'> {
  const cut = repo?.lastIndexOf('/') ?? -1;
  if (repo === undefined || cut === -1) return {};
  return { repo_owner: repo.slice(0, cut), repo_name: repo.slice(cut + 1) };
}

function readGitHubJob(env: Env, { pull_request }: GitHubEvent): CiJob {
  const { GITHUB_REPOSITORY: repo, GITHUB_SERVER_URL: server, GITHUB_REF: ref } = env;
  const number = pull_request?.number ?? toPositiveInteger(/^refs\/pull\/(\d+)\//.exec(ref ?? '')?.[1]);
  const branch = env['GITHUB_REF_TYPE'] === 'branch' && number === undefined ? env['GITHUB_REF_NAME'] : undefined;
  return {
    ci: omitEmpty({
      ...splitRepo(repo),
      repo_url: server && repo ? withoutCredentials(`${server}/${repo}`) : undefined,
      pr_number: number,
      branch: env['GITHUB_HEAD_REF'] || branch,
      commit_sha: pull_request?.head?.sha ?? env['GITHUB_SHA'],
    }),
    attempt: joinAttemptParts('github', server, env['GITHUB_RUN_ID'], env['GITHUB_RUN_ATTEMPT'], env['GITHUB_JOB']),
  };
}

function readGitLabJob(env: Env): CiJob {
  return {
    ci: omitEmpty({
      ...splitRepo(env['CI_PROJECT_PATH']),
      repo_url: withoutCredentials(env['CI_PROJECT_URL'] ?? ''),
      pr_number: toPositiveInteger(env['CI_MERGE_REQUEST_IID']),
      branch: env['CI_MERGE_REQUEST_SOURCE_BRANCH_NAME'] || env['CI_COMMIT_BRANCH'],
      // In a merged results pipeline, CI_COMMIT_SHA is a temporary merge commit.
      commit_sha: env['CI_MERGE_REQUEST_SOURCE_BRANCH_SHA'] || env['CI_COMMIT_SHA'],
    }),
    attempt: joinAttemptParts('gitlab', env['CI_SERVER_URL'], env['CI_JOB_ID']),
  };
}

function joinAttemptParts(...parts: (string | undefined)[]): string | null {
  return parts.every((part) => part !== undefined && part !== '') ? parts.join(' ') : null;
}

function toPositiveInteger(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined;
}

function omitEmpty(context: { [K in keyof CiContext]: CiContext[K] | undefined }): CiContext {
  return Object.fromEntries(Object.entries(context).filter(([, value]) => value !== undefined && value !== ''));
}
