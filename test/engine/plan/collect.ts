import { createPlanReader } from '../../../engine/plan/reader.ts';
import type {
  PlanHeader,
  PlanLimits,
  RawChange,
  RawInvocation,
  RawProviderConfig,
  RawRelevantAttribute,
  RawResourceChange,
} from '../../../engine/plan/types.ts';

export interface Collected {
  resource_changes: RawResourceChange[];
  resource_drift: RawResourceChange[];
  output_changes: Map<string, RawChange>;
  deferred_changes: RawResourceChange[];
  action_invocations: RawInvocation[];
  relevant_attributes: RawRelevantAttribute[];
  provider_config: RawProviderConfig[];
  header: PlanHeader;
}

/** Reads a text in chunks of the given sizes, repeated, and returns everything that the reader delivers. */
export function collect(text: string | Uint8Array, sizes: number[] = [], limits: PlanLimits = {}): Collected {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const found = empty();
  const reader = createPlanReader(
    {
      resourceChange: (raw) => found.resource_changes.push(raw),
      deferredChange: (raw) => found.deferred_changes.push(raw),
      invocation: (raw) => found.action_invocations.push(raw),
      resourceDrift: (raw) => found.resource_drift.push(raw),
      outputChange: (name, raw) => found.output_changes.set(name, raw),
      relevantAttribute: (raw) => found.relevant_attributes.push(raw),
      providerConfig: (raw) => found.provider_config.push(raw),
      restart: (member) => Object.assign(found, { [member]: empty()[member] }),
    },
    limits,
  );
  for (const chunk of splitChunks(bytes, sizes)) reader.write(chunk);
  return { ...found, header: reader.end() };
}

/** Yields chunks whose memory is overwritten when the next chunk is requested. */
function* splitChunks(bytes: Uint8Array, sizes: number[]): Generator<Uint8Array> {
  if (sizes.length === 0) {
    yield bytes;
    return;
  }
  let turn = 0;
  for (let at = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length]!;
    const chunk = Uint8Array.from(bytes.subarray(at, at + size));
    yield chunk;
    chunk.fill(0);
    at += size;
  }
}

function empty(): Omit<Collected, 'header'> {
  return {
    resource_changes: [],
    resource_drift: [],
    output_changes: new Map(),
    deferred_changes: [],
    action_invocations: [],
    relevant_attributes: [],
    provider_config: [],
  };
}

/** Returns a plan with one change whose `after` is the given JSON text. */
export function planWith(after: string): string {
  return `{"format_version":"1.2","resource_changes":[${entryWith(after)}]}`;
}

export function entryWith(after: string, address = 'terraform_data.a'): string {
  return `{"address":"${address}","type":"terraform_data","name":"a","change":{"actions":["update"],"after":${after}}}`;
}
