import { readFileSync } from 'node:fs';
import {
  createStateReader,
  StateError,
  type StateInstance,
  type StateLimits,
  type StateSummary,
  type StateValues,
} from '../../../engine/state/index.ts';

export interface Collected {
  summary: StateSummary;
  instances: (StateInstance & StateValues)[];
}

/** Reads a text in chunks of the given sizes, repeated, and redacts what was delivered, as a caller that stores it does. */
export function collect(text: string | Uint8Array, sizes: number[] = [1_000_000], limits: StateLimits = {}): Collected {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const instances: Collected['instances'] = [];
  const reader = createStateReader(
    { instance: (facts, readValues) => instances.push({ ...facts, ...readValues() }) },
    limits,
  );
  for (let at = 0, round = 0; at < bytes.length; round += 1) {
    const chunk = Uint8Array.from(bytes.subarray(at, at + sizes[round % sizes.length]!));
    reader.write(chunk);
    at += chunk.length;
    chunk.fill(0);
  }
  const summary = reader.end();
  return { summary, instances: instances.map(reader.redact) };
}

export function catchRefusal(text: string | Uint8Array, sizes?: number[]): StateError {
  try {
    collect(text, sizes);
  } catch (error) {
    if (error instanceof StateError) return error;
    throw error;
  }
  throw new Error('was read');
}

/** A state that Terraform 1.11.4 wrote, with the builtin provider; the sensitive variable has the value `PLANTED`. */
export function readFixture(name: 'terraform-1.11.tfstate' | 'terraform-1.11-show'): Buffer {
  return readFileSync(new URL(`../../fixtures/states/${name}.json`, import.meta.url));
}

export const PLANTED = 'Tr0ub4dor&3-planted';

/** A state file with these resources. */
export function stateWith(...resources: unknown[]): string {
  return JSON.stringify({ version: 4, terraform_version: '1.11.4', serial: 7, lineage: 'f0', outputs: {}, resources });
}

/** A resource with instances of these members. */
export function resourceWith(...instances: unknown[]) {
  const provider = 'provider["registry.terraform.io/hashicorp/aws"]';
  return { mode: 'managed', type: 'aws_x', name: 'a', provider, instances };
}
