/** Puts a report together: items with their risk, counts, order and text, without secrets. */
import { createInsideFinder, type InsideFinder } from '../analysis/inside.ts';
import { presentChange } from '../analysis/present.ts';
import type { DocumentReader } from '../documents/reader.ts';
import { maxLevel } from '../model/levels.ts';
import type { RuleBook } from '../model/rule-book.ts';
import { createRedactor, type Redactor } from '../redact/redactor.ts';
import { createPlanFacts } from '../risk/facts.ts';
import { compareReasons } from '../risk/judge.ts';
import { createOverall } from '../risk/overall.ts';
import type { Judgement } from '../risk/types.ts';
import { findSuppression, isAccepted } from './accepted.ts';
import { findActor } from './actor.ts';
import { findCertainty, type Sighting } from './certainty.ts';
import type { ClassifiedDifference, Differences } from './changes.ts';
import { findConsoleUrl } from './console-url.ts';
import { describeNew, describeParts, toProviderName } from './describe-live.ts';
import type { DriftOptions } from './drift.ts';
import type { ApartGroups } from './extras.ts';
import { findIgnoreRule } from './ignore.ts';
import { findLastName, Names, writeImportBlock } from './import-block.ts';
import { type JudgeOptions, judgeDifference } from './judge.ts';
import type { Ledger } from './ledger.ts';
import { writeDriftNarrative } from './narrative.ts';
import { chooseType } from './new-type.ts';
import type { Entry } from './state-index.ts';
import type { DriftAccount, DriftItem, DriftReport, DriftType, LiveResource, NotChecked } from './types.ts';

/** A resource of a state that differs or is gone. */
export type Found =
  | { drift_type: 'missing'; entry: Entry; difference: ClassifiedDifference }
  | { drift_type: 'changed'; entry: Entry; live: LiveResource; difference: ClassifiedDifference };

export interface ReportInput {
  options: DriftOptions;
  documents: DocumentReader;
  /** The organization's rules, as far as they apply to drift. */
  book: RuleBook;
  differences: Differences;
  found: readonly Found[];
  undeclared: readonly LiveResource[];
  /** The resources of the states. */
  entries: readonly Entry[];
  ledger: Ledger;
  counts: { matched_count: number; outside_count: number; parse_failure_count: number; listed_count: number };
  not_checked: NotChecked[];
  apart: ApartGroups;
  claimed_twice: DriftReport['claimed_twice'];
  comparison: DriftReport['comparison'];
}

/** Something to report, before it is judged. */
interface Draft {
  drift_type: DriftType;
  entry: Entry | null;
  live: LiveResource | null;
  difference: ClassifiedDifference;
  /** Parts of an undeclared object that Terraform manages as resources of their own, such as a policy. */
  parts: readonly ClassifiedDifference[];
  import_block: string | null;
}

const MAX_NOT_CHECKED = 1_000;

export function assembleReport(input: ReportInput): DriftReport {
  const { options, counts, not_checked, apart, ledger } = input;
  const { account } = options;
  const drafts: Draft[] = [...input.found.map(toDraft), ...draftNew(input)];
  const { items, level, escalations } = judgeDrafts(drafts, input);
  const count = (type: DriftType) => drafts.filter(({ drift_type }) => drift_type === type).length;
  const [changed_count, missing_count, extra_count] = [count('changed'), count('missing'), count('new')];
  const known = counts.matched_count + changed_count;
  const report: DriftReport = {
    account: { provider: account.provider, external_account_id: account.external_account_id },
    drift_status: findStatus(items.filter((item) => !isAccepted(item)).length, input),
    ...{ changed_count, missing_count, extra_count, matched_count: counts.matched_count },
    total_iac: known + missing_count,
    total_live: known + extra_count,
    potential_count: items.filter(({ certainty }) => certainty === 'potential').length,
    ignored_count: items.filter(isAccepted).length,
    not_checked_count: not_checked.length,
    outside_count: counts.outside_count,
    listed_count: counts.listed_count,
    apart_count: apart.count,
    coverage_pct: toCoverage(known, known + extra_count),
    risk_level: level,
    escalations,
    narrative: '',
    items,
    not_checked: not_checked.sort(compareAddresses).slice(0, MAX_NOT_CHECKED),
    apart: apart.list(),
    unread: [...ledger.failures],
    claimed_twice: input.claimed_twice,
    comparison: input.comparison,
  };
  report.narrative = writeDriftNarrative(report);
  return report;
}

