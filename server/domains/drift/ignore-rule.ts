/** Checks what a caller entered as a drift ignore rule. */
import type { IgnoreRule } from '../../../engine/drift/index.ts';
import { InvalidInput } from '../../lib/errors.ts';
import type { IgnoreRuleInput, StoredIgnoreRule } from './types.ts';

const DAY_MS = 86_400_000;
const LONGEST_DAYS = 366;
const CONDITIONS = ['resource_type', 'address', 'provider_resource_id', 'attribute', 'tag_key'] as const;

/** @throws InvalidInput if no condition is given, or one that could never match */
export function parseConditions(input: IgnoreRuleInput): Omit<IgnoreRule, 'id' | 'drift_types'> & {
  drift_types: StoredIgnoreRule['drift_types'];
} {
  const { drift_types = [], tag_value = null, tag_key = null } = input;
  const given = (name: (typeof CONDITIONS)[number]) => input[name] ?? null;
  if (CONDITIONS.every((name) => given(name) === null))
    throw new InvalidInput(`a drift ignore rule needs a condition: ${CONDITIONS.join(', ')}`);
  if (tag_value !== null && tag_key === null) throw invalid('tag_value', 'needs a tag_key');
  if (given('attribute') !== null && drift_types.length > 0 && !drift_types.includes('changed'))
    throw invalid('attribute', 'matches only items of the type "changed", which drift_types leaves out');
  return {
    drift_types: [...new Set(drift_types)],
    resource_type: given('resource_type'),
    address: given('address'),
    provider_resource_id: given('provider_resource_id'),
    attribute: given('attribute'),
    tag_key,
    tag_value,
  };
}

/** @throws InvalidInput if the time is not within the next 366 days */
export function parseExpiry(expires_at: string | null | undefined, now: Date): Date | null {
  if (expires_at === undefined || expires_at === null) return null;
  const at = new Date(expires_at);
  const ahead_ms = at.getTime() - now.getTime();
  if (ahead_ms > 0 && ahead_ms <= LONGEST_DAYS * DAY_MS) return at;
  throw invalid('expires_at', ahead_ms <= 0 ? 'is in the past' : `is more than ${LONGEST_DAYS} days ahead`);
}

function invalid(field: keyof IgnoreRuleInput, problem: string): InvalidInput {
  const details = [{ path: `/body/${field}`, message: problem, code: 'invalid' }];
  return new InvalidInput(`${field} ${problem}`, 'invalid_request', { details });
}
