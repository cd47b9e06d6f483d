/** R-STO-EXPIRE for objects: lifecycle rules that start to delete, delete earlier, or delete more content. */

/** Reasons of R-STO-EXPIRE. */
const REASONS = {
  everything: 'Everything is eventually deleted: the lifecycle rule is less limited than before.',
  wider: 'More content is deleted: the lifecycle rule is less limited than before.',
  earlier: (from: number, to: number) => `Content is deleted earlier: after ${to} instead of ${from} days.`,
  earlier_hidden: 'Content is deleted earlier.',
  starts: (days: number) => `Content starts to be deleted, after ${days} days.`,
  starts_hidden: 'Content starts to be deleted.',
};

import { ValueIds } from '../../../changes/value-ids.ts';
import type { JsonValue, RiskLevel } from '../../../model/result.ts';
import { StepBudget } from '../step-budget.ts';
import type { Subject } from '../subject.ts';
import type { Path, Rule, Value } from '../types.ts';
import { at, isEmpty, list, member, quantity, text } from '../values.ts';
import { isWithin, type Limit, limitsOfAws, limitsOfAzure, limitsOfGoogle, readPrefixes } from './lifecycle-scope.ts';

/** One deletion by a lifecycle rule. */
interface Expiry {
  /** The kind of content, such as current versions or snapshots, and the start of its age. */
  content: string;
  /** Name prefix; empty for every name. */
  prefix: string;
  /** Further limits that the content must meet. */
  limits: readonly Limit[];
  days: number;
  path: Path;
  /** The path of the limits. */
  scope: Path;
}

/** Beyond this number of comparisons, every rule without an equal earlier rule counts as new. */
const COMPARISONS_MAX = 100_000;
const STEPS_EACH = 64;
const AWS_EXPIRIES = [
  ['expiration', 'days'],
  ['noncurrent_version_expiration', 'noncurrent_days'],
  ['noncurrent_version_expiration', 'days'],
] as const;
const AZURE_DELETIONS = [
  'delete_after_days_since_modification_greater_than',
  'delete_after_days_since_last_access_time_greater_than',
  'delete_after_days_since_creation_greater_than',
  'delete_after_days_since_creation',
];

function awsExpiries(attribute: string, side: Value): Expiry[] {
  return list(member(side, attribute)).flatMap((rule, index) => {
    if (text(member(rule, 'status')) === 'Disabled' || member(rule, 'enabled') === false) return [];
    const scope = [attribute, index, isEmpty(member(rule, 'filter')) ? 'prefix' : 'filter'];
    const prefix = text(at(rule, 'filter', 'and', 'prefix')) || text(at(rule, 'filter', 'prefix'));
    const common = { prefix: prefix || text(member(rule, 'prefix')), scope };
    const found: Expiry[] = [];
    for (const [content, name] of AWS_EXPIRIES) {
      const days = quantity(at(rule, content, name));
      if (days === undefined || days <= 0) continue;
      found.push({
        ...common,
        content,
        limits: limitsOfAws(rule, content),
        days,
        path: [attribute, index, content, 0, name],
      });
    }
    if (!isEmpty(at(rule, 'expiration', 'date'))) {
      const path = [attribute, index, 'expiration', 0, 'date'];
      found.push({ ...common, content: 'expiration', limits: limitsOfAws(rule, 'expiration'), days: 0, path });
    }
    return found;
  });
}

function googleExpiries(side: Value): Expiry[] {
  return list(member(side, 'lifecycle_rule')).flatMap((rule, index) => {
    if (text(at(rule, 'action', 'type')) !== 'Delete') return [];
    const condition = list(member(rule, 'condition'))[0];
    const scope = ['lifecycle_rule', index, 'condition'];
    const days = quantity(member(condition, 'age')) ?? 0;
    const limits = limitsOfGoogle(condition);
    return readPrefixes(member(condition, 'matches_prefix')).map((prefix) => {
      return { content: '', prefix, limits, days, path: [...scope, 0, 'age'], scope };
    });
  });
}

function azureExpiries(side: Value): Expiry[] {
  return list(member(side, 'rule')).flatMap((rule, index) => {
    if (member(rule, 'enabled') === false) return [];
    const scope = ['rule', index, 'filters'];
    const limits = limitsOfAzure(rule);
    return ['base_blob', 'snapshot', 'version'].flatMap((block) =>
      AZURE_DELETIONS.flatMap((name) => {
        const days = quantity(at(rule, 'actions', block, name));
        if (days === undefined || days < 0) return [];
        const path = ['rule', index, 'actions', 0, block, 0, name];
        const prefixes = readPrefixes(at(rule, 'filters', 'prefix_match'));
        return prefixes.map((prefix) => ({ content: `${block} ${name}`, prefix, limits, days, path, scope }));
      }),
    );
  });
}

function judgeExpiries(subject: Subject, before: readonly Expiry[], after: readonly Expiry[]): void {
  const comparison = new Comparison(before, after);
  const lasting = after.filter((expiry) => !isTemporary(expiry));
  const worse = comparison.findUncovered(lasting, before) ?? comparison.findUncovered(after, before);
  if (worse) {
    const found = describeExpiry(subject, worse, before);
    const level = isTemporary(worse) ? 'low' : subject.mode === 'create' ? 'medium' : findLevel(worse);
    subject.add({ rule: 'R-STO-EXPIRE', level, ...found });
    if (level !== 'low') subject.setDirection(found.path, 'weakening');
  } else if (subject.mode !== 'create') {
    const gone = before.filter((expiry) => comparison.findUncovered([expiry], after));
    for (const { path, scope } of gone)
      for (const location of [path, scope]) subject.setDirection(location, 'strengthening');
  }
}

