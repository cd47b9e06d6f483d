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
 * Every operation is a method of its resource, such as `orgs.get` and `scans.list`. You can also call it by its operation ID.
 *
 * Every call throws DpaApiError if the service responds with an error, DpaConnectionError or DpaTimeoutError if there is no
 * response, DpaUsageError if the request could not be sent, and the reason of its `signal` if that is aborted.
 *
 * The client retries after 429, 502, 503, 504 and lost connections: GET, PUT and DELETE, and operations with an idempotency
 * key. It waits for `Retry-After`, up to a minute, or else with exponential backoff. It creates one idempotency key per
 * call, so that all attempts take effect once.
 */
export interface Client extends Resources {
  /** Calls an operation of the contract and returns the response body. */
  call<Op extends OperationId>(operation: Op, ...args: Args<Op>): Promise<ReplyBody<Op>>;
  /** Calls an operation and returns status, headers and body. With `If-None-Match`, the status can be 304 without a body. */
  request<Op extends OperationId>(operation: Op, ...args: Args<Op>): Promise<Reply<Op>>;
  /**
   * Iterates over all items of a list, page by page, starting at `query.offset`. `query.limit` is the page size. If items are
   * added or removed in the meantime, an item can appear twice or not at all.
   */
  paginate<Op extends ListId>(operation: Op, ...args: Args<Op>): AsyncGenerator<ItemOf<Op>, void, void>;
  /**
   * Analyzes a plan: sends it without the members that the service never reads, and waits for the verdict. With `wait: false`
   * it returns as soon as the analysis is queued.
   *
   * @throws DpaJobError if the analysis fails, DpaTimeoutError if it does not end within `timeout_ms`
   */
  analyze(options: AnalyzeOptions & { wait: false }): Promise<Schemas['AnalyzeAccepted']>;
  analyze(options: AnalyzeOptions & { wait?: true }): Promise<Schemas['AnalyzeResult']>;
  /**
   * Waits for a queued job. Polls quickly at first, then at the interval in `Retry-After`.
   *
   * @returns the finished job; `kind` determines the type of its result
   * @throws DpaJobError, DpaTimeoutError, DpaUsageError if the job has a different kind
   */
  waitForJob<Kind extends JobKind = JobKind>(options: JobOptions<Kind>): Promise<DoneJob<Kind>>;
}

/**
 * Creates a client of one service. If `base_url`, `token` or `org` is not given, the client reads DPA_URL, DPA_TOKEN or
 * DPA_ORG once.
 *
 * @throws DpaUsageError if base_url is missing or invalid
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