/** D73: one decimal, half up; 100 if there is nothing. */
export function toCoverage(known: number, total: number): number {
  return total === 0 ? 100 : Math.floor((1000 * known) / total + 0.5) / 10;
}

/** D75. Nothing is in sync as long as something was not checked. */
function findStatus(item_count: number, { counts, ledger, not_checked }: ReportInput): DriftReport['drift_status'] {
  if (counts.parse_failure_count > 0 || ledger.failures.length > 0) return 'incomplete';
  if (item_count > 0) return 'drifted';
  return not_checked.length > 0 ? 'incomplete' : 'in_sync';
}

function toDraft(found: Found): Draft {
  const { drift_type, entry, difference } = found;
  return {
    drift_type,
    entry,
    live: found.drift_type === 'changed' ? found.live : null,
    difference,
    parts: [],
    import_block: null,
  };
}

/** Undeclared resources, in a fixed order, so that their proposed names are the same in every computation. */
function draftNew({ undeclared, entries, differences, options }: ReportInput): Draft[] {
  const { account } = options;
  if (undeclared.length === 0) return [];
  const names = new Names(entries.map(({ address }) => address));
  const sorted = [...undeclared].sort((a, b) => (toOrder(a) < toOrder(b) ? -1 : 1));
  return sorted.flatMap((live) => {
    const type = chooseType(live, account.provider);
    if (type === undefined) return [];
    const address = names.propose(type, live.name ?? findLastName(live.provider_resource_id));
    const name = address.slice(type.length + 1);
    const facts = { address, type, name, index: null, module_address: null, deposed: null };
    const after = describeNew(type, live, account);
    const difference = differences.toCreate({ ...facts, provider_name: toProviderName(account) }, after);
    const import_block = writeImportBlock(address, type, live, account);
    const parts = describeParts(live, account).map(([of_part, values]) =>
      differences.toCreate({ ...facts, type: of_part, provider_name: toProviderName(account) }, values),
    );
    return [{ drift_type: 'new' as const, entry: null, live, difference, parts, import_block }];
  });
}

function toOrder({ provider_type, region, provider_resource_id }: LiveResource): string {
  return `${provider_type} ${region ?? ''} ${provider_resource_id}`;
}

function judgeDrafts(drafts: readonly Draft[], input: ReportInput) {
  const { options, documents, book } = input;
  const { account } = options;
  const redactor = createRedactor();
  const facts = createPlanFacts([toOwner(account)]);
  for (const { difference } of drafts) redactor.observe(difference.change);
  const overall = createOverall();
  const room = { left: Number.POSITIVE_INFINITY };
  const findInside = createInsideFinder(documents);
  const items = drafts.map((draft) => {
    const judgement = judgeDraft(draft, { facts: facts.facts, book, documents });
    const item = toItem(draft, judgement, { options, ledger: input.ledger, redactor, room, findInside });
    // Nothing is planned here, so only weakened protections add up.
    if (!isAccepted(item)) overall.observe(COUNTED, { ...judgement, destructive: false });
    return item;
  });
  const { level, escalations } = overall.result({ errored: null, complete: null, deferred_count: 0 });
  return { items: items.sort(compareItems), level, escalations };
}

/** What makes a part of an undeclared object dangerous makes the object dangerous. */
function judgeDraft({ drift_type, difference, parts }: Draft, options: JudgeOptions): Judgement {
  const judgement = judgeDifference(drift_type, difference, options);
  const of_parts = parts.map((part) => judgeDifference(drift_type, part, options));
  const reasons = of_parts.flatMap((one) => one.reasons.filter(({ kind }) => kind !== 'base'));
  if (reasons.length === 0) return judgement;
  return {
    ...judgement,
    level: maxLevel(judgement.level, ...reasons.filter(({ effect }) => effect === 'raise').map(({ level }) => level)),
    reasons: [...judgement.reasons, ...reasons].sort(compareReasons),
  };
}

const COUNTED = { mode: 'managed', deposed: null, action: 'update' } as const;

function toOwner({ provider, external_account_id }: DriftAccount): string {
  return `${{ aws: 'account', gcp: 'project', azure: 'subscription' }[provider]}:${external_account_id.toLowerCase()}`;
}

