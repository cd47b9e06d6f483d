import {
  createDrift,
  type DriftAccount,
  type DriftOptions,
  type DriftReport,
  type LiveResource,
} from '../../../engine/drift/index.ts';
import type { JsonObject } from '../../../engine/index.ts';
import type { StateInstance, StateValues } from '../../../engine/state/index.ts';

export const NOW = '2026-11-27T12:00:00.000Z';

export const AWS: DriftAccount = {
  provider: 'aws',
  external_account_id: '210987654321',
  parts: [],
  unread: [],
};
export const GCP: DriftAccount = {
  provider: 'gcp',
  external_account_id: 'acme-prod',
  project_number: '4711',
  parts: [{ region: null, provider_type: null }],
  unread: [],
};
export const AZURE: DriftAccount = {
  provider: 'azure',
  external_account_id: '5f2c9a1e-0b3d-4c55-9e7a-6d1f2b3c4d5e',
  parts: [{ region: null, provider_type: null }],
  unread: [],
};

/** The account with these types of AWS read everywhere. */
export function reading(...provider_types: string[]): DriftAccount {
  return { ...AWS, parts: provider_types.map((provider_type) => ({ region: null, provider_type })) };
}

export interface Held {
  type: string;
  attributes: JsonObject;
  name?: string;
  mode?: 'managed' | 'data';
  deposed?: string;
  provider?: string;
  source?: string;
}

export function live(provider_type: string, id: string, more: Partial<LiveResource> = {}): LiveResource {
  return {
    provider_type,
    provider_resource_id: id,
    aliases: [],
    region: null,
    name: null,
    tags: {},
    properties: null,
    is_complete: true,
    ...more,
  };
}

const IDENTIFIERS = ['id', 'arn', 'self_link', 'unique_id', 'name', 'bucket', 'key_id'];
const PROVIDERS: Record<string, string> = { google: 'gcp', azurerm: 'azure' };

export function toInstance({ type, name = 'this', mode = 'managed', deposed, provider }: Held): StateInstance {
  const short = type.split('_')[0] ?? '';
  return {
    address: `${mode === 'data' ? 'data.' : ''}${type}.${name}`,
    module_address: null,
    mode,
    type,
    name,
    index: null,
    deposed: deposed ?? null,
    tainted: false,
    provider: provider ?? PROVIDERS[short] ?? short,
    provider_name: `hashicorp/${short}`,
    schema_version: 0,
    dependencies: [],
    sensitive_count: 0,
  };
}

export function toValues({ attributes }: Held): StateValues {
  const named = IDENTIFIERS.flatMap((key): [string, string][] => {
    const value = attributes[key];
    return typeof value === 'string' ? [[key, value]] : [];
  });
  return { identifiers: Object.fromEntries(named), attributes, identity: null };
}

export function compute(
  account: DriftAccount,
  held: readonly Held[],
  found: readonly LiveResource[],
  options: Partial<DriftOptions> = {},
): DriftReport {
  const computation = createDrift({ account, now: NOW, ...options });
  for (const one of held) computation.addInstance(toInstance(one), toValues(one), one.source);
  for (const resource of found) computation.addLive(resource);
  return computation.end();
}

/** The differing attributes of the only item. */
export function listPaths({ items }: DriftReport): string[] {
  return items.flatMap(({ attributes }) => attributes.map(({ path }) => path));
}
