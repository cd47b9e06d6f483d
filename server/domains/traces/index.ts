export { traceParts } from './parts.ts';
export { replayTrace, type TraceReplay } from './replay-service.ts';
export { createTraces, type Traces } from './service.ts';
export type { NewTrace, TraceBody, TraceInputs, TraceKind, TraceWriter } from './types.ts';
