/** R-SEC-WAF: rules of application firewalls that stop filtering. */

const REASONS = {
  removed: (rule: string) => `The rule ${rule} is removed.`,
  unblocked: (rule: string) => `The rule ${rule} no longer blocks requests.`,
  default_allow: 'Requests that no rule matches are now allowed.',
  undenied: (priority: string) => `The rule with priority ${priority} no longer denies requests.`,
  unmatched: (rule: string) =>
    `The rule ${rule} never matches: its text has capital letters, but requests are compared in small letters.`,
  address_default: 'Addresses that match no restriction are now allowed.',
  address_removed: (from: number, to: number) => `Address restrictions are removed: ${from} to ${to} rules.`,
};

import { ValueIds } from '../../../changes/value-ids.ts';
import { FILTER_FORMATS, readFilters } from '../../ordering/filter-readers.ts';
import { compareFilters } from '../../ordering/filter-rules.ts';
import type { Subject } from '../subject.ts';
import type { Path, Rule, Value } from '../types.ts';
import { at, isEmpty, list, member, text, truth } from '../values.ts';

const GOOGLE_DEFAULT_PRIORITY = '2147483647';

function report(subject: Subject, path: Path, message: string): void {
  subject.add({ rule: 'R-SEC-WAF', level: 'high', path, message });
  subject.setDirection(path, 'weakening');
}

/** Checks AWS WAF rules that are removed or changed from block to count. */
function judgeAwsRules(subject: Subject): void {
  for (const { path, before, after } of subject.pairs(['rule', '*'])) {
    if (before === undefined || subject.isUnknown(...path)) continue;
    const name = subject.quoteAll(path, [text(member(before, 'name'))]);
    if (after === undefined) {
      if (
        !isEmpty(at(before, 'action', 'block')) ||
        hasBlock(before, 'override_action', 'none') ||
        hasBlock(before, 'action', 'block')
      )
        report(subject, path, REASONS.removed(name));
    } else if (blocks(before) && !blocks(after)) {
      report(subject, path, REASONS.unblocked(name));
    } else if (blocks(after) && missesByCase(after, MAX_DEPTH) && !missesByCase(before, MAX_DEPTH)) {
      report(subject, path, REASONS.unmatched(name));
    }
  }
}

/** Statements of AWS can contain each other three times. */
const MAX_DEPTH = 20;

/** Whether a statement looks for capital letters after it has turned them into small ones. */
function missesByCase(value: Value, depth: number): boolean {
  if (typeof value !== 'object' || value === null || depth === 0) return false;
  if (Array.isArray(value)) return value.some((item) => missesByCase(item, depth - 1));
  const changes = list(member(value, 'text_transformation')).map((one) => text(member(one, 'type')).toUpperCase());
  if (changes.includes('LOWERCASE') && /[A-Z]/.test(text(member(value, 'search_string')))) return true;
  return Object.values(value).some((inner) => missesByCase(inner, depth - 1));
}

function blocks(rule: Value): boolean {
  return (
    hasBlock(rule, 'action', 'block') ||
    (hasBlock(rule, 'override_action', 'none') && !hasBlock(rule, 'override_action', 'count'))
  );
}

/** Returns true when a block exists. An empty block is a list of one empty object. */
function hasBlock(rule: Value, parent: string, name: string): boolean {
  const block = at(rule, parent, name);
  return Array.isArray(block) ? block.length > 0 : block !== undefined && block !== null;
}

