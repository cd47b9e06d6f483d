export { type Client, createClient } from './client.ts';
export { compactPlan } from './compact.ts';
export type { Args, CallOptions, ItemOf, ListId, OperationId, Params, Reply, ReplyBody, Schemas } from './contract.ts';
export { DpaConnectionError, DpaError, DpaJobError, DpaTimeoutError, isDpaError, type PlanLimit } from './errors.ts';
export type { ErrorClass } from './generated/operations.ts';
export type { AnalyzeOptions, JobOptions, WaitOptions } from './jobs.ts';
export type { ClientOptions } from './transport.ts';
