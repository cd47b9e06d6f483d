import { attributePattern } from '../noise/fingerprint.ts';
import type { Change } from '../result.ts';
import { categoriesOf } from '../risk/categories.ts';
import { fixOptions } from './options.ts';
import type { FixProposal, FixSubject } from './types.ts';

/**
 * The ways to be rid of a pattern, as it stands in a stored result.
 *
 * @param changes of the last result that shows it; empty when it is kept no more
 */
export function fixPattern(pattern: Omit<FixSubject, 'diff' | 'categories'>, changes: readonly Change[]): FixProposal {
  const change = changes.find(({ address }) => address === pattern.resource_address);
  const diff = change?.attributes.find((one) => attributePattern(one) === pattern.attribute) ?? null;
  const categories = change?.categories ?? categoriesOf(pattern.resource_type);
  return fixOptions({ ...pattern, diff, categories });
}
