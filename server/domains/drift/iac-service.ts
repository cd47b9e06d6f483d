import { hash } from 'node:crypto';
import { type GeneratedIac, generateIac } from '../../../engine/drift/index.ts';
import type { DriftInput, DriftLive } from '../../adapters/drift-pool/types.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import { type Keep, lockOrg } from '../../db/index.ts';
import { assertFound } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Principal } from '../../lib/principal.ts';
import type { Claim, Failure, Finished, JobHandler, Jobs } from '../jobs/index.ts';
import type { TraceWriter } from '../traces/index.ts';

/** Confidence of what rules write; a model would give more. @see the contract decisions, D70 */
const CONFIDENCE = { complete: 0.4, partly: 0.2, unsupported: 0 } as const;
const BY_RULES = 'rules';

/** A live resource with its account, and the properties that are known of it. */
export interface ReadableResource {
  cloud_account_id: string;
  live: DriftLive;
  /** Whether every property that is set is known. */
  is_complete: boolean;
}

export interface IacGenerationDeps extends Pick<ServiceDeps, 'db'> {
  inventory: { findOne(org_id: string, id: string): Promise<ReadableResource | undefined> };
  accounts: { get(org_id: string, id: string): Promise<DriftInput['account']> };
  jobs: Pick<Jobs, 'submit'>;
  traces: TraceWriter;
}

/** Jobs that write the configuration for a resource that no state declares. */
export function createIacGeneration({ db, inventory, accounts, jobs, traces }: IacGenerationDeps) {
  /** @throws NotFound; ServiceError 402 or 429 of the model's limits */
  async function submit(
    org_id: string,
    principal: Principal,
    resource_id: string,
    keep?: Keep<{ job_id: string }>,
  ): Promise<{ job_id: string }> {
    await assertResource(org_id, resource_id);
    const id = newId();
    await db.inOrg(org_id, async (trx) => {
      await lockOrg(trx, org_id);
      const created_by = principal.user.id;
      await jobs.submit(trx, org_id, {
        ...{ id, kind: 'iac-gen', scan_run_id: null, payload_key: null, subject: resource_id, created_by },
      });
      await keep?.(trx, { job_id: id });
    });
    return { job_id: id };
  }

  /** @throws NotFound */
  async function assertResource(org_id: string, id: string): Promise<void> {
    assertFound(await inventory.findOne(org_id, id));
  }

  async function run({ org_id, subject }: Claim): Promise<Finished | Failure> {
    const resource_id = subject ?? '';
    const found = await inventory.findOne(org_id, resource_id);
    if (found === undefined) return GONE;
    const account = await accounts.get(org_id, found.cloud_account_id);
    const generated = generate(found, account);
    const trace_id = await trace(org_id, resource_id, generated);
    const confidence = CONFIDENCE[generated.status];
    const result = JSON.stringify({ resource_id, ...generated, confidence, trace_id });
    return { is_billed: false, result, write: async () => {} };
  }

  function trace(org_id: string, resource_id: string, parsed: Generated): Promise<string> {
    return traces.record({
      ...{ org_id, scan_run_id: null, kind: 'iac-gen', model: null, input_tokens: null, output_tokens: null },
      ...{ latency_ms: 0, cached: false, fallback: true, prompt_version: BY_RULES, error: null },
      body: { ...NO_PROMPT, parsed, inputs: { digest: hash('sha256', resource_id, 'hex'), ...NO_INPUT } },
    });
  }

  const handler: JobHandler = { begin: async () => {}, run, fail: async () => {} };
  return { submit, assertResource, handler };
}

export type IacGeneration = ReturnType<typeof createIacGeneration>;

type Generated = Omit<GeneratedIac, 'status' | 'address' | 'resource_type'> & {
  status: GeneratedIac['status'] | 'unsupported';
  address: string | null;
  resource_type: string | null;
};

const GONE: Failure = {
  error_class: 'not_found',
  message: 'The resource no longer exists in the inventory.',
};
const NO_PROMPT = { system_prompt: '', user_prompt: '', raw_response: null };
const NO_INPUT = { char_count: 0, resource_count: 1 };

function generate({ live, is_complete }: ReadableResource, account: DriftInput['account']): Generated {
  const { id: live_resource_id, properties, normalized_type: _type, iac_resource_id: _iac, ...facts } = live;
  const resource = {
    ...facts,
    live_resource_id,
    properties: properties === null ? null : JSON.parse(properties),
    is_complete,
  };
  const generated = generateIac(resource, { ...account, parts: [], unread: [] });
  if (generated !== undefined) return generated;
  return {
    ...{ address: null, resource_type: null, import_block: null, hcl: '', missing_arguments: [] },
    status: 'unsupported',
    notes: [`dpa knows no Terraform type that manages ${live.provider_type}.`],
  };
}
