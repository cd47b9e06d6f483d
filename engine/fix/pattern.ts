import { attributePattern } from '../noise/fingerprint.ts';
import type { Change } from '../result.ts';
import { findCategories } from '../risk/categories.ts';
import type { FixSubject } from './types.ts';

/**
 * What is known of a pattern: where it was seen, and its leaf as it stands in a stored result.
 *
 * @param changes of the last result that shows it; empty when it is kept no more
 */
export function fixSubject(pattern: Omit<FixSubject, 'diff' | 'categories'>, changes: readonly Change[]): FixSubject {
  const { resource_type, resource_address, attribute, classification, matched_rule_id } = pattern;
  const change = changes.find(({ address }) => address === resource_address);
  const diff = change?.attributes.find((one) => attributePattern(one) === attribute) ?? null;
  const categories = change?.categories ?? findCategories(resource_type);
  return { resource_type, resource_address, attribute, classification, matched_rule_id, diff, categories };
}
