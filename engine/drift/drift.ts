import { createDocumentReader } from '../documents/reader.ts';
import type { DocumentParsers } from '../documents/types.ts';
import { NO_RULES, type RuleBook } from '../model/rule-book.ts';
import type { StateInstance, StateValues } from '../state/types.ts';
import { dropOmitted } from './arguments/withheld.ts';
import { type ClassifiedDifference, Differences, toDriftBook } from './changes.ts';
import { Claims } from './claims.ts';
import { type Comparison, compareValues, findSource } from './compare.ts';
import { ComparisonTotals } from './compared.ts';
import { ApartGroups, DefaultVpcs, sortExtras } from './extras.ts';
import { isUniqueName, listKnownNames, listLiveNames, normalizeName } from './identifiers.ts';
import type { IgnoreRule } from './ignore.ts';
import { createLedger } from './ledger.ts';
import { isSameObject, type ObjectRef, toIdentity, toRank, toRef } from './object-ref.ts';
import { explainUnknown } from './outcomes.ts';
import { findOutside, findRegion } from './places.ts';
import { assembleReport, type Found } from './report.ts';
import { createSeparates } from './separate.ts';
import { listCreatedWith } from './service-made.ts';
import { SharedComparisons } from './shared-comparisons.ts';
import { type Entry, StateIndex } from './state-index.ts';
import { findJoinRule, type JoinRule, toTypeKey } from './type-rules.ts';
import type { DriftAccount, DriftReport, LiveResource, NotChecked } from './types.ts';

export interface DriftOptions {
  account: DriftAccount;
  /** The time of the computation, RFC 3339; new items are first detected then. */
  now: string;
  /** When items of earlier computations were first detected, by `DriftItem.key`. */
  earlier?: Pick<ReadonlyMap<string, string>, 'get'>;
  /** How often in a row the account was read with this result; 1 by default. An item of `earlier` counts as read twice. */
  reads?: number;
  /** Whether an item of `earlier` comes from another read of the account, which confirms it; true by default. */
  isReadAgain?: (key: string) => boolean;
  /** The organization's rules about noise; none by default. */
  book?: RuleBook;
  /** The organization's key for fingerprints of noise. */
  noise_key?: Uint8Array;
  /** Drift that the organization accepts; none by default. */
  ignore_rules?: readonly IgnoreRule[];
  /** Called at the end for each object that a resource of a state describes. */
  onMatched?: (object: ObjectRef, address: string) => void;
  /** As in `AnalyzeOptions`. */
  parsers?: () => DocumentParsers | undefined;
}

export interface DriftEnd {
  /** Resources of the states that could not be read. */
  parse_failure_count?: number;
}

export interface DriftComputation {
  /**
   * Adds a resource of a state. Add all of them before the first live resource.
   *
   * @param source says which state it is, if there are several
   */
  addInstance(instance: StateInstance, values: StateValues, source?: string | null): void;
  /** Adds a live resource, in any order and page by page. The same one again has no effect. */
  addLive(resource: LiveResource): void;
  end(facts?: DriftEnd): DriftReport;
}

const GROUP_RULE = /^aws_(?:vpc_)?security_group_(?:rule|ingress_rule|egress_rule)$/;

/** What the object of a resource of a state shows. */
interface Result {
  ref: ObjectRef;
  /** `not_shown`: the object exists, but the inventory does not show the part. */
  kind: 'matched' | 'changed' | 'gone' | 'not_shown';
  /** Only if it is `changed`. */
  change: { live: LiveResource; difference: ClassifiedDifference } | null;
  comparison: Comparison | null;
}

interface Tracked extends Entry {
  result: Result | null;
  /** Objects with its name, if the name is not unique and the state does not tell the region; else null. */
  candidates: ObjectRef[] | null;
}

/**
 * Compares states with an account: what differs, what is gone, what nobody declared, and what was not checked. Takes time
 * and memory in proportion to both inputs, and the order of neither matters.
 */
