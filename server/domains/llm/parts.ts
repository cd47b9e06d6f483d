import type { DomainParts } from '../../contract/domain-parts.ts';
import { quotaWindows } from '../entitlements/index.ts';
import { LLM_AUDIT_EVENTS } from './audit-events.ts';
import { SEALED_ACCOUNTS } from './config-service.ts';
import { llmSweeps } from './jobs.ts';
import { findUsed } from './quota-store.ts';
import { llmRoutes } from './routes.ts';
import type { Llm } from './service.ts';

export function llmParts(llm: Llm) {
  return {
    domain: 'llm',
    handlers: llmRoutes(llm),
    sweeps: llmSweeps(llm),
    sealed_columns: [SEALED_ACCOUNTS],
    audit_events: LLM_AUDIT_EVENTS,
    settings: { send_values_to_llm: 'redacted', count_llm_concerns: false },
    limits: ['llm_weekly', 'llm_hourly'],
    usage: {
      llm_weekly: async (read, org_id, now) => (await findUsed(read, org_id, quotaWindows(now))).weekly,
      llm_hourly: async (read, org_id, now) => (await findUsed(read, org_id, quotaWindows(now))).hourly,
    },
  } satisfies DomainParts;
}
