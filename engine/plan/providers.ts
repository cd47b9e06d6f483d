import type { CapturedText } from '../json/capture.ts';
import { parseText } from '../json/text.ts';
import { isObject } from '../lib/is-object.ts';
import type { JsonValue } from '../model/result.ts';
import type { RawProviderConfig } from './types.ts';

const MEMBERS = ['name', 'full_name', 'version_constraint'] as const;

/**
 * Reads the providers of `configuration.provider_config` by key, without their expressions, which may contain
 * credentials. Skips entries without a version constraint.
 */
export function readProviders(text: CapturedText): Map<string, RawProviderConfig> {
  const providers = new Map<string, RawProviderConfig>();
  for (const [key, value] of toEntries(parseText(text))) {
    const texts = toEntries(value).filter(([name, text]) => isMember(name) && typeof text === 'string');
    const provider = Object.fromEntries(texts) as RawProviderConfig;
    if (provider.version_constraint !== undefined) providers.set(key, provider);
  }
  return providers;
}

function toEntries(value: JsonValue): [string, JsonValue][] {
  return isObject(value) ? Object.entries(value) : [];
}

function isMember(name: string): boolean {
  return (MEMBERS as readonly string[]).includes(name);
}