export function createDrift(options: DriftOptions): DriftComputation {
  const { account, book = NO_RULES, noise_key } = options;
  const { provider } = account;
  const documents = createDocumentReader(options.parsers);
  const differences = new Differences({ documents, book, noise_key });
  const comparisons = new SharedComparisons();
  const ledger = createLedger(account);
  const index = new StateIndex(provider);
  const separates = createSeparates();
  const created_with = new Map<string, string>();
  const entries: Tracked[] = [];
  const not_checked: NotChecked[] = [];
  const seen = new Set<string>();
  const types = new Set<string>();
  const regions = new Map<string, string>();
  const extras: LiveResource[] = [];
  const claims = new Claims();
  const default_vpcs = new DefaultVpcs();
  const separate_groups = new Set<string>();
  const shown_groups = new Set<string>();
  const unsettled_types = new Set<string>();
  let outside_count = 0;
  let listed_count = 0;

  function addInstance(instance: StateInstance, values: StateValues, source: string | null = null): void {
    if (findOutside(instance, values, account) !== null) {
      outside_count += 1;
      return;
    }
    separates.add(instance.type, values);
    noteRelations(instance, values);
    const rule = findJoinRule(instance.type) ?? null;
    const names = rule === null ? [] : listKnownNames(rule, values, account);
    const entry = toEntry(instance, values, { rule, source, names });
    if (rule !== null && names.length === 0) {
      refuse(entry, { code: 'no_identifier', reason: 'The state does not hold the ID of the object.' });
      return;
    }
    for (const type of rule?.cloud_types ?? []) index.add(entry, toTypeKey(provider, type), names);
    entries.push(entry);
  }

  /**
   * Without what the comparison does not need, which would otherwise stay in memory until the end. One literal without
   * spreads, because V8 describes the members of others for each object.
   */
  function toEntry(
    { address, type, name, index: key, module_address, deposed, provider_name }: StateInstance,
    values: StateValues,
    { rule, source, names }: Pick<Entry, 'rule' | 'source'> & { names: readonly string[] },
  ): Tracked {
    const region = shareRegion(findRegion(values, provider));
    const needs_region = provider === 'aws' && region === null && !hasUniqueName(rule, names);
    return {
      address,
      type,
      name,
      index: key,
      module_address,
      deposed,
      provider_name,
      identifiers: values.identifiers,
      attributes: values.attributes,
      rule,
      region,
      source,
      result: null,
      candidates: needs_region ? [] : null,
    };
  }

  /** The region of an ARN would otherwise be one text more for each resource. */
  function shareRegion(region: string | null): string | null {
    if (region === null) return null;
    const known = regions.get(region) ?? region;
    regions.set(known, known);
    return known;
  }

  function hasUniqueName(rule: JoinRule | null, names: readonly string[]): boolean {
    return rule?.cloud_types.some((type) => names.some((name) => isUniqueName(provider, type, name))) ?? false;
  }

  function noteRelations({ type, address }: StateInstance, { attributes }: StateValues): void {
    for (const name of listCreatedWith(type, attributes)) created_with.set(normalizeName(name, account), address);
    const { security_group_id } = attributes;
    if (GROUP_RULE.test(type) && typeof security_group_id === 'string') separate_groups.add(security_group_id);
  }

  function refuse({ address, type, source, rule }: Entry, unknown: Pick<NotChecked, 'code' | 'reason'>): void {
    not_checked.push({ address, type, source, ...unknown });
    if (unknown.code !== 'unproven_rule' && unknown.code !== 'no_identifier') return;
    for (const type of rule?.cloud_types ?? []) unsettled_types.add(toTypeKey(provider, type));
  }

  function addLive(resource: LiveResource): void {
    const live = dropOmitted(resource);
    const type = toTypeKey(provider, live.provider_type);
    const found = index.find(type, listLiveNames(live, account), live.region) as Tracked[];
    if (isRepeated(live, found)) return;
    listed_count += 1;
    types.add(type);
    default_vpcs.observe(live);
    if (live.properties?.['SecurityGroupIngress'] !== undefined) shown_groups.add(live.provider_resource_id);
    if (found.length === 0) extras.push(live);
    if (found.length > 1) claims.observe(live, found);
    for (const entry of found) match(entry, live);
  }

  /** Most objects have one entry, which knows its object, so only the others need a list of all that were seen. */
  function isRepeated(live: LiveResource, found: readonly Tracked[]): boolean {
    const [entry] = found;
    if (entry === undefined || found.length > 1) return !note(live);
    if (entry.result === null) return false;
    return isSameObject(entry.result.ref, live) || seen.has(toIdentity(live));
  }

  /** @returns whether it is seen for the first time */
  function note(object: ObjectRef): boolean {
    const count = seen.size;
    return seen.add(toIdentity(object)).size > count;
  }

  function match(entry: Tracked, live: LiveResource): void {
    entry.candidates?.push(toRef(live, entry));
    if (entry.result !== null) {
      for (const one of [entry.result.ref, live]) note(one);
      if (toRank(entry, entry.result.ref) <= toRank(entry, live)) return;
    }
    entry.result = compare(entry, live);
  }

  function compare(entry: Tracked, live: LiveResource): Result {
    const { rule } = entry;
    const ref = toRef(live, entry);
    if (rule === null || entry.deposed !== null) return { ref, kind: 'matched', change: null, comparison: null };
    const found = findSource(rule, entry, live);
    if (found === 'gone' || found === 'not_shown') return { ref, kind: found, change: null, comparison: null };
    const place = { live, source: found.source, provider, is_part: rule.part !== null };
    const comparison = comparisons.share(entry.type, compareValues(entry.type, entry, place, separates));
    const difference = differences.findChange(entry, comparison);
    if (difference === null) return { ref, kind: 'matched', change: null, comparison };
    return { ref, kind: 'changed', change: { live, difference }, comparison };
  }

  function end({ parse_failure_count = 0 }: DriftEnd = {}): DriftReport {
    const apart = new ApartGroups();
    const totals = new ComparisonTotals();
    const found: Found[] = [];
    let matched_count = 0;
    for (const entry of entries) {
      const outcome = settle(entry, apart);
      if (outcome === 'outside') outside_count += 1;
      if (outcome === 'matched') matched_count += 1;
      if (outcome === 'missing')
        found.push({
          drift_type: 'missing',
          entry,
          difference: differences.toDelete(entry, entry.attributes),
        });
      if (outcome === 'changed' && entry.result?.change)
        found.push({ drift_type: 'changed', entry, ...entry.result.change });
      if ((outcome === 'matched' || outcome === 'changed') && entry.result !== null)
        options.onMatched?.(entry.result.ref, entry.address);
      if ((outcome === 'matched' || outcome === 'changed') && entry.result?.comparison)
        totals.add(entry.address, entry.type, entry.result.comparison);
    }
    const open_groups = new Set([...separate_groups].filter((id) => !shown_groups.has(id)));
    const facts = { account, created_with, unsettled_types, open_groups, default_vpcs };
    const undeclared = sortExtras(extras, facts, apart);
    return assembleReport({
      options,
      documents,
      book: toDriftBook(book),
      differences,
      found,
      undeclared,
      entries,
      ledger,
      counts: { matched_count, outside_count, parse_failure_count, listed_count },
      not_checked,
      apart,
      claimed_twice: claims.list(),
      comparison: totals.result(),
    });
  }

  function settle(entry: Tracked, apart: ApartGroups): 'matched' | 'changed' | 'missing' | 'not_checked' | 'outside' {
    const { result } = entry;
    if (result === null) {
      if (entry.deposed !== null) return 'outside';
      const unknown = explainUnknown(entry, { ledger, account, types });
      if (unknown === null) return 'missing';
      refuse(entry, unknown);
      return 'not_checked';
    }
    if (entry.candidates?.some(({ region }) => region !== result.ref.region)) {
      const reason = 'Objects in several regions have this name, and the state does not tell the region.';
      refuse(entry, { code: 'ambiguous', reason });
      for (const one of entry.candidates)
        apart.add(one, { code: 'ambiguous', reason: 'A state names it without its region.' });
      return 'not_checked';
    }
    if (result.kind === 'gone') return 'missing';
    if (result.kind !== 'not_shown') return result.kind;
    const reason = 'The object exists, but the inventory does not show this part of it.';
    refuse(entry, { code: 'not_shown', reason });
    return 'not_checked';
  }

  return { addInstance, addLive, end };
}
