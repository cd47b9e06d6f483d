import { isObject } from '../../lib/is-object.ts';
import type { JsonObject, JsonValue } from '../../model/result.ts';
import { scrubText } from '../../redact/scrub-text.ts';
import { parseArn } from '../aws/arns.ts';
import type { ReadRow } from '../rows.ts';
import { scrubProperties, scrubTags } from '../scrub.ts';
import type { InventoryProvider } from '../types.ts';

/**
 * A resource in a page of a recorded account. Secrets are removed again, because the file may have been edited.
 *
 * @see docs/recorded-accounts.md
 */
export function readRecordedRow(row: JsonObject): ReadRow | undefined {
  const { provider_resource_id, provider_type, region, name, tags, aliases, properties } = row;
  if (typeof provider_resource_id !== 'string' || typeof provider_type !== 'string') return undefined;
  const provider = findProvider(provider_type);
  if (provider === undefined) return undefined;
  const other_ids = listTexts(aliases);
  return {
    provider,
    format: 'recorded_page',
    resource: {
      provider_resource_id,
      provider_type,
      region: typeof region === 'string' ? region : null,
      name: typeof name === 'string' ? scrubText(name) : null,
      tags: scrubTags(readTexts(tags)),
      aliases: other_ids,
      properties: isObject(properties) ? scrubProperties(properties, provider_type) : null,
    },
    // Only Resource Graph shows all properties of a resource in its listing.
    is_complete: provider === 'azure' && isObject(properties) && isObject(properties.properties),
    account_id: findAccount(provider, [provider_resource_id, ...other_ids]),
  };
}

function findProvider(provider_type: string): InventoryProvider | undefined {
  if (provider_type.startsWith('AWS::')) return 'aws';
  if (provider_type.includes('.googleapis.com/')) return 'gcp';
  return provider_type.includes('/') ? 'azure' : undefined;
}

function findAccount(provider: InventoryProvider, ids: readonly string[]): string | null {
  const found = ids.map((id) => {
    if (provider === 'aws') return parseArn(id)?.account_id;
    return (provider === 'gcp' ? /\/projects\/([a-z][^/]*)(?:\/|$)/ : /^\/subscriptions\/([^/]+)/).exec(id)?.[1];
  });
  return found.find((id) => typeof id === 'string') ?? null;
}

function listTexts(value: JsonValue | undefined): string[] {
  return (Array.isArray(value) ? value : []).filter((one): one is string => typeof one === 'string');
}

function readTexts(value: JsonValue | undefined): Record<string, string> {
  const entries = isObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
