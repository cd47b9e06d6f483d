import type { z } from 'zod';
import type { ArtifactRef, CiRun } from '../types.ts';
import { type GitlabApi, readAllPages } from './api.ts';
import { fallbackWhen } from './failures.ts';
import type { HttpClient } from './http-client.ts';
import { MERGE_RESULT, type MergeRequestReader } from './merge-requests.ts';
import { Job, Pipeline, readAll } from './shapes.ts';

const MAX_RUNS = 20;
const MAX_FILE_BYTES = 65_536;

/** `manual`: all automatic jobs have run, and the next job, such as an apply, waits for a person. */
export const ENDED: ReadonlySet<string> = new Set(['success', 'failed', 'canceled', 'manual']);

type ListedPipeline = z.infer<typeof Pipeline>;
type ListedJob = z.infer<typeof Job>;

/** Increases with each pipeline and, unlike the pipeline ID, with each retried job. */
export function runNumber(jobs: readonly { id: number }[]): number {
  return Math.max(0, ...jobs.map(({ id }) => id));
}

/** Reads pipelines and their artifacts. */
export function createRuns(api: () => Promise<GitlabApi>, client: HttpClient, mergeRequests: MergeRequestReader) {
  async function listRuns(repo: string, head_sha: string): Promise<CiRun[]> {
    const lists = await Promise.all([
      listPipelines(repo, head_sha),
      listPipelines(repo, head_sha, 'parent_pipeline'),
      listMergeResults(repo, head_sha),
    ]);
    const ended = lists.flat().filter(({ status }) => ENDED.has(status));
    const newest = ended.sort((a, b) => b.id - a.id).slice(0, MAX_RUNS);
    const runs: CiRun[] = [];
    for (const { id, web_url } of newest) {
      const jobs = await listJobs(repo, String(id));
      // A pipeline without jobs contains only external statuses, such as our own.
      if (jobs.length > 0) runs.push({ id: String(id), number: runNumber(jobs), head_sha, url: web_url });
    }
    return runs.sort((a, b) => b.number - a.number);
  }

  /** Child pipelines are listed only on request. */
  async function listPipelines(repo: string, sha: string, source?: 'parent_pipeline'): Promise<ListedPipeline[]> {
    const { pipelines } = await api();
    const newest = { sha, orderBy: 'id', sort: 'desc', page: 1, perPage: 50 } as const;
    return readAll(Pipeline, await pipelines.all(repo, { ...newest, ...(source && { source }) }));
  }

  /** Merged results pipelines run on temporary merge commits. */
  async function listMergeResults(repo: string, head_sha: string): Promise<ListedPipeline[]> {
    const pr = await mergeRequests.findPullRequest(repo, head_sha);
    if (pr === null) return [];
    const { mergeRequests: resource } = await api();
    const listed = readAll(
      Pipeline,
      await resource.allPipelines(repo, pr.pr_number, { perPage: 50, page: 1 } as object),
    );
    const results: ListedPipeline[] = [];
    for (const pipeline of listed.filter(({ ref }) => MERGE_RESULT.test(ref)).slice(0, MAX_RUNS)) {
      if ((await mergeRequests.findMergedHead(repo, pipeline.sha)) === head_sha) results.push(pipeline);
    }
    return results;
  }

  /** GitLab omits attempts that a later one has replaced. */
  async function listJobs(repo: string, pipeline_id: string): Promise<ListedJob[]> {
    const { jobs } = await api();
    return readAllPages(Job, (page) => jobs.all(repo, { pipelineId: Number(pipeline_id), ...page }));
  }

  async function listArtifacts(repo: string, run: CiRun): Promise<ArtifactRef[]> {
    const jobs = await listJobs(repo, run.id);
    return jobs.flatMap(({ id, name, artifacts }) => {
      const archive = artifacts.find(({ file_type }) => file_type === 'archive');
      return archive === undefined ? [] : [{ id: String(id), name, size: archive.size ?? null }];
    });
  }

  async function downloadArtifact(repo: string, artifact: ArtifactRef, max_bytes: number): Promise<Uint8Array> {
    const path = `projects/${encodeURIComponent(repo)}/jobs/${encodeURIComponent(artifact.id)}/artifacts`;
    return client.download({ path }, max_bytes);
  }

  async function readFile(repo: string, path: string, sha: string): Promise<string | null> {
    const file = `projects/${encodeURIComponent(repo)}/repository/files/${encodeURIComponent(path)}/raw`;
    const request = { path: file, query: new URLSearchParams({ ref: sha }) };
    const bytes = await fallbackWhen(['gone', 'too_large'], null, () => client.download(request, MAX_FILE_BYTES));
    return bytes === null ? null : Buffer.from(bytes).toString('utf8');
  }

  return { listRuns, listArtifacts, downloadArtifact, readFile };
}
