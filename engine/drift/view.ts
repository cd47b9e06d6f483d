/** What the text and the Markdown of a report show, without their notation. */
import { plural } from '../model/counts.ts';
import { compareLevels } from '../model/levels.ts';
import { type Difference, toDifferences } from '../render/evidence.ts';
import { describeFault } from './ledger.ts';
import { listParts, nameItem } from './narrative.ts';
import type { DriftItem, DriftReport } from './types.ts';

export interface DriftView {
  /** Items that nobody accepted, riskiest first. */
  open: DriftItem[];
  accepted: { item: DriftItem; reason: string | null }[];
  /** `2 parts of the account and 3 resources`; empty if everything was checked. */
  gap_counts: string;
  gaps: Gap[];
  /** Sentences about the whole comparison. */
  notes: string[];
}

/** Something that was not checked. */
export interface Gap {
  names: string[];
  /** Names that are not listed. */
  more: number;
  /** A sentence. */
  why: string;
}

export interface ShownItem {
  /** Names of the item: its address, or type and ID. */
  name: string;
  messages: string[];
  differences: Difference[];
  more_differences: number;
  notes: string[];
}

const MAX_DIFFERENCES = 8;
const MAX_NAMES = 3;
const MAX_APART = 10;

/** @param reasons why the rules with these IDs accept items */
export function createDriftView(report: DriftReport, reasons: ReadonlyMap<string, string> = new Map()): DriftView {
  const { items, not_checked_count, unread } = report;
  const open = items.filter(({ ignore_rule_id }) => ignore_rule_id === null);
  const accepted = items.flatMap((item) => {
    const id = item.ignore_rule_id;
    return id === null ? [] : [{ item, reason: reasons.get(id) ?? null }];
  });
  const counts = [
    ...(unread.length > 0 ? [`${plural(unread.length, 'part')} of the account`] : []),
    ...(not_checked_count > 0 ? [plural(not_checked_count, 'resource')] : []),
  ];
  return {
    open: open.sort((a, b) => compareLevels(b.risk.level, a.risk.level)),
    accepted,
    gap_counts: counts.join(' and '),
    gaps: [...listUnread(report), ...listUnchecked(report)],
    notes: [...describeClaims(report), ...describeApart(report), describeComparison(report)],
  };
}

/** One item with its values. */
export function showItem(item: DriftItem): ShownItem {
  const { risk, attributes, attributes_total, certainty, source, region, provider_resource_id } = item;
  const is_id_shown = item.resource_address !== null || item.name === null || item.name === provider_resource_id;
  const differences = attributes.slice(0, MAX_DIFFERENCES).flatMap(toDifferences);
  return {
    name: nameItem(item),
    messages: risk.reasons.map(({ message }) => message),
    differences,
    more_differences: attributes_total - Math.min(attributes.length, MAX_DIFFERENCES),
    notes: [
      ...(certainty === 'potential' ? ['potential'] : []),
      ...(source === null ? [] : [`in ${source}`]),
      ...(region === null ? [] : [region]),
      ...(is_id_shown ? [] : [provider_resource_id ?? '']),
    ],
  };
}

/** Why some differences may be none. */
export function describePotential({ potential_count }: Pick<DriftReport, 'potential_count'>): string {
  if (potential_count === 0) return '';
  const subject = potential_count === 1 ? 'One difference is' : `${potential_count} differences are`;
  return `${subject} only potential: the cloud may have answered with an old copy, or the listing may not be complete.`;
}

/** Without those that already explain resources. */
function listUnread({ unread, not_checked }: DriftReport): Gap[] {
  const known = new Set(not_checked.map(({ reason }) => reason));
  return unread
    .filter((part) => !known.has(describeFault(part)))
    .map(({ provider_type, region, message }) => {
      const what = provider_type ?? 'a part of the account';
      return { names: [region === null ? what : `${what} in ${region}`], more: 0, why: message };
    });
}

function listUnchecked({ not_checked }: DriftReport): Gap[] {
  const reasons = new Map<string, string[]>();
  for (const { address, reason } of not_checked) {
    const known = reasons.get(reason);
    if (known === undefined) reasons.set(reason, [address]);
    else known.push(address);
  }
  return [...reasons].map(([why, names]) => ({
    names: names.slice(0, MAX_NAMES),
    more: Math.max(0, names.length - MAX_NAMES),
    why,
  }));
}

function describeClaims({ claimed_twice }: DriftReport): string[] {
  return claimed_twice
    .slice(0, MAX_APART)
    .map(({ provider_resource_id, addresses }) => `${provider_resource_id} is managed twice: ${addresses.join(', ')}.`);
}

function describeApart({ apart, apart_count }: DriftReport): string[] {
  if (apart_count === 0) return [];
  const shown = apart
    .slice(0, MAX_APART)
    .map(({ count, provider_type, reason }) => `${count} ${provider_type} (${lower(reason)})`);
  return [`Listed apart, not counted: ${shown.join(', ')}${apart.length > MAX_APART ? ', …' : ''}.`];
}

const UNCOMPARED = {
  computed: 'set only by the cloud',
  provider_only: 'used only by the provider',
  unmapped: 'without a rule',
  sensitive: 'secret',
  not_shown: 'not shown by the inventory',
  separate: 'managed by other resources',
} as const;

function describeComparison({ comparison: { compared, uncompared } }: DriftReport): string {
  const missed = Object.entries(UNCOMPARED).flatMap(([reason, text]) => {
    const count = uncompared[reason as keyof typeof UNCOMPARED] ?? 0;
    return count === 0 ? [] : [`${count} ${text}`];
  });
  return `Compared ${plural(compared, 'attribute')}${missed.length === 0 ? '' : `; not compared: ${listParts(missed)}`}.`;
}

function lower(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, '');
}
