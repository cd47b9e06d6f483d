import type { Category } from '../model/result.ts';
import { CONTAINER_TYPES, KEY_TYPES, PART_TYPES, REBUILDABLE_TYPES } from './data/kinds.ts';
import { OTHER_PROVIDERS } from './data/other-providers.ts';
import typeLists from './data/type-lists.json' with { type: 'json' };
import { compileGlobs, type TypeTest } from './globs.ts';
import type { Kind } from './types.ts';

export type ListedCategory = Exclude<Category, 'other'>;

/** Categories in the order in which they are listed, and which decides ties between equal levels: worst loss first. */
export const LISTED_CATEGORIES = ['stateful', 'encryption', 'iam', 'security', 'network'] as const;

const UNLISTED_CATEGORIES = LISTED_CATEGORIES.map((category) => ({
  category,
  types: compileGlobs(OTHER_PROVIDERS[category]),
}));

const LISTED_PROVIDER = /^(?:aws|google|azurerm)_/;
/** Longer than any real type name. A longer name has the category `other`. */
const MAX_TYPE_LENGTH = 200;

const KEYS = compileGlobs(KEY_TYPES);
const KINDS: { kind: Kind; types: TypeTest }[] = [
  { kind: 'key', types: KEYS },
  { kind: 'container', types: compileGlobs(CONTAINER_TYPES) },
  { kind: 'rebuildable', types: compileGlobs(REBUILDABLE_TYPES) },
  { kind: 'part', types: compileGlobs(PART_TYPES) },
];

let listed: Map<string, Category[]> | undefined;

/** Returns every resource type of one built-in list: `aws_…`, then `azurerm_…`, then `google_…`, each sorted. */
export function collectTypes(category: ListedCategory): string[] {
  return Object.entries(typeLists[category]).flatMap(([prefix, names]) => names.map((name) => `${prefix}_${name}`));
}

/**
 * Returns the categories of a resource type, worst loss first; `['other']` when no list names it. Costs one lookup for
 * the listed providers and five patterns for others, so callers should cache the result per type.
 */
export function findCategories(type: string): Category[] {
  listed ??= indexLists();
  const known = listed.get(type);
  if (known !== undefined) return [...known];
  if (LISTED_PROVIDER.test(type) || type.length > MAX_TYPE_LENGTH) return ['other'];

  const found: Category[] = [];
  for (const { category, types } of UNLISTED_CATEGORIES) if (types.test(type)) found.push(category);
  return found.length === 0 ? ['other'] : found;
}

/** Returns what a stateful type or key material holds; null for every other type. */
export function findKind(type: string): Kind | null {
  const categories = findCategories(type);
  if (categories.includes('stateful')) return KINDS.find(({ types }) => types.test(type))?.kind ?? 'data';
  return categories.includes('encryption') && KEYS.test(type) ? 'key' : null;
}

function indexLists(): Map<string, Category[]> {
  const index = new Map<string, Category[]>();
  for (const category of LISTED_CATEGORIES) {
    for (const type of collectTypes(category)) {
      const known = index.get(type);
      if (known === undefined) index.set(type, [category]);
      else known.push(category);
    }
  }
  return index;
}
