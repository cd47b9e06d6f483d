import { fetchTypings } from '../archive.ts';
import type { ProviderPackages } from '../providers.ts';
import { readCdktf } from './cdktf.ts';
import { addDocumentation, addMissing, type Match, matchResources } from './match.ts';
import { readPulumi, toSnakeCase } from './pulumi.ts';
import type { Schema } from './types.ts';

/** Pairs below this similarity are listed in the report, to be checked. */
const CERTAIN_SCORE = 0.5;

export interface ProviderSchema {
  schema: Schema;
  /** Pairs of type and documentation that may be wrong. */
  uncertain: Match[];
  /** Types without documentation texts. */
  undocumented: string[];
}

/** Schema of a provider with documentation texts, from the packages of the npm registry. */
export function readProvider({ prefix, terraform, documentation }: ProviderPackages, cache: string): ProviderSchema {
  const resources = documentation === undefined ? [] : readPulumi(fetchTypings(documentation, cache));
  const schema: Schema = new Map();
  if (terraform.length === 0) {
    for (const { token, block } of resources) schema.set(deriveType(prefix, token), block);
    return { schema, uncertain: [], undocumented: [] };
  }
  for (const spec of terraform) addMissing(schema, readCdktf(fetchTypings(spec, cache)));
  const matches = matchResources(schema, resources);
  for (const { type, resource } of matches) addDocumentation(schema.get(type)!, resource.block);
  const matched = new Set(matches.map(({ type }) => type));
  const undocumented = documentation === undefined ? [] : [...schema.keys()].filter((type) => !matched.has(type));
  return { schema, uncertain: matches.filter(({ score }) => score < CERTAIN_SCORE), undocumented };
}

/** `authentication/executionConfig` of Keycloak → `keycloak_authentication_execution_config`. */
function deriveType(prefix: string, token: string): string {
  return prefix + toSnakeCase(token.replace('/', '_'));
}