/** Checks Cloud Armor rules for a deny rule that is removed, or a default that changes to allow. */
function judgeGoogleRules(subject: Subject): void {
  const format = FILTER_FORMATS.find(({ types, attribute }) => types.includes(subject.type) && attribute === 'rule')!;
  const [was, is] = [readFilters(format, subject.before), readFilters(format, subject.after)];
  // New numbers in the same order change nothing. A lone rule may be among rules that are resources of their own.
  const own = was.filter(({ order }) => order < Number(GOOGLE_DEFAULT_PRIORITY));
  if (own.length > 1 && compareFilters(was, is)?.same === true) return;
  const ids = new ValueIds();
  const findMatchId = (rule: Value): number => ids.find(member(rule, 'match') ?? null);
  const earliest = new Map<number, number>();
  for (const rule of list(member(subject.after, 'rule')).filter(denies)) {
    const priority = Number(member(rule, 'priority'));
    if (!(priority >= (earliest.get(findMatchId(rule)) ?? Number.POSITIVE_INFINITY)))
      earliest.set(findMatchId(rule), priority);
  }
  for (const { path, before, after } of subject.pairs(['rule', '*'])) {
    if (!denies(before) || denies(after)) continue;
    const priority = text(member(before, 'priority'));
    // Rules are identified by priority, so the same deny rule may exist under a lower number.
    if ((earliest.get(findMatchId(before)) ?? Number.POSITIVE_INFINITY) <= Number(priority)) continue;
    report(
      subject,
      path,
      priority === GOOGLE_DEFAULT_PRIORITY
        ? REASONS.default_allow
        : REASONS.undenied(subject.quoteAll(path, [priority])),
    );
  }
}

/** Checks Azure rules, which have names, for a block rule that is removed, disabled or changed. */
function judgeAzureRules(attribute: string, subject: Subject): void {
  if (subject.isUnknown(attribute)) return;
  for (const { path, before, after } of subject.pairs([attribute, '*'])) {
    if (!blocksNow(before) || blocksNow(after)) continue;
    const name = subject.quoteAll(path, [text(member(before, 'name'))]);
    report(subject, path, after === undefined ? REASONS.removed(name) : REASONS.unblocked(name));
  }
}

function blocksNow(rule: Value): boolean {
  return text(member(rule, 'action')).toLowerCase() === 'block' && truth(member(rule, 'enabled')) !== false;
}

function denies(rule: Value): boolean {
  return text(member(rule, 'action')).startsWith('deny') || text(member(rule, 'action')) === 'rate_based_ban';
}

/** Checks the address restrictions of Azure web apps. */
function judgeRestrictions(subject: Subject): void {
  for (const { path, before, after } of subject.pairs(['site_config', '*'])) {
    const from = list(member(before, 'ip_restriction')).length;
    const to = list(member(after, 'ip_restriction')).length;
    const opened =
      text(member(after, 'ip_restriction_default_action')) === 'Allow' &&
      text(member(before, 'ip_restriction_default_action')) === 'Deny';
    if (!opened && (from === 0 || to >= from)) continue;
    const where = [...path, opened ? 'ip_restriction_default_action' : 'ip_restriction'];
    const message = opened ? REASONS.address_default : REASONS.address_removed(from, to);
    subject.add({ rule: `R-ATTR-${subject.type}.site_config.*.ip_restriction`, level: 'high', path: where, message });
    subject.setDirection(where, 'weakening');
  }
}

const CHANGES = ['update', 'replace'] as const;

export const WAF_RULES: readonly Rule[] = [
  {
    types: ['aws_wafv2_web_acl', 'aws_wafv2_rule_group'],
    watches: [{ path: 'rule' }],
    modes: CHANGES,
    find: judgeAwsRules,
  },
  {
    types: ['google_compute_security_policy', 'google_compute_region_security_policy'],
    watches: [{ path: 'rule' }],
    modes: CHANGES,
    find: judgeGoogleRules,
  },
  ...(['custom_rule', 'custom_rules'] as const).map(
    (attribute): Rule => ({
      types:
        attribute === 'custom_rule'
          ? ['azurerm_cdn_frontdoor_firewall_policy', 'azurerm_frontdoor_firewall_policy']
          : ['azurerm_web_application_firewall_policy'],
      watches: [{ path: attribute }],
      modes: CHANGES,
      find: (subject) => judgeAzureRules(attribute, subject),
    }),
  ),
  {
    types: ['azurerm_*_web_app', 'azurerm_*_web_app_slot', 'azurerm_*_function_app'],
    watches: [{ path: 'site_config.*.ip_restriction' }, { path: 'site_config.*.ip_restriction_default_action' }],
    modes: CHANGES,
    find: judgeRestrictions,
  },
];
