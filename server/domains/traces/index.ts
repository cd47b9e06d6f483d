export { traceSweeps } from './jobs.ts';
export { replayTrace, type TraceReplay } from './replay-service.ts';
export { traceRoutes } from './routes.ts';
export { createTraces, type Traces } from './service.ts';
export type { NewTrace, TraceBody, TraceInputs, TraceKind, TraceWriter } from './types.ts';
