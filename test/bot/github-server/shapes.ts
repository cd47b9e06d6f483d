import {
  type Account,
  type Artifact,
  type CheckRun,
  type Comment,
  headOf,
  type Installation,
  type Pull,
  type Repo,
  type Run,
  type World,
} from './world.ts';

/** Objects as the REST API shows them: the members that clients read, by the names and types of GitHub's descriptions. */
export function showAccount(world: World, account: Account) {
  return {
    login: account.login,
    id: account.id,
    node_id: `U_${account.id}`,
    type: account.type,
    site_admin: false,
    url: `${world.url}/users/${account.login}`,
    html_url: `${world.url}/${account.login}`,
  };
}

export function showInstallation(world: World, { id, account, grants, suspended }: Installation) {
  return {
    id,
    node_id: `I_${id}`,
    app_id: world.app.app_id,
    app_slug: world.app.slug,
    account: { ...showAccount(world, account), avatar_url: `${world.url}/avatars/${account.id}` },
    target_id: account.id,
    target_type: account.type,
    repository_selection: 'selected',
    permissions: grants,
    suspended_at: suspended ? stamp(new Date(world.now())) : null,
    html_url: `${world.url}/organizations/${account.login}/settings/installations/${id}`,
  };
}

export function showRepo(world: World, repo: Repo) {
  return {
    id: repo.id,
    node_id: `R_${repo.id}`,
    name: repo.name,
    full_name: repo.full_name,
    private: repo.private,
    owner: showAccount(world, repo.owner),
    html_url: `${world.url}/${repo.full_name}`,
    url: `${world.url}/repos/${repo.full_name}`,
    fork: false,
    default_branch: repo.default_branch,
  };
}

export function showPull(world: World, repo: Repo, pull: Pull) {
  const [forkOwner, forkName] = pull.fork?.split('/') ?? [];
  const headRepo =
    pull.fork === null
      ? showRepo(world, repo)
      : { ...showRepo(world, repo), id: repo.id + 1_000_000, full_name: pull.fork, name: forkName, fork: true };
  return {
    id: pull.id,
    node_id: `PR_${pull.id}`,
    number: pull.number,
    title: pull.title,
    body: null,
    state: pull.state,
    locked: false,
    draft: pull.draft,
    user: showAccount(world, pull.author),
    url: `${world.url}/repos/${repo.full_name}/pulls/${pull.number}`,
    html_url: `${world.url}/${repo.full_name}/pull/${pull.number}`,
    created_at: stamp(pull.created_at),
    updated_at: stamp(pull.updated_at),
    closed_at: pull.state === 'closed' ? stamp(pull.updated_at) : null,
    merged_at: pull.merged ? stamp(pull.updated_at) : null,
    head: {
      label: `${forkOwner ?? repo.owner.login}:${pull.branch}`,
      ref: pull.branch,
      sha: headOf(pull),
      user: showAccount(world, pull.author),
      repo: headRepo,
    },
    base: {
      label: `${repo.owner.login}:${pull.base_branch}`,
      ref: pull.base_branch,
      sha: pull.base_sha,
      user: showAccount(world, repo.owner),
      repo: showRepo(world, repo),
    },
  };
}

export function showComment(world: World, repo: Repo, comment: Comment) {
  const issue = `${world.url}/repos/${repo.full_name}/issues`;
  return {
    id: comment.id,
    node_id: `IC_${comment.id}`,
    url: `${issue}/comments/${comment.id}`,
    issue_url: `${issue}/${comment.pr_number}`,
    html_url: `${world.url}/${repo.full_name}/pull/${comment.pr_number}#issuecomment-${comment.id}`,
    user: showAccount(world, comment.author),
    author_association: comment.author.type === 'Bot' ? 'NONE' : 'MEMBER',
    body: comment.body,
    created_at: stamp(comment.created_at),
    updated_at: stamp(comment.updated_at),
    performed_via_github_app: comment.app_id === null ? null : { id: comment.app_id, slug: world.app.slug },
  };
}

export function showRun(world: World, repo: Repo, run: Run) {
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
    actor: showAccount(world, run.actor),
    html_url: `${world.url}/${repo.full_name}/actions/runs/${run.id}`,
    url: `${world.url}/repos/${repo.full_name}/actions/runs/${run.id}`,
    artifacts_url: `${world.url}/repos/${repo.full_name}/actions/runs/${run.id}/artifacts`,
    created_at: stamp(run.created_at),
    updated_at: stamp(run.created_at),
    run_started_at: stamp(run.created_at),
    pull_requests: [],
    repository: showRepo(world, repo),
  };
}

export function showArtifact(world: World, repo: Repo, artifact: Artifact) {
  const url = `${world.url}/repos/${repo.full_name}/actions/artifacts/${artifact.id}`;
  return {
    id: artifact.id,
    node_id: `A_${artifact.id}`,
    name: artifact.name,
    size_in_bytes: artifact.zip.length,
    url,
    archive_download_url: `${url}/zip`,
    expired: artifact.expired,
    created_at: stamp(artifact.created_at),
    updated_at: stamp(artifact.created_at),
    expires_at: stamp(new Date(artifact.created_at.getTime() + 90 * 86_400_000)),
    workflow_run: { id: artifact.run_id, repository_id: repo.id, head_repository_id: repo.id },
  };
}

export function showCheck(world: World, repo: Repo, check: CheckRun) {
  return {
    id: check.id,
    name: check.name,
    head_sha: check.head_sha,
    node_id: `CR_${check.id}`,
    external_id: '',
    url: `${world.url}/repos/${repo.full_name}/check-runs/${check.id}`,
    html_url: `${world.url}/${repo.full_name}/runs/${check.id}`,
    details_url: check.details_url,
    status: check.status,
    conclusion: check.conclusion,
    started_at: check.started_at,
    completed_at: check.completed_at,
    output: { ...check.output, annotations_count: 0 },
    app: { id: check.app_id, slug: check.app_id === world.app.app_id ? world.app.slug : 'another-app' },
    pull_requests: [],
  };
}

/** RFC 3339 to the second, as GitHub writes times. */
export function stamp(at: Date): string {
  return at.toISOString().replace(/\.\d{3}Z$/, 'Z');
}
