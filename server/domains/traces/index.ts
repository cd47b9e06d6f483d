export type { NewTrace, TraceBody, TraceInputs, TraceKind, TraceWriter } from './types.ts';
