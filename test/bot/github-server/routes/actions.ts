import { notFound, ok, page, Refusal, type Reply, type RepoCall } from '../http.ts';
import { showArtifact, showRun } from '../shapes.ts';
import type { Artifact, Run } from '../world.ts';

/** Newest first. `status` may be a status or a conclusion, as with GitHub. */
export function listRuns(call: RepoCall): Reply {
  const { world, repo, query } = call;
  const [sha, status, event] = ['head_sha', 'status', 'event'].map((name) => query.get(name));
  const runs = repo.runs
    .filter((run) => sha === null || run.head_sha === sha)
    .filter((run) => status === null || run.status === status || run.conclusion === status)
    .filter((run) => event === null || run.event === event)
    .sort((a, b) => b.created_at.getTime() - a.created_at.getTime() || b.id - a.id)
    .map((run) => showRun(world, repo, run));
  return page(call, `/repos/${repo.full_name}/actions/runs`, runs, (workflow_runs) => ({
    total_count: runs.length,
    workflow_runs,
  }));
}

export function getRun(call: RepoCall): Reply {
  return ok(showRun(call.world, call.repo, wantedRun(call)));
}

export function listArtifacts(call: RepoCall): Reply {
  const { world, repo, query } = call;
  const run = wantedRun(call);
  const name = query.get('name');
  const artifacts = repo.artifacts
    .filter((artifact) => artifact.run_id === run.id && (name === null || artifact.name === name))
    .map((artifact) => showArtifact(world, repo, artifact));
  return page(call, `/repos/${repo.full_name}/actions/runs/${run.id}/artifacts`, artifacts, (shown) => ({
    total_count: artifacts.length,
    artifacts: shown,
  }));
}

/** Leads to the storage, another origin, by a link that is valid for a minute; 410 once the artifact has expired. */
export function downloadArtifact({ world, repo, params }: RepoCall): Reply {
  const artifact = repo.artifacts.find(({ id }) => id === Number(params['artifact_id']));
  if (artifact === undefined) throw notFound();
  if (artifact.expired) throw new Refusal(410, 'Artifact has expired');
  return { status: 302, headers: { location: linkTo(world.storage_url, artifact, world.now() + world.link_ttl_ms) } };
}

/** A link that carries its own permission, as a shared access signature does. */
function linkTo(storage_url: string, artifact: Artifact, until: number): string {
  const query = new URLSearchParams({ se: String(until), sig: `signed-${artifact.id}` });
  return `${storage_url}/artifacts/${artifact.id}.zip?${query}`;
}

function wantedRun({ repo, params }: RepoCall): Run {
  const run = repo.runs.find(({ id }) => id === Number(params['run_id']));
  if (run === undefined) throw notFound();
  return run;
}
