import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { AuditWriter } from '../audit/index.ts';
import { createAsk } from './ask-service.ts';
import { createBreakers } from './breaker-service.ts';
import { createLlmConfigs } from './config-service.ts';
import { createQuotas, type QuotasDeps } from './quota-service.ts';
import type { LlmConfig, OpenLlmClient } from './types.ts';
import { createValidations } from './validation-service.ts';

export interface LlmDeps extends Pick<ServiceDeps, 'db' | 'platform_db' | 'sweep_db' | 'sealer' | 'now'> {
  audit: AuditWriter;
  orgs: { getContract: QuotasDeps['getContract'] };
  assertPublicUrl: (url: string, field: string) => void;
  openClient: OpenLlmClient;
  /** The platform's own account; null = the deployment has none. */
  platform: LlmConfig | null;
  app_url: string | null;
}

/** Language models: accounts, quotas and calls. */
export function createLlm(deps: LlmDeps) {
  const configs = createLlmConfigs(deps);
  const breakers = createBreakers(deps);
  const quotas = createQuotas({
    ...deps,
    getContract: deps.orgs.getContract,
    configs,
    breakers,
    has_platform_model: deps.platform !== null,
  });
  const validations = createValidations({ ...deps, configs });
  const { ask } = createAsk({ configs, breakers, openClient: deps.openClient });
  return { configs, quotas, validations, ask };
}

export type Llm = ReturnType<typeof createLlm>;
