import type { Args, ItemOf, ListId, OperationId, Params, Reply, ReplyBody, Schemas } from './contract.ts';
import type { Resources } from './generated/resources.ts';
import { type AnalyzeOptions, type DoneJob, type JobKind, type JobOptions, submitPlan, waitForJob } from './jobs.ts';
import type { AnyParams } from './message.ts';
import { createOrgFinder } from './orgs.ts';
import { readPages } from './paginate.ts';
import { createResources } from './resources.ts';
import { readSettings } from './settings.ts';
import { type ClientOptions, createTransport } from './transport.ts';

/**
 * Every operation is a method of what it is about, such as `orgs.get` and `scans.list`, and can be called by its id as well.
 *
 * Every call throws DpaApiError when the service answers with an error, DpaConnectionError or DpaTimeoutError when no answer
 * comes, DpaUsageError when it could not be sent, and the reason of its `signal` once that is aborted.
 *
 * 429, 502, 503, 504 and lost connections are tried again, after what `Retry-After` says up to a minute, else with
 * backoff: reading, replacing and deleting, and what takes an idempotency key. One is made for each such call, so that
 * its tries count once.
 */
export interface Client extends Resources {
  /** Calls an operation of the contract and returns the body of its answer. */
  call<Op extends OperationId>(operation: Op, ...args: Args<Op>): Promise<ReplyBody<Op>>;
  /** Calls an operation and returns status, headers and body; `If-None-Match` may bring 304 and no body. */
  request<Op extends OperationId>(operation: Op, ...args: Args<Op>): Promise<Reply<Op>>;
  /**
   * Every item of a list, page by page, beginning at `query.offset`; `query.limit` is the size of a page. What is added
   * or removed meanwhile may make an item come twice or not at all.
   */
  paginate<Op extends ListId>(operation: Op, ...args: Args<Op>): AsyncGenerator<ItemOf<Op>, void, void>;
  /**
   * Judges a plan: sends it without what is never read of it, and waits for the verdict; with `wait: false` it returns as
   * soon as the analysis is queued.
   *
   * @throws DpaJobError when the analysis fails, DpaTimeoutError when it does not end within `timeout_ms`
   */
  analyze(options: AnalyzeOptions & { wait: false }): Promise<Schemas['AnalyzeAccepted']>;
  analyze(options: AnalyzeOptions & { wait?: true }): Promise<Schemas['AnalyzeResult']>;
  /**
   * Waits for a job that was queued before, quickly at first and then at the pace of `Retry-After`.
   *
   * @returns the job, done; its result has the type of `kind`, or that which the job's own `kind` tells
   * @throws DpaJobError, DpaTimeoutError, DpaUsageError when the job is of another kind than `kind`
   */
  waitForJob<Kind extends JobKind = JobKind>(options: JobOptions<Kind>): Promise<DoneJob<Kind>>;
}

/**
 * A client of one service, as whoever `token` names. What is left out of `base_url`, `token` and `org` is read from
 * DPA_URL, DPA_TOKEN and DPA_ORG, once.
 *
 * @throws DpaUsageError when base_url is missing or wrong
 */
export function createClient(options: ClientOptions = {}): Client {
  const settings = readSettings(options);
  const send = createTransport({ ...options, ...settings });
  const findOrg = createOrgFinder(send, settings.org);

  async function request<Op extends OperationId>(operation: Op, ...[params]: Args<Op>): Promise<Reply<Op>> {
    return (await send(operation, toAnyParams(params))) as Reply<Op>;
  }

  async function call<Op extends OperationId>(operation: Op, ...[params]: Args<Op>): Promise<ReplyBody<Op>> {
    return (await send(operation, toAnyParams(params))).body as ReplyBody<Op>;
  }

  function paginate<Op extends ListId>(operation: Op, ...[params]: Args<Op>) {
    return readPages(send, operation, toAnyParams(params)) as AsyncGenerator<ItemOf<Op>, void, void>;
  }

  async function analyze({ wait = true, ...rest }: AnalyzeOptions & { wait?: boolean }): Promise<unknown> {
    const options = { ...rest, org_id: await findOrg(rest.org_id) };
    const accepted = await submitPlan(send, options);
    if (!wait) return accepted;
    return (await waitForJob(send, { ...options, job_id: accepted.job_id, kind: 'analyze' })).result;
  }

  return {
    ...createResources(send, findOrg),
    call,
    request,
    paginate,
    analyze: analyze as Client['analyze'],
    waitForJob: async (job) => waitForJob(send, { ...job, org_id: await findOrg(job.org_id) }),
  };
}

function toAnyParams<Op extends OperationId>(params: Params<Op> | undefined): AnyParams {
  return (params ?? {}) as AnyParams;
}
