export { SEALED_ACCOUNTS } from './config-service.ts';
export { llmSweeps } from './jobs.ts';
export type { LlmUsage } from './quota-service.ts';
export { llmRoutes } from './routes.ts';
export { createLlm, type Llm } from './service.ts';
export {
  type LlmAnswer,
  type LlmCall,
  type LlmConfig,
  LlmError,
  type LlmOutcome,
  type LlmQuestion,
  type LlmRequest,
  type OpenLlmClient,
  type Reservation,
  type SkipReason,
} from './types.ts';
