import { createHash } from 'node:crypto';
import type { ReadStateBytes } from '../../server/domains/state-sources/index.ts';

interface StateFile {
  version?: number;
  serial: number;
  lineage: string;
  terraform_version: string;
  resources: { mode: string; instances: unknown[] }[];
}

/** Reads small states without a thread; resources without instances count as unreadable. */
export const readSmallState: ReadStateBytes = async (_key, body) => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const state = parse(bytes);
  const managed = state.resources.filter(({ mode }) => mode === 'managed');
  return {
    content_hash: createHash('sha256').update(bytes).digest('hex'),
    resource_count: managed.flatMap(({ instances }) => instances ?? []).length,
    parse_failure_count: managed.filter(({ instances }) => instances === undefined).length,
    serial: state.serial,
    lineage: state.lineage,
    terraform_version: state.terraform_version,
    resources: Buffer.from(JSON.stringify(managed)),
  };
};

function parse(bytes: Buffer): StateFile {
  try {
    const state: StateFile = JSON.parse(bytes.toString());
    if (state.version === 4) return state;
  } catch {
    // Reported like any other file that is no state.
  }
  throw Object.assign(new Error('this is not a Terraform state: upload the output of `terraform state pull`'), {
    name: 'StateReadError',
  });
}

/** A state file with this many resources. */
export function stateText(count: number, serial = 1): string {
  const resource = (name: number) => ({
    mode: 'managed',
    type: 'terraform_data',
    name: `r${name}`,
    provider: 'provider["terraform.io/builtin/terraform"]',
    instances: [{ schema_version: 0, attributes: { id: `id-${name}` }, sensitive_attributes: [] }],
  });
  const lineage = '6c2f2d5e-0000-4000-8000-000000000001';
  const resources = Array.from({ length: count }, (_, name) => resource(name));
  return JSON.stringify({ version: 4, terraform_version: '1.11.0', serial, lineage, outputs: {}, resources });
}
