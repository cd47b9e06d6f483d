import type { CapturedText } from '../json/capture.ts';
import { parseText } from '../json/text.ts';
import { isObject } from '../lib/is-object.ts';
import type { JsonValue } from '../model/result.ts';
import type { RawProviderConfig } from './types.ts';

const MEMBERS = ['name', 'full_name', 'version_constraint'] as const;

/** Arguments that name an account, a project, an organization or a host, in any provider. Never a credential. */
const SCOPES: ReadonlySet<string> = new Set([
  ...['allowed_account_ids', 'account_id', 'account_name', 'organization_name', 'organization', 'org_name', 'owner'],
  ...['organization_id', 'project', 'project_id', 'billing_project', 'subscription_id', 'tenant_id', 'domain'],
  ...['base_url', 'api_url', 'host', 'hostname', 'url', 'endpoint', 'address', 'role_arn'],
]);
/** Real providers have a few. */
const MAX_SCOPES = 50;
const MAX_CHARS = 300;

/**
 * Reads the providers of `configuration.provider_config` by key: names, version constraints, and the constant arguments
 * that say whose accounts they manage. Other expressions may contain credentials and are not read. Skips entries with
 * neither.
 */
export function readProviders(text: CapturedText): Map<string, RawProviderConfig> {
  const providers = new Map<string, RawProviderConfig>();
  for (const [key, value] of toEntries(parseText(text))) {
    const entries = toEntries(value);
    const texts = entries.filter(([name, text]) => isMember(name) && typeof text === 'string');
    const provider = Object.fromEntries(texts) as RawProviderConfig;
    const scope = readScope(Object.fromEntries(entries));
    if (scope.length > 0) provider.scope = scope;
    if (provider.version_constraint !== undefined || scope.length > 0) providers.set(key, provider);
  }
  return providers;
}

/** A compacted plan has the scope instead of the expressions. */
function readScope({ scope, expressions }: { [name: string]: JsonValue }): [string, string][] {
  const found: [string, string][] = [];
  if (Array.isArray(scope)) {
    for (const pair of scope) if (Array.isArray(pair)) addScope(String(pair[0]), pair[1] ?? null, found);
  } else {
    for (const [name, value] of toEntries(expressions ?? null)) readExpression(name, value, found);
  }
  return found;
}

/** An argument with a constant value, or a block of arguments such as `assume_role`. */
function readExpression(name: string, value: JsonValue, found: [string, string][]): void {
  if (Array.isArray(value)) {
    for (const block of value)
      for (const [inner, expression] of toEntries(block)) addConstant(inner, expression, found);
  } else addConstant(name, value, found);
}

function addConstant(name: string, expression: JsonValue, found: [string, string][]): void {
  const constant = isObject(expression) ? expression['constant_value'] : undefined;
  for (const item of Array.isArray(constant) ? constant : [constant]) addScope(name, item ?? null, found);
}

function addScope(name: string, value: JsonValue, found: [string, string][]): void {
  if (!SCOPES.has(name) || typeof value !== 'string' || value === '' || value.length > MAX_CHARS) return;
  // An address may contain a user with a password, or a token.
  if (found.length < MAX_SCOPES && !/[@?#]/.test(value)) found.push([name, value]);
}

function toEntries(value: JsonValue): [string, JsonValue][] {
  return isObject(value) ? Object.entries(value) : [];
}

function isMember(name: string): boolean {
  return (MEMBERS as readonly string[]).includes(name);
}
