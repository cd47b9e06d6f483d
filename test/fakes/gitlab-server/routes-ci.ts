import { getPipeline, getProject } from './access.ts';
import { ApiError, type Call, paginate, type Reply, route } from './http.ts';
import { presentJob, presentPipeline } from './present.ts';
import type { Job, Pipeline } from './types.ts';

function listPipelines(call: Call): Reply {
  const { query, state } = call;
  const matches = (name: string, value: string) => (query.get(name) ?? value) === value;
  const found = getProject(call)
    .pipelines.filter(({ sha, status, ref }) => matches('sha', sha) && matches('status', status) && matches('ref', ref))
    // Child pipelines are listed only on request.
    .filter(({ source }) => source === (query.get('source') ?? (source === 'parent_pipeline' ? '' : source)))
    .toReversed();
  return paginate(call, found, (one) => presentPipeline(state, one));
}

function listJobs(call: Call): Reply {
  const pipeline = getPipeline(call);
  const scope = call.query.getAll('scope[]');
  const with_retried = call.query.get('include_retried') === 'true';
  const jobs = pipeline.jobs
    .filter(({ retried }) => with_retried || !retried)
    .filter(({ status }) => scope.length === 0 || scope.includes(status))
    .toReversed();
  return paginate(call, jobs, (job) => presentJob(call.state, pipeline, job));
}

function findJob(call: Call): { pipeline: Pipeline; job: Job } {
  for (const pipeline of getProject(call).pipelines) {
    const job = pipeline.jobs.find(({ id }) => String(id) === call.params['job_id']);
    if (job !== undefined) return { pipeline, job };
  }
  throw new ApiError(404, { message: '404 Not found' });
}

function showArtifacts(call: Call): Reply {
  const { job } = findJob(call);
  if (job.archive === null || job.expired) throw new ApiError(404, { message: '404 Not found' });
  if (call.state.artifacts === 'redirected') {
    const location = `${call.state.storage_url}/artifacts/${job.id}/artifacts.zip?X-Amz-Signature=${job.id}`;
    return { status: 302, headers: { location } };
  }
  const disposition = 'attachment; filename="artifacts.zip"';
  return {
    status: 200,
    headers: { 'content-type': 'application/octet-stream', 'content-disposition': disposition },
    body: job.archive,
  };
}

export const CI_ROUTES = [
  route('GET', 'projects/:id/pipelines', listPipelines),
  route('GET', 'projects/:id/pipelines/:pipeline_id', (call) => ({
    status: 200,
    body: presentPipeline(call.state, getPipeline(call)),
  })),
  route('GET', 'projects/:id/pipelines/:pipeline_id/jobs', listJobs),
  route('GET', 'projects/:id/jobs/:job_id', (call) => {
    const { pipeline, job } = findJob(call);
    return { status: 200, body: presentJob(call.state, pipeline, job) };
  }),
  route('GET', 'projects/:id/jobs/:job_id/artifacts', showArtifacts),
];
