import type { OperationId, Schemas } from './contract.ts';
import type { ErrorClass } from './generated/operations.ts';

/** The class of a response that does not come from the service, such as an error page of a proxy. */
type ForeignClass = 'foreign_answer';

/** The exceeded limit in a 402 response. */
export type PlanLimit = Pick<
  Schemas['PlanLimitError'],
  'limit' | 'used' | 'plan' | 'required_plan' | 'resource' | 'feature'
>;

interface ApiErrorInit {
  operation: OperationId;
  status: number;
  request_id: string;
  /** Seconds, from the header `Retry-After`. */
  retry_after: number | undefined;
  /** Parsed JSON, else the text. */
  body: unknown;
}

/** Base class of all SDK errors. Calls can also throw the reason of an aborted `signal`, and errors of your `token` function. */
export abstract class DpaError extends Error {
  /** ID of the request in the log of the service; undefined if no request was sent. */
  readonly request_id: string | undefined;

  constructor(message: string, request_id?: string, options?: ErrorOptions) {
    super(message, options);
    this.request_id = request_id;
  }
}

/** A setting or a parameter is missing or invalid. No request was sent. */
export class DpaUsageError extends DpaError {
  override readonly name = 'DpaUsageError';
}

/** The service responded with an error status. */
export class DpaApiError extends DpaError {
  override readonly name = 'DpaApiError';
  declare readonly request_id: string;
  readonly operation: OperationId;
  readonly status: number;
  /** Switch on this value. `foreign_answer`: the response does not come from dpa. Later versions can add classes. */
  readonly error_class: ErrorClass | ForeignClass;
  /** The invalid fields of a 400 response; otherwise empty. */
  readonly details: Schemas['ErrorDetail'][];
  /** Seconds to wait before a retry. */
  readonly retry_after: number | undefined;
  /** The exceeded limit of a 402 response. */
  readonly plan_limit: PlanLimit | undefined;
  /** The response body: parsed JSON, or text. */
  readonly body: unknown;

  constructor({ operation, status, request_id, retry_after, body }: ApiErrorInit) {
    const content = readErrorBody(body);
    super(
      `${describeOutcome(operation, status)}: ${content?.text ?? describeForeignBody(body)}${formatRetryHint(retry_after)} (status ${status}, request ${request_id})`,
      request_id,
    );
    this.operation = operation;
    this.status = status;
    this.error_class = content?.error_class ?? 'foreign_answer';
    this.details = content?.details ?? [];
    this.retry_after = retry_after;
    this.plan_limit = content?.plan_limit;
    this.body = body;
  }
}

/** There was no response: the network, the DNS lookup or the connection failed. `cause` is the error of `fetch`. */
export class DpaConnectionError extends DpaError {
  override readonly name = 'DpaConnectionError';
  /** ID that was sent with the request; if the request arrived, the service has logged it. */
  declare readonly request_id: string;
  readonly operation: OperationId;

  constructor(operation: OperationId, request_id: string, cause: unknown) {
    super(`${operation} got no response: ${describeCause(cause)} (request ${request_id})`, request_id, { cause });
    this.operation = operation;
  }
}

/** There was no response, or a job did not end, in time. */
export class DpaTimeoutError extends DpaError {
  override readonly name = 'DpaTimeoutError';
  declare readonly request_id: string;
  readonly operation: OperationId;
  readonly timeout_ms: number;
  /** The job, which continues to run: call `waitForJob` to wait for it again. */
  readonly job_id: string | undefined;

  constructor(operation: OperationId, request_id: string, timeout_ms: number, job_id?: string) {
    const what = job_id === undefined ? `${operation} got no response` : `job ${job_id} did not end`;
    super(`${what} within ${timeout_ms} ms (request ${request_id})`, request_id);
    this.operation = operation;
    this.timeout_ms = timeout_ms;
    this.job_id = job_id;
  }
}

/** A job ended with an error. */
export class DpaJobError extends DpaError {
  override readonly name = 'DpaJobError';
  /** ID of the request that returned the failed job. */
  declare readonly request_id: string;
  readonly job_id: string;
  readonly error_class: ErrorClass;

  constructor(job: Schemas['JobPoll'], request_id: string) {
    super(
      `job ${job.job_id} (${job.kind}) failed: ${job.error ?? 'no reason given'} (request ${request_id})`,
      request_id,
    );
    this.job_id = job.job_id;
    this.error_class = (job.error_class ?? 'internal') as ErrorClass;
  }
}

/** Why `verifyWebhook` rejected a message. */
export type WebhookRefusal =
  | 'missing_header'
  | 'timestamp_out_of_tolerance'
  | 'no_matching_signature'
  | 'invalid_payload';

/** The message is not proven to come from the service. Respond with 401 and do not process it. */
export class DpaWebhookError extends DpaError {
  override readonly name = 'DpaWebhookError';
  readonly reason: WebhookRefusal;

  constructor(reason: WebhookRefusal, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Whether an error is an error response of the service, with this class if one is given. */
export function isApiError<Class extends ErrorClass | ForeignClass>(
  error: unknown,
  error_class?: Class,
): error is DpaApiError & { error_class: Class } {
  return error instanceof DpaApiError && (error_class === undefined || error.error_class === error_class);
}

interface ErrorContent {
  text: string;
  error_class: ErrorClass;
  details: Schemas['ErrorDetail'][];
  plan_limit: PlanLimit | undefined;
}

/** Reads the three error formats of the contract: the usual one, that of 402, and that of OAuth 2.0. */
function readErrorBody(body: unknown): ErrorContent | undefined {
  if (typeof body !== 'object' || body === null || !('error_class' in body)) return undefined;
  const { error, message, error_description, error_class, details, ...rest } = body as Record<string, unknown>;
  return {
    text: String(message ?? error_description ?? error),
    error_class: error_class as ErrorClass,
    details: Array.isArray(details) ? details : [],
    plan_limit: 'required_plan' in rest ? pickLimit(rest as unknown as PlanLimit) : undefined,
  };
}

function pickLimit({ limit, used, plan, required_plan, resource, feature }: PlanLimit): PlanLimit {
  return { limit, used, plan, required_plan, resource, ...(feature === undefined ? {} : { feature }) };
}

/** Statuses about the plan itself, its size or a quota; others are about the caller or the service. */
const PLAN_REJECTED: ReadonlySet<number> = new Set([400, 402, 413, 422, 429]);

function describeOutcome(operation: OperationId, status: number): string {
  const is_plan = operation === 'analyzePlan' || operation === 'analyzePullRequestPlan';
  return is_plan && PLAN_REJECTED.has(status) ? 'The service rejected the plan' : `${operation} failed`;
}

function formatRetryHint(seconds: number | undefined): string {
  if (seconds === undefined) return '';
  return `; try again in ${seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`}`;
}

function describeForeignBody(body: unknown): string {
  const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? 'an empty body');
  return `the response does not come from dpa; check base_url. It begins with: ${text.slice(0, 200)}`;
}

function describeCause(cause: unknown): string {
  const { message, cause: inner } = cause as { message?: string; cause?: { message?: string; code?: string } };
  return [message, inner?.message || inner?.code].filter((text) => text !== undefined && text !== '').join(': ');
}
