/** R-LOG-OFF for the scope of logs: filters and exclusions of sinks, categories of diagnostics. */
import { isObject } from '../../../lib/is-object.ts';
import type { RiskLevel } from '../../../model/result.ts';
import { splitTop } from '../expressions.ts';
import type { Subject } from '../subject.ts';
import type { Path, Rule, Value } from '../types.ts';
import { list, member, text, truth } from '../values.ts';

/** Reasons of R-LOG-OFF. */
const REASONS = {
  filter_narrower: 'The filter includes fewer log entries.',
  filter_other: 'The filter includes different log entries.',
  exclusion_wider: 'An exclusion removes more entries from the log.',
  exclusion_all: 'The exclusion matches every entry, so nothing is recorded any more.',
  exclusion_inverted: 'The exclusion removes every entry but those that the filter names.',
  exclusion_security: 'The exclusion removes security log entries.',
  categories: (names: string) => `No longer recorded: ${names}.`,
};

/** Log entries that are needed to detect or investigate an intrusion. */
const SECURITY_RECORD =
  /audit|data_access|system_event|access_transparency|vpc_flows|firewall|dns_queries|threat|securitycenter|ids\.googleapis/i;

/** Adds a reason of R-LOG-OFF. */
export function reportLogOff(subject: Subject, path: Path, level: RiskLevel, message: string): void {
  subject.add({ rule: 'R-LOG-OFF', level, path, message });
  subject.setDirection(path, 'weakening');
}

type Change = 'same' | 'narrower' | 'wider' | 'other';

/** Compares two Cloud Logging filters by the operands of their outermost operator. */
function compareFilters(before: string, after: string): Change {
  const [from, to] = [operands(before), operands(after)];
  const [is_narrower, is_wider] = [holdsAll(to.and, from.and), holdsAll(from.and, to.and)];
  if (is_narrower || is_wider) return is_narrower ? (is_wider ? 'same' : 'narrower') : 'wider';
  if (from.or.length === 1 && to.or.length === 1) return 'other';
  if (holdsAll(from.or, to.or)) return 'narrower';
  return holdsAll(to.or, from.or) ? 'wider' : 'other';
}

function operands(filter: string): { and: string[]; or: string[] } {
  // A line break means AND unless the line begins or ends with an operator.
  const lines = filter.split('\n').filter((line) => !line.trim().startsWith('--'));
  const joined = lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' AND ')
    .replace(/(\bAND|\bOR|\bNOT|\() AND /g, '$1 ')
    .replace(/ AND (AND|OR|\))/g, ' $1');
  const parts = (operator: string): string[] => splitTop(joined, operator).filter((part) => part !== '');
  return { and: parts('and'), or: parts('or') };
}

/** Whether all required items are among the items. */
export function holdsAll(items: readonly string[], required: readonly string[]): boolean {
  const held = new Set(items);
  return required.every((item) => held.has(item));
}

function judgeSink(subject: Subject): void {
  judgeFilter(subject);
  judgeExclusions(subject);
}

function judgeFilter(subject: Subject): void {
  const path = ['filter'];
  const [before, after] = [text(member(subject.before, 'filter')), text(member(subject.after, 'filter'))];
  if (before === after || subject.isUnknown('filter')) return;
  const change = compareFilters(before, after);
  if (change === 'same') return;
  if (change === 'wider') {
    subject.setDirection(path, 'strengthening');
    return;
  }
  const grave = change === 'narrower' && (before === '' || SECURITY_RECORD.test(before));
  const message = change === 'narrower' ? REASONS.filter_narrower : REASONS.filter_other;
  reportLogOff(subject, path, grave ? 'high' : 'medium', message);
}

function judgeExclusions(subject: Subject): void {
  if (subject.isUnknown('exclusions')) return;
  for (const { path, before, after } of subject.pairs(['exclusions', '*'])) {
    const [was, is] = [excludes(before), excludes(after)];
    if (was === is) continue;
    if (is === undefined) {
      subject.setDirection(path, 'strengthening');
      continue;
    }
    const change = was === undefined ? 'wider' : compareFilters(was, is);
    if (change === 'same') continue;
    if (change === 'narrower') {
      subject.setDirection(path, 'strengthening');
      continue;
    }
    if (matchesAll(is)) reportLogOff(subject, path, 'high', REASONS.exclusion_all);
    else if (isInverted(is)) reportLogOff(subject, path, 'high', REASONS.exclusion_inverted);
    else if (isOnlyNoise(is)) reportLogOff(subject, path, 'low', REASONS.exclusion_wider);
    else {
      const grave = change === 'wider' && SECURITY_RECORD.test(is);
      reportLogOff(subject, path, grave ? 'high' : 'medium', REASONS.exclusion_wider);
    }
  }
}

