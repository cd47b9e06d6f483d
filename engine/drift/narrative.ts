/** What a report says, in plain English: deterministic, and without names that could be read as Markdown. */
import { plural } from '../model/counts.ts';
import { compareLevels } from '../model/levels.ts';
import { codeSpan } from '../render/inert.ts';
import { isAccepted } from './accepted.ts';
import type { DriftItem, DriftReport } from './types.ts';

export const CLOUD_NAMES = { aws: 'AWS', gcp: 'Google Cloud', azure: 'Azure' } as const;

const MAX_SHOWN = 5;
const MAX_NAME = 200;

type Unwritten = Omit<DriftReport, 'narrative'>;

export function writeDriftNarrative(report: Unwritten): string {
  return [describeVerdict(report), describeWorst(report), describeGaps(report), describeApart(report)]
    .filter((paragraph) => paragraph !== '')
    .join('\n\n');
}

function describeVerdict(report: Unwritten): string {
  const { items, matched_count, not_checked_count, unread, ignored_count } = report;
  const level = `**Risk: ${report.risk_level.toUpperCase()}.**`;
  if (isUndeclared(report)) return `${level} ${describeUndeclared(report)}`;
  const same = `${plural(matched_count, 'resource')} of the states ${matched_count === 1 ? 'is' : 'are'} as declared`;
  if (items.length === 0) {
    const is_whole = not_checked_count === 0 && unread.length === 0;
    return `${level} ${is_whole ? `The account is in sync: ${same}.` : `No differences were found where the account was checked: ${same}.`}`;
  }
  const accepted =
    ignored_count === 0 ? '' : ` ${ignored_count} of them ${ignored_count === 1 ? 'is' : 'are'} accepted.`;
  return `${level} ${describeCounts(report)}.${accepted} ${same[0]?.toUpperCase()}${same.slice(1)}. ${describeCoverage(report)}`;
}

/** Whether the states say nothing about the account, as when none of them is connected. */
function isUndeclared({ total_iac, not_checked_count, extra_count }: Unwritten): boolean {
  return total_iac === 0 && not_checked_count === 0 && extra_count > 0;
}

function describeUndeclared({ extra_count }: Unwritten): string {
  const all = extra_count === 1 ? 'the one resource' : `all ${extra_count} resources`;
  return (
    `No state declares anything in this account, so ${all} in it ${extra_count === 1 ? 'counts' : 'count'} as undeclared. ` +
    'Pass or connect the states that manage the account before you act on them.'
  );
}

/** `2 changed, 1 missing and 3 new resources`. */
export function describeCounts({ changed_count, missing_count, extra_count }: Unwritten): string {
  const counts = [
    [changed_count, 'changed'],
    [missing_count, 'missing'],
    [extra_count, 'undeclared'],
  ] as const;
  const shown = counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  const total = changed_count + missing_count + extra_count;
  return `${shown.length === 0 ? 'no' : listParts(shown)} ${total === 1 ? 'resource' : 'resources'}`;
}

/** `12 resources as declared` */
export function describeMatched({ matched_count }: Pick<Unwritten, 'matched_count'>): string {
  return `${plural(matched_count, 'resource')} as declared`;
}

/** `a, b and c` */
export function listParts(parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`;
}

export function describeCoverage({ coverage_pct, total_live }: Unwritten): string {
  return `The states cover ${coverage_pct} % of ${plural(total_live, 'resource')}.`;
}

/** The items with the highest risk. */
function listWorst(items: readonly DriftItem[], count: number): DriftItem[] {
  return [...items].sort((a, b) => compareLevels(b.risk.level, a.risk.level)).slice(0, count);
}

function describeWorst({ items }: Unwritten): string {
  const open = items.filter((item) => !isAccepted(item));
  const worst = listWorst(open, MAX_SHOWN).filter(({ risk }) => risk.level !== 'none');
  if (worst.length === 0) return '';
  const lines = worst.map((item) => `- ${codeSpan(nameItem(item).slice(0, MAX_NAME))}: ${describeItem(item)}`);
  return `Most important:\n${lines.join('\n')}`;
}

export function nameItem({ resource_address, provider_resource_id, resource_type, name }: DriftItem): string {
  return resource_address ?? `${resource_type ?? ''} ${name ?? provider_resource_id ?? ''}`.trim();
}

const WORDS = { changed: 'changed', missing: 'missing', new: 'undeclared' } as const;

function describeItem({ drift_type, certainty, risk }: DriftItem): string {
  const message = risk.reasons[0]?.message ?? '';
  const doubt = certainty === 'potential' ? ', seen once' : '';
  return `${WORDS[drift_type]}${doubt}, ${risk.level}. ${message}`;
}

function describeGaps({ not_checked, not_checked_count, unread }: Unwritten): string {
  const lines: string[] = [];
  if (not_checked_count > 0) {
    const types = [...new Set(not_checked.map(({ type }) => type))];
    const more = types.length > MAX_SHOWN ? ` and ${types.length - MAX_SHOWN} more types` : '';
    const named = types
      .slice(0, MAX_SHOWN)
      .map((type) => codeSpan(type))
      .join(', ');
    lines.push(`${plural(not_checked_count, 'resource')} of the states could not be checked: ${named}${more}.`);
  }
  for (const { provider_type, region, code } of unread.slice(0, MAX_SHOWN)) {
    const what = provider_type === null ? 'A part of the account' : codeSpan(provider_type);
    lines.push(`${what}${region === null ? '' : ` in ${codeSpan(region)}`} was not read (${code}).`);
  }
  if (unread.length > MAX_SHOWN) lines.push(`${unread.length - MAX_SHOWN} more parts of the account were not read.`);
  return lines.join(' ');
}

function describeApart({ apart_count, apart }: Unwritten): string {
  if (apart_count === 0) return '';
  const services = apart.filter(({ code }) => code === 'service').reduce((sum, { count }) => sum + count, 0);
  const unknown = apart.filter(({ code }) => code === 'unknown_type').reduce((sum, { count }) => sum + count, 0);
  const parts = [
    ...(services > 0 ? [`${services} that services made for themselves`] : []),
    ...(unknown > 0 ? [`${unknown} of types without a rule`] : []),
  ];
  const detail = parts.length === 0 ? '' : `: among them ${parts.join(', and ')}`;
  return `${plural(apart_count, 'listed object')} ${apart_count === 1 ? 'does' : 'do'} not count${detail}.`;
}
