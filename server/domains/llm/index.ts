export { SEALED_ACCOUNTS } from './config-service.ts';
export { llmParts } from './parts.ts';
export type { LlmUsage } from './quota-service.ts';
export { createLlm, type Llm } from './service.ts';
export type {
  LlmAnswer,
  LlmCall,
  LlmCallRequest,
  LlmConfig,
  LlmOutcome,
  LlmRequest,
  OpenLlmClient,
  Reservation,
  SkipReason,
} from './types.ts';