/** Filters that every log entry matches: none, or the lowest severity. */
const EVERYTHING =
  /^(?:\*|true|severity ?>=? ?"?(?:default|0)"?|severity ?<=? ?"?emergency"?|timestamp ?> ?"?(?:19|200)[^" ]{0,30}"?)$/i;
/** A part of a filter that only the least important entries match. */
const LEAST = /^severity ?(?:=|<|<=) ?"?(?:debug|info|notice|default)"?$/i;

function matchesAll(filter: string): boolean {
  const trimmed = filter.trim().slice(0, 200);
  return trimmed === '' || EVERYTHING.test(trimmed);
}

/** Whether a filter only says what it does not match, so that it matches nearly everything. */
function isInverted(filter: string): boolean {
  const { and, or } = operands(filter);
  return or.length === 1 && and.length > 0 && and.every((part) => NEGATED.test(part.trim()));
}

const NEGATED = /^(?:not\b|-\s?[a-z"(])|^[\w.]{1,100} ?!=/i;

function isOnlyNoise(filter: string): boolean {
  if (SECURITY_RECORD.test(filter)) return false;
  const { and } = operands(filter);
  return and.length > 1 && and.some((part) => LEAST.test(part.trim()));
}

/** Whether a filter takes whole logs: only tests of the name of the log, and of a severity that most entries have. */
function isOnePart(filter: string): boolean {
  const parts = splitTop(filter, 'or').flatMap((part) => splitTop(part, 'and'));
  // Nearly all entries of an audit log are below the level of an error.
  return parts.every((part) => /^log_?name\b|^severity\s{0,5}(?:<|>=?\s{0,5}"?(?:default|debug|info))/i.test(part));
}

function excludes(exclusion: Value): string | undefined {
  return !isObject(exclusion) || truth(member(exclusion, 'disabled')) === true
    ? undefined
    : text(member(exclusion, 'filter'));
}

/** Checks an exclusion that is a separate resource. */
function judgeExclusion(subject: Subject): void {
  const [was, is] = [excludes(subject.before), excludes(subject.after)];
  if (is === undefined || was === is || subject.isUnknown('filter')) {
    if (is === undefined && was !== undefined) subject.setDirection(['disabled'], 'strengthening');
    return;
  }
  const change = was === undefined ? 'wider' : compareFilters(was, is);
  if (change === 'same') return;
  const path = was === undefined && subject.mode !== 'create' ? ['disabled'] : ['filter'];
  if (change === 'narrower') subject.setDirection(path, 'strengthening');
  else if (matchesAll(is)) reportLogOff(subject, path, 'high', REASONS.exclusion_all);
  else if (isInverted(is)) reportLogOff(subject, path, 'high', REASONS.exclusion_inverted);
  else if (subject.mode !== 'create')
    reportLogOff(subject, path, SECURITY_RECORD.test(is) ? 'high' : 'medium', REASONS.exclusion_wider);
  else if (SECURITY_RECORD.test(is))
    reportLogOff(subject, path, isOnePart(is) ? 'high' : 'medium', REASONS.exclusion_security);
}

/** Checks the categories of Azure diagnostics; a category group contains several categories. */
function judgeCategories(attribute: string, subject: Subject): void {
  if (subject.isUnknown(attribute)) return;
  const before = new Set(categories(subject.before, attribute));
  const after = new Set(categories(subject.after, attribute));
  const gone = after.has('allLogs') ? [] : [...before].filter((name) => !after.has(name));
  if (gone.length > 0) {
    reportLogOff(subject, [attribute], 'high', REASONS.categories(subject.quoteAll([attribute], gone)));
  } else if (!before.has('allLogs') && [...after].some((name) => !before.has(name))) {
    subject.setDirection([attribute], 'strengthening');
  }
}

function categories(side: Value, attribute: string): string[] {
  return list(member(side, attribute))
    .filter((block) => truth(member(block, 'enabled')) !== false)
    .map((block) => text(member(block, 'category_group')) || text(member(block, 'category')));
}

const CHANGES = ['update', 'replace'] as const;
const PARENTS = ['project', 'folder', 'organization', 'billing_account'];

export const LOG_SCOPE_RULES: readonly Rule[] = [
  {
    types: PARENTS.map((parent) => `google_logging_${parent}_sink`),
    watches: [{ path: 'filter' }, { path: 'exclusions' }],
    modes: CHANGES,
    find: judgeSink,
  },
  {
    types: PARENTS.map((parent) => `google_logging_${parent}_exclusion`),
    watches: [{ path: 'filter' }, { path: 'disabled' }],
    find: judgeExclusion,
  },
  ...['enabled_log', 'log'].map(
    (attribute): Rule => ({
      types: ['azurerm_monitor_diagnostic_setting', 'azurerm_monitor_aad_diagnostic_setting'],
      watches: [{ path: attribute }],
      modes: CHANGES,
      find: (subject) => judgeCategories(attribute, subject),
    }),
  ),
];