interface Presenting {
  options: DriftOptions;
  ledger: Ledger;
  redactor: Redactor;
  room: { left: number };
  findInside: InsideFinder;
}

function toItem(
  draft: Draft,
  judgement: Judgement,
  { options, ledger, redactor, room, findInside }: Presenting,
): DriftItem {
  const { drift_type, entry, live, difference } = draft;
  const { account, earlier, now, reads = 1, isReadAgain = () => true } = options;
  const shown = presentChange({ ...difference, judgement, ...NO_SIGHTINGS }, redactor, room, { findInside });
  const key = toKey(draft, account);
  const known_since = earlier?.get(key);
  const provider_type = live?.provider_type ?? entry?.rule?.cloud_types[0] ?? null;
  const is_changed = drift_type === 'changed';
  const item: Omit<DriftItem, 'ignore_rule_id'> = {
    key,
    drift_type,
    certainty: findCertainty(drift_type, {
      provider: account.provider,
      provider_type,
      reads: known_since === undefined || !isReadAgain(key) ? reads : Math.max(reads, 2),
      ...findOrigin(draft, ledger),
    }),
    resource_address: entry === null ? null : shown.address,
    resource_type: shown.type,
    provider_type,
    provider_resource_id: live?.provider_resource_id ?? findStateId(entry),
    live_resource_id: live?.live_resource_id ?? null,
    region: live?.region ?? entry?.region ?? null,
    name: live?.name ?? (entry === null ? null : shown.name),
    tags: live?.tags ?? {},
    source: entry?.source ?? null,
    categories: shown.categories,
    risk: { level: judgement.level, reasons: shown.risk.reasons },
    attributes: is_changed ? shown.attributes.slice(0, MAX_ATTRIBUTES) : [],
    attributes_total: is_changed ? shown.attributes_total : 0,
    first_detected_at: known_since ?? now,
    import_block: draft.import_block,
    console_url: live === null ? null : findConsoleUrl(live, account),
    suppression_id: findSuppression(difference),
    actor: findActor(drift_type, live),
  };
  const paths = is_changed ? shown.attributes.map(({ path }) => path) : [];
  const ignorable = { ...item, level: judgement.level, paths };
  return { ...item, ignore_rule_id: findIgnoreRule(options.ignore_rules ?? [], ignorable)?.id ?? null };
}

/** What the listing that shows the object, or should show it, can tell. */
function findOrigin({ entry, live }: Draft, ledger: Ledger): Pick<Sighting, 'is_direct' | 'is_assumed'> {
  const types = live === null ? (entry?.rule?.cloud_types ?? []) : [live.provider_type];
  return {
    is_direct: live?.is_complete === true || types.some((type) => ledger.isTypeRead(type)),
    is_assumed: types.length > 0 && ledger.isAssumed(types, live?.region ?? entry?.region ?? null),
  };
}

/** openapi.yaml, DriftItem.attributes */
const MAX_ATTRIBUTES = 100;
const NO_SIGHTINGS = { sightings: [], unknown: [], records: [] };

function findStateId(entry: Entry | null): string | null {
  const { id, arn } = entry?.identifiers ?? {};
  return arn ?? id ?? null;
}

/** D74: the same in every computation of the account. */
function toKey({ drift_type, entry, live }: Draft, { provider, external_account_id }: DriftAccount): string {
  const what =
    entry === null ? [live?.provider_type, live?.region, live?.provider_resource_id] : [entry.address, entry.source];
  return [provider, external_account_id, drift_type, ...what.map((part) => part ?? '')].join(' ');
}

const ORDER: readonly DriftType[] = ['changed', 'missing', 'new'];

/** D74 */
function compareItems(a: DriftItem, b: DriftItem): number {
  const by_type = ORDER.indexOf(a.drift_type) - ORDER.indexOf(b.drift_type);
  if (by_type !== 0) return by_type;
  if (a.first_detected_at !== b.first_detected_at) return a.first_detected_at < b.first_detected_at ? -1 : 1;
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}

function compareAddresses(a: NotChecked, b: NotChecked): number {
  const [left, right] = [`${a.address} ${a.source ?? ''}`, `${b.address} ${b.source ?? ''}`];
  return left < right ? -1 : left > right ? 1 : 0;
}
