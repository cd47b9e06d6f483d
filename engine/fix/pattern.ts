import type { Change } from '../model/result.ts';
import { attributePattern } from '../noise/fingerprint.ts';
import { findCategories } from '../risk/categories.ts';
import type { FixSubject } from './types.ts';

/**
 * Combines a pattern with its difference from a stored result.
 *
 * @param changes of the last result that contains the pattern; empty if that result has expired
 */
export function fixSubject(pattern: Omit<FixSubject, 'diff' | 'categories'>, changes: readonly Change[]): FixSubject {
  const { resource_type, resource_address, attribute, classification, matched_rule_id } = pattern;
  const change = changes.find(({ address }) => address === resource_address);
  const diff = change?.attributes.find((one) => attributePattern(one) === attribute) ?? null;
  const categories = change?.categories ?? findCategories(resource_type);
  return { resource_type, resource_address, attribute, classification, matched_rule_id, diff, categories };
}
