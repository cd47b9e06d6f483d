import { createNotFound, ok, paginate, Refusal, type Reply, type RepoCall } from '../http.ts';
import { showArtifact, showRun } from '../shapes.ts';
import type { Artifact, Run } from '../state.ts';

/** Newest first. `status` may be a status or a conclusion, as at GitHub. */
export function listRuns(call: RepoCall): Reply {
  const { github, repo, query } = call;
  const [sha, status, event] = ['head_sha', 'status', 'event'].map((name) => query.get(name));
  const runs = repo.runs
    .filter((run) => sha === null || run.head_sha === sha)
    .filter((run) => status === null || run.status === status || run.conclusion === status)
    .filter((run) => event === null || run.event === event)
    .sort((a, b) => b.created_at.getTime() - a.created_at.getTime() || b.id - a.id)
    .map((run) => showRun(github, repo, run));
  return paginate(call, `/repos/${repo.full_name}/actions/runs`, runs, (workflow_runs) => ({
    total_count: runs.length,
    workflow_runs,
  }));
}

export function getRun(call: RepoCall): Reply {
  return ok(showRun(call.github, call.repo, getRequestedRun(call)));
}

export function listArtifacts(call: RepoCall): Reply {
  const { github, repo, query } = call;
  const run = getRequestedRun(call);
  const name = query.get('name');
  const artifacts = repo.artifacts
    .filter((artifact) => artifact.run_id === run.id && (name === null || artifact.name === name))
    .map((artifact) => showArtifact(github, repo, artifact));
  return paginate(call, `/repos/${repo.full_name}/actions/runs/${run.id}/artifacts`, artifacts, (shown) => ({
    total_count: artifacts.length,
    artifacts: shown,
  }));
}

/**
 * Redirects to the storage, on another origin, with a link that is valid for a minute; 410 after the artifact has
 * expired.
 */
export function downloadArtifact({ github, repo, params }: RepoCall): Reply {
  const artifact = repo.artifacts.find(({ id }) => id === Number(params['artifact_id']));
  if (artifact === undefined) throw createNotFound();
  if (artifact.expired) throw new Refusal(410, 'Artifact has expired');
  return {
    status: 302,
    headers: { location: buildDownloadLink(github.storage_url, artifact, github.now() + github.link_ttl_ms) },
  };
}

/** A link that contains its own permission, like a shared access signature. */
function buildDownloadLink(storage_url: string, artifact: Artifact, until: number): string {
  const query = new URLSearchParams({ se: String(until), sig: `signed-${artifact.id}` });
  return `${storage_url}/artifacts/${artifact.id}.zip?${query}`;
}

function getRequestedRun({ repo, params }: RepoCall): Run {
  const run = repo.runs.find(({ id }) => id === Number(params['run_id']));
  if (run === undefined) throw createNotFound();
  return run;
}
