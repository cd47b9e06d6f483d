export { SEALED_ACCOUNTS } from './config-service.ts';
export { llmSweeps } from './jobs.ts';
export type { LlmUsage } from './quota-service.ts';
export { llmRoutes } from './routes.ts';
export { createLlm, type Llm } from './service.ts';
export type {
  LlmAnswer,
  LlmCall,
  LlmConfig,
  LlmOutcome,
  LlmQuestion,
  LlmRequest,
  OpenLlmClient,
  Reservation,
  SkipReason,
} from './types.ts';