/** Soon, most of the existing content is older than the new limit. */
const SOON_DAYS = 30;
/** Limits that only replaced versions meet. */
const REPLACED = new Set(['num_newer_versions', 'newer_noncurrent_versions', 'days_since_noncurrent_time']);

/** Names of folders whose content nobody keeps. */
const TEMPORARY =
  /(?:^|\/)\.?(?:tmp|temp|temporary|cache|caches|scratch|trash|spill|incomplete|intermediate|_temporary)\//i;

function isTemporary({ prefix }: Expiry): boolean {
  return TEMPORARY.test(prefix);
}

function findLevel({ content, prefix, limits, days }: Expiry): RiskLevel {
  if (limits.some(({ name }) => REPLACED.has(name)) || content === 'noncurrent_version_expiration') {
    const keeps = limits.some(({ name, value }) => REPLACED.has(name) && (quantity(value) ?? 0) > 1);
    return keeps ? 'medium' : 'high';
  }
  const everything = prefix === '' && limits.every(({ name }) => name === 'blob_types');
  const is_current = content === '' || content === 'expiration' || content.startsWith('base_blob');
  return everything && is_current && days < SOON_DAYS ? 'critical' : 'high';
}

/** Compares the deletions of two sides. A deletion counts as new when the step budget is exhausted. */
class Comparison {
  private readonly ids = new ValueIds();
  private readonly keys = new Map<readonly Expiry[], ReadonlySet<string>>();
  private readonly steps: StepBudget;

  constructor(before: readonly Expiry[], after: readonly Expiry[]) {
    this.steps = new StepBudget(COMPARISONS_MAX + STEPS_EACH * (before.length + after.length));
  }

  /** Returns the first deletion that no other one covers at the same age or earlier. */
  findUncovered(expiries: readonly Expiry[], others: readonly Expiry[]): Expiry | undefined {
    const known = this.collectKeys(others);
    return expiries.find(
      (expiry) => !known.has(this.toKey(expiry)) && !this.steps.some(others, (other) => this.covers(other, expiry)),
    );
  }

  private covers(other: Expiry, expiry: Expiry): boolean {
    if (!this.steps.take(countValues(other.limits) + countValues(expiry.limits))) return false;
    return other.days <= expiry.days && reaches(other, expiry);
  }

  private collectKeys(expiries: readonly Expiry[]): ReadonlySet<string> {
    const known = this.keys.get(expiries) ?? new Set(expiries.map((expiry) => this.toKey(expiry)));
    this.keys.set(expiries, known);
    return known;
  }

  private toKey({ content, prefix, limits, days }: Expiry): string {
    return `${content} ${days} ${this.ids.find(limits as unknown as JsonValue)} ${prefix}`;
  }
}

function countValues(limits: readonly Limit[]): number {
  let count = limits.length;
  for (const { value } of limits) if (Array.isArray(value)) count += value.length;
  return count;
}

/** Returns true when `outer` includes all content of `inner`, ignoring the age. */
function reaches(outer: Expiry, inner: Expiry): boolean {
  return (
    outer.content === inner.content && inner.prefix.startsWith(outer.prefix) && isWithin(inner.limits, outer.limits)
  );
}

function describeExpiry(
  subject: Subject,
  worse: Expiry,
  before: readonly Expiry[],
): { path: Path; message: string; states_values?: boolean } {
  const { days, path, scope } = worse;
  const later = before.find((other) => reaches(other, worse));
  const narrower = before.find((other) => reaches(worse, other));
  if (!later && narrower) {
    const all = worse.prefix === '' && worse.limits.length === 0;
    return { path: scope, message: all ? REASONS.everything : REASONS.wider };
  }
  const hidden = subject.isHidden(path);
  if (later) {
    const message = hidden ? REASONS.earlier_hidden : REASONS.earlier(later.days, days);
    return { path, message, states_values: !hidden && later.path.join() === path.join() };
  }
  return { path, message: hidden ? REASONS.starts_hidden : REASONS.starts(days) };
}

export const STORAGE_RULES: readonly Rule[] = [
  ...(['rule', 'lifecycle_rule'] as const).map(
    (attribute): Rule => ({
      types: [attribute === 'rule' ? 'aws_s3_bucket_lifecycle_configuration' : 'aws_s3_bucket'],
      watches: [{ path: attribute }],
      find: (subject) =>
        judgeExpiries(subject, awsExpiries(attribute, subject.before), awsExpiries(attribute, subject.after)),
    }),
  ),
  {
    types: ['google_storage_bucket'],
    watches: [{ path: 'lifecycle_rule' }],
    find: (subject) => judgeExpiries(subject, googleExpiries(subject.before), googleExpiries(subject.after)),
  },
  {
    types: ['azurerm_storage_management_policy'],
    watches: [{ path: 'rule' }],
    find: (subject) => judgeExpiries(subject, azureExpiries(subject.before), azureExpiries(subject.after)),
  },
];
