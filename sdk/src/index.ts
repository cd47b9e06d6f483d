export { type Client, createClient } from './client.ts';
export { compactPlan } from './compact.ts';
export type { Args, CallOptions, ItemOf, ListId, OperationId, Params, Reply, ReplyBody, Schemas } from './contract.ts';
export {
  DpaApiError,
  DpaConnectionError,
  DpaError,
  DpaJobError,
  DpaTimeoutError,
  DpaUsageError,
  DpaWebhookError,
  isApiError,
  type PlanLimit,
  type WebhookRefusal,
} from './errors.ts';
export type { Hooks, RequestEvent, ResponseEvent } from './events.ts';
export type { ErrorClass } from './generated/operations.ts';
export type { Resources } from './generated/resources.ts';
export type { AnalyzeOptions, DoneJob, JobKind, JobOptions, JobResults, WaitOptions } from './jobs.ts';
export type { Listing, Method, MethodOptions, MethodParams } from './methods.ts';
export type { ConnectionOptions, TokenSource } from './settings.ts';
export type { ClientOptions } from './transport.ts';
export {
  verifyWebhook,
  type WebhookEvent,
  type WebhookEventType,
  type WebhookHeaders,
  type WebhookOptions,
} from './webhooks.ts';
