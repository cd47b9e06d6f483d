import {
  type Account,
  type Artifact,
  type CheckRun,
  type Comment,
  type GithubState,
  type Installation,
  type Issue,
  type Pull,
  type Repo,
  type Run,
  readHead,
} from './state.ts';

/** Objects as the REST API presents them: the members that clients read, with GitHub's names and types. */
export function showAccount(github: GithubState, account: Account) {
  return {
    login: account.login,
    id: account.id,
    node_id: `U_${account.id}`,
    type: account.type,
    site_admin: false,
    url: `${github.url}/users/${account.login}`,
    html_url: `${github.url}/${account.login}`,
  };
}

/** An installation as GitHub's REST API presents it. */
export function showInstallation(github: GithubState, { id, account, grants, suspended }: Installation) {
  return {
    id,
    node_id: `I_${id}`,
    app_id: github.app.app_id,
    app_slug: github.app.slug,
    account: { ...showAccount(github, account), avatar_url: `${github.url}/avatars/${account.id}` },
    target_id: account.id,
    target_type: account.type,
    repository_selection: 'selected',
    permissions: grants,
    suspended_at: suspended ? formatTimestamp(new Date(github.now())) : null,
    html_url: `${github.url}/organizations/${account.login}/settings/installations/${id}`,
  };
}

/** A repository as GitHub's REST API presents it. */
export function showRepo(github: GithubState, repo: Repo) {
  return {
    id: repo.id,
    node_id: `R_${repo.id}`,
    name: repo.name,
    full_name: repo.full_name,
    private: repo.private,
    owner: showAccount(github, repo.owner),
    html_url: `${github.url}/${repo.full_name}`,
    url: `${github.url}/repos/${repo.full_name}`,
    fork: false,
    default_branch: repo.default_branch,
    has_issues: repo.has_issues,
    archived: repo.archived,
  };
}

/** A pull request as GitHub's REST API presents it. */
export function showPull(github: GithubState, repo: Repo, pull: Pull) {
  const [forkOwner, forkName] = pull.fork?.split('/') ?? [];
  const headRepo =
    pull.fork === null
      ? showRepo(github, repo)
      : { ...showRepo(github, repo), id: repo.id + 1_000_000, full_name: pull.fork, name: forkName, fork: true };
  return {
    id: pull.id,
    node_id: `PR_${pull.id}`,
    number: pull.number,
    title: pull.title,
    body: null,
    state: pull.state,
    locked: false,
    draft: pull.draft,
    user: showAccount(github, pull.author),
    url: `${github.url}/repos/${repo.full_name}/pulls/${pull.number}`,
    html_url: `${github.url}/${repo.full_name}/pull/${pull.number}`,
    created_at: formatTimestamp(pull.created_at),
    updated_at: formatTimestamp(pull.updated_at),
    closed_at: pull.state === 'closed' ? formatTimestamp(pull.updated_at) : null,
    merged_at: pull.merged ? formatTimestamp(pull.updated_at) : null,
    head: {
      label: `${forkOwner ?? repo.owner.login}:${pull.branch}`,
      ref: pull.branch,
      sha: readHead(pull),
      user: showAccount(github, pull.author),
      repo: headRepo,
    },
    base: {
      label: `${repo.owner.login}:${pull.base_branch}`,
      ref: pull.base_branch,
      sha: pull.base_sha,
      user: showAccount(github, repo.owner),
      repo: showRepo(github, repo),
    },
  };
}

/** An issue as GitHub's REST API presents it. */
export function showIssue(github: GithubState, repo: Repo, issue: Issue) {
  const { id, number, title, body, author, state, created_at, updated_at } = issue;
  return {
    ...{ id, node_id: `I_${id}`, number, title, body, state, locked: false, user: showAccount(github, author) },
    url: `${github.url}/repos/${repo.full_name}/issues/${number}`,
    html_url: `${github.url}/${repo.full_name}/issues/${number}`,
    created_at: formatTimestamp(created_at),
    updated_at: formatTimestamp(updated_at),
  };
}

/** A comment as GitHub's REST API presents it. */
export function showComment(github: GithubState, repo: Repo, comment: Comment) {
  const issue = `${github.url}/repos/${repo.full_name}/issues`;
  return {
    id: comment.id,
    node_id: `IC_${comment.id}`,
    url: `${issue}/comments/${comment.id}`,
    issue_url: `${issue}/${comment.pr_number}`,
    html_url: `${github.url}/${repo.full_name}/pull/${comment.pr_number}#issuecomment-${comment.id}`,
    user: showAccount(github, comment.author),
    author_association: comment.author.type === 'Bot' ? 'NONE' : 'MEMBER',
    body: comment.body,
    created_at: formatTimestamp(comment.created_at),
    updated_at: formatTimestamp(comment.updated_at),
    performed_via_github_app: comment.app_id === null ? null : { id: comment.app_id, slug: github.app.slug },
  };
}

/** A workflow run as GitHub's REST API presents it. */
export function showRun(github: GithubState, repo: Repo, run: Run) {
  return {
    id: run.id,
    name: run.name,
    head_sha: run.head_sha,
    head_branch: run.head_branch,
    event: run.event,
    run_number: run.run_number,
    run_attempt: run.run_attempt,
    status: run.status,
    conclusion: run.conclusion,
    actor: showAccount(github, run.actor),
    html_url: `${github.url}/${repo.full_name}/actions/runs/${run.id}`,
    url: `${github.url}/repos/${repo.full_name}/actions/runs/${run.id}`,
    artifacts_url: `${github.url}/repos/${repo.full_name}/actions/runs/${run.id}/artifacts`,
    created_at: formatTimestamp(run.created_at),
    updated_at: formatTimestamp(run.created_at),
    run_started_at: formatTimestamp(run.created_at),
    pull_requests: [],
    repository: showRepo(github, repo),
  };
}

/** An artifact as GitHub's REST API presents it. */
export function showArtifact(github: GithubState, repo: Repo, artifact: Artifact) {
  const url = `${github.url}/repos/${repo.full_name}/actions/artifacts/${artifact.id}`;
  return {
    id: artifact.id,
    node_id: `A_${artifact.id}`,
    name: artifact.name,
    size_in_bytes: artifact.zip.length,
    url,
    archive_download_url: `${url}/zip`,
    expired: artifact.expired,
    created_at: formatTimestamp(artifact.created_at),
    updated_at: formatTimestamp(artifact.created_at),
    expires_at: formatTimestamp(new Date(artifact.created_at.getTime() + 90 * 86_400_000)),
    workflow_run: { id: artifact.run_id, repository_id: repo.id, head_repository_id: repo.id },
  };
}

/** A check run as GitHub's REST API presents it. */
export function showCheck(github: GithubState, repo: Repo, check: CheckRun) {
  return {
    id: check.id,
    name: check.name,
    head_sha: check.head_sha,
    node_id: `CR_${check.id}`,
    external_id: '',
    url: `${github.url}/repos/${repo.full_name}/check-runs/${check.id}`,
    html_url: `${github.url}/${repo.full_name}/runs/${check.id}`,
    details_url: check.details_url,
    status: check.status,
    conclusion: check.conclusion,
    started_at: check.started_at,
    completed_at: check.completed_at,
    output: { ...check.output, annotations_count: 0 },
    app: { id: check.app_id, slug: check.app_id === github.app.app_id ? github.app.slug : 'another-app' },
    pull_requests: [],
  };
}

/** RFC 3339 in seconds, as GitHub formats times. */
export function formatTimestamp(at: Date): string {
  return at.toISOString().replace(/\.\d{3}Z$/, 'Z');
}
