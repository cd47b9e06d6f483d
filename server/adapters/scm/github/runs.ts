import type { ArtifactRef, CiRun, Platform } from '../types.ts';
import type { Host } from './host.ts';
import { splitRepo } from './repo.ts';

const MOST_RUNS = 20;
/** Limits a list to a thousand artifacts. */
const MOST_PAGES = 10;
const MOST_ATTEMPTS = 100;

export function createRuns(host: Host): Pick<Platform, 'listRuns' | 'listArtifacts'> {
  return {
    async listRuns(repo, head_sha) {
      const params = { ...splitRepo(repo), head_sha, status: 'completed', per_page: MOST_RUNS } as const;
      const { workflow_runs } = await host.ask('read', 'list the runs of a commit', ({ rest }) =>
        rest.actions.listWorkflowRunsForRepo(params),
      );
      return workflow_runs.map(toCiRun).sort((a, b) => b.number - a.number);
    },
    async listArtifacts(repo, run) {
      const params = { ...splitRepo(repo), run_id: Number(run.id) };
      const newest = new Map<string, ArtifactRef>();
      const pages = host.pages(
        'list the artifacts of a run',
        ({ rest }, page) => rest.actions.listWorkflowRunArtifacts({ ...params, ...page }),
        MOST_PAGES,
      );
      for await (const { artifacts } of pages) {
        for (const { id, name, size_in_bytes, expired } of artifacts) {
          // Earlier attempts of a run have artifacts with the same names.
          const known = Number(newest.get(name)?.id ?? 0);
          if (!expired && id > known) newest.set(name, { id: String(id), name, size: size_in_bytes });
        }
      }
      return [...newest.values()];
    },
  };
}

/** A rerun keeps the run ID and increments the attempt. */
export function toCiRun(run: { id: number; run_attempt?: number; head_sha: string; html_url: string }): CiRun {
  const attempt = Math.min(run.run_attempt ?? 1, MOST_ATTEMPTS - 1);
  return {
    id: String(run.id),
    number: run.id * MOST_ATTEMPTS + attempt,
    head_sha: run.head_sha,
    url: run.html_url,
  };
}
