import type { ResourceChange } from '../changes/types.ts';
import type { JsonObject } from '../model/result.ts';
import type { RawProviderConfig } from '../plan/types.ts';
import { listConfiguredOwners } from './destinations/configured.ts';
import { createLearnedOwners } from './destinations/learned-owners.ts';
import { createOwnership } from './destinations/ownership.ts';
import { readPriorOwners } from './destinations/prior-owners.ts';
import { createOrderedLists } from './ordering/lists.ts';
import { NEIGHBOR_READS } from './relations/index.ts';
import { createNeighbors } from './relations/neighbors.ts';
import { createPowers } from './relations/powers.ts';
import { createTagSelectors } from './relations/tags.ts';
import { lookUpTraits } from './traits.ts';
import type { PlanFacts } from './types.ts';

const ACCOUNT_ID = /^\d{12}$/;
const ACCOUNT_ATTRIBUTES = ['owner_id', 'account_id'];
const PUBLISHING = new Set([
  'aws_cloudfront_distribution',
  'aws_s3_bucket_website_configuration',
  'google_compute_backend_bucket',
  'azurerm_cdn_endpoint',
  'azurerm_storage_account_static_website',
]);
const IDENTITY_ATTRIBUTES = ['id', 'arn', 'name', 'bucket'];

export interface PlanFactsCollector {
  observe(change: ResourceChange): void;
  /** Call it once, after the configuration was read. */
  configure(providers: readonly RawProviderConfig[]): void;
  facts: PlanFacts;
  /** The owners that the provider configuration and prior values name, in canonical form, at most 200. */
  learnedOwners(): string[];
}

/**
 * Collects the facts about the whole plan that individual rules need. Reads a few top-level strings of each change, and the owners
 * that its prior values name.
 *
 * `facts` is updated by each call of `observe` and complete after the last change.
 *
 * @param confirmed owners of the organization, which count as if the plan already used them
 */
export function createPlanFacts(confirmed: readonly string[] = []): PlanFactsCollector {
  const accounts = new Set<string>();
  const destroyed = new Set<string>();
  const created = new Set<string>();
  const owned = createOwnership(confirmed);
  const configured: string[] = [];
  const learned = createLearnedOwners();
  const ordered = createOrderedLists();
  const powers = createPowers();
  const selectors = createTagSelectors();
  const neighbors = createNeighbors(NEIGHBOR_READS);
  const facts = {
    accounts,
    destroyed,
    created,
    owned,
    ordered,
    powers,
    neighbors,
    selectors,
    publishes: false,
    unguarded: false,
  };

  /** Not for data sources, which name what others own. */
  function addAndLearn(owner: string, hidden: boolean): void {
    owned.add(owner);
    if (!hidden) learned.add(owner);
  }

  function observe(change: ResourceChange): void {
    const { before, after, action, mode, deposed, type, provider } = change;
    if (!owned.is_full) readPriorOwners(change, mode === 'managed' ? addAndLearn : owned.add);
    ordered.observe(change);
    powers.observe(change);
    selectors.observe(change);
    neighbors.observe(change);
    if (provider === 'aws' && !lookUpTraits(type).foreign_account) {
      if (before !== null) collectAccounts(before, accounts);
      if (after !== null) collectAccounts(after, accounts);
    }
    if (action === 'delete' && mode === 'managed' && deposed === null && before !== null && canBeProtected(type)) {
      collectIdentity(before, destroyed);
    }
    facts.unguarded ||= before !== null && action !== 'no-op' && liftsGuard(type, before, after);
    if (action === 'create' && mode === 'managed' && after !== null) {
      if (canBeProtected(type)) collectIdentity(after, created);
      facts.publishes ||= PUBLISHING.has(type);
    }
  }

  function configure(providers: readonly RawProviderConfig[]): void {
    const owners = providers.flatMap(listConfiguredOwners);
    owners.forEach(owned.add);
    addAccounts(owners, accounts);
    configured.push(...owners);
  }

  addAccounts(confirmed, accounts);
  return { observe, configure, facts, learnedOwners: () => learned.list(configured) };
}

/** Settings that block public access regardless of other settings, with the value that blocks it. */
const PUBLIC_GUARDS: Record<string, readonly [attribute: string, guarding: boolean | string][]> = {
  aws_s3_bucket_public_access_block: [
    ['block_public_policy', true],
    ['restrict_public_buckets', true],
    ['block_public_acls', true],
    ['ignore_public_acls', true],
  ],
  google_storage_bucket: [['public_access_prevention', 'enforced']],
  azurerm_storage_account: [['allow_nested_items_to_be_public', false]],
};

function liftsGuard(type: string, before: JsonObject, after: JsonObject | null): boolean {
  const guards = Object.hasOwn(PUBLIC_GUARDS, type) ? PUBLIC_GUARDS[type]! : [];
  const is = (side: JsonObject | null, attribute: string, value: boolean | string): boolean =>
    side !== null && Object.hasOwn(side, attribute) && side[attribute] === value;
  const alone = type.endsWith('_block');
  return guards.some(
    ([attribute, value]) => is(before, attribute, value) && (after === null ? alone : !is(after, attribute, value)),
  );
}

function collectAccounts(values: JsonObject, accounts: Set<string>): void {
  const arn = textAt(values, 'arn');
  if (arn?.startsWith('arn:')) addAccount(extractAccount(arn), accounts);
  for (const attribute of ACCOUNT_ATTRIBUTES) addAccount(textAt(values, attribute), accounts);
}

/** Returns the fifth part of `arn:partition:service:region:account:resource`. */
function extractAccount(arn: string): string | undefined {
  let start = 0;
  for (let part = 0; part < 4; part++) {
    start = arn.indexOf(':', start) + 1;
    if (start === 0) return undefined;
  }
  const end = arn.indexOf(':', start);
  return end < 0 ? arn.slice(start) : arn.slice(start, end);
}

function addAccounts(owners: readonly string[], accounts: Set<string>): void {
  for (const owner of owners) if (owner.startsWith('account:')) addAccount(owner.slice('account:'.length), accounts);
}

function addAccount(text: string | undefined, accounts: Set<string>): void {
  if (text !== undefined && ACCOUNT_ID.test(text)) accounts.add(text);
}

function collectIdentity(values: JsonObject, destroyed: Set<string>): void {
  for (const attribute of IDENTITY_ATTRIBUTES) {
    const text = textAt(values, attribute);
    if (text !== undefined && text !== '') destroyed.add(text);
  }
}

/** Returns false for guards and relations: deleting a guard must not count as deleting the resource it protects. */
function canBeProtected(type: string): boolean {
  const { categories, kind, link, borrowed_id } = lookUpTraits(type);
  if (link || kind === 'part' || borrowed_id) return false;
  return !categories.includes('security') || categories.includes('stateful') || categories.includes('network');
}

function textAt(values: JsonObject, attribute: string): string | undefined {
  const value = Object.hasOwn(values, attribute) ? values[attribute] : undefined;
  return typeof value === 'string' ? value : undefined;
}
