import type { OperationId, Schemas } from './contract.ts';
import type { ErrorClass } from './generated/operations.ts';

/** How an answer that is no error of the service, such as a proxy's page, is classed. */
type ForeignClass = 'foreign_answer';

/** What a 402 says of the limit that is used up. */
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

/** Every error that the SDK makes; what else it throws is the reason of an aborted `signal`, or came out of `token`. */
export abstract class DpaError extends Error {
  /** Id of the request in the log of the service; undefined where no request was made. */
  readonly request_id: string | undefined;

  constructor(message: string, request_id?: string, options?: ErrorOptions) {
    super(message, options);
    this.request_id = request_id;
  }
}

/** The SDK cannot do what it was asked to: a setting or a parameter is missing or wrong. Nothing was sent. */
export class DpaUsageError extends DpaError {
  override readonly name = 'DpaUsageError';
}

/** The service refused or failed: an answer with a status that is no success. */
export class DpaApiError extends DpaError {
  override readonly name = 'DpaApiError';
  declare readonly request_id: string;
  readonly operation: OperationId;
  readonly status: number;
  /** For programs; `foreign_answer` when what answered was not the service. A later service may have more classes. */
  readonly error_class: ErrorClass | ForeignClass;
  /** On 400, the places that are wrong; else empty. */
  readonly details: Schemas['ErrorDetail'][];
  /** Seconds to wait before a repetition may pass. */
  readonly retry_after: number | undefined;
  /** On 402, the limit that is used up. */
  readonly plan_limit: PlanLimit | undefined;
  /** The answer as it came: parsed JSON, else text. */
  readonly body: unknown;

  constructor({ operation, status, request_id, retry_after, body }: ApiErrorInit) {
    const content = readErrorBody(body);
    super(
      `${operation} was answered with ${status}: ${content?.text ?? describeForeignBody(body)}${formatRetryHint(retry_after)} (request ${request_id})`,
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

/** No answer came: the network, the name or the connection failed. `cause` is what `fetch` threw. */
export class DpaConnectionError extends DpaError {
  override readonly name = 'DpaConnectionError';
  /** Id that was sent along; the service has logged it if the request arrived. */
  declare readonly request_id: string;
  readonly operation: OperationId;

  constructor(operation: OperationId, request_id: string, cause: unknown) {
    super(`${operation} got no answer: ${describeCause(cause)} (request ${request_id})`, request_id, { cause });
    this.operation = operation;
  }
}

/** No answer came, or no job ended, in time. */
export class DpaTimeoutError extends DpaError {
  override readonly name = 'DpaTimeoutError';
  declare readonly request_id: string;
  readonly operation: OperationId;
  readonly timeout_ms: number;
  /** The job that goes on: `waitForJob` takes it up again. */
  readonly job_id: string | undefined;

  constructor(operation: OperationId, request_id: string, timeout_ms: number, job_id?: string) {
    const what = job_id === undefined ? `${operation} got no answer` : `job ${job_id} did not end`;
    super(`${what} within ${timeout_ms} ms (request ${request_id})`, request_id);
    this.operation = operation;
    this.timeout_ms = timeout_ms;
    this.job_id = job_id;
  }
}

/** A job ended in an error. */
export class DpaJobError extends DpaError {
  override readonly name = 'DpaJobError';
  /** Of the poll that returned the failed job. */
  declare readonly request_id: string;
  readonly job_id: string;
  readonly error_class: ErrorClass;

  constructor(job: Schemas['JobPoll'], request_id: string) {
    super(
      `job ${job.job_id} (${job.kind}) failed: ${job.error ?? 'no explanation'} (request ${request_id})`,
      request_id,
    );
    this.job_id = job.job_id;
    this.error_class = (job.error_class ?? 'internal') as ErrorClass;
  }
}

/** Why a message is not accepted as one that the service sent just now. */
export type WebhookRefusal =
  | 'missing_header'
  | 'timestamp_out_of_tolerance'
  | 'no_matching_signature'
  | 'invalid_payload';

/** A message does not prove that the service sent it: answer it with 401, and do nothing else. */
export class DpaWebhookError extends DpaError {
  override readonly name = 'DpaWebhookError';
  readonly reason: WebhookRefusal;

  constructor(reason: WebhookRefusal, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Whether the service answered with an error, of that class if one is named. */
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

/** The three forms of an error that the contract has: its own, that of 402, and that of OAuth 2.0. */
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

function formatRetryHint(seconds: number | undefined): string {
  if (seconds === undefined) return '';
  return `; try again in ${seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`}`;
}

function describeForeignBody(body: unknown): string {
  const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? 'an empty body');
  return `not an answer of dpa, is base_url right? ${text.slice(0, 200)}`;
}

function describeCause(cause: unknown): string {
  const { message, cause: inner } = cause as { message?: string; cause?: { message?: string; code?: string } };
  return [message, inner?.message || inner?.code].filter((text) => text !== undefined && text !== '').join(': ');
}
