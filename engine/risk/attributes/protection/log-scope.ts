/** R-LOG-OFF for the scope of logs: filters and exclusions of sinks, selectors of trails, categories of diagnostics. */
import { isObject } from '../../../lib/is-object.ts';
import type { RiskLevel } from '../../../model/result.ts';
import { splitTop } from '../expressions.ts';
import type { Subject } from '../subject.ts';
import type { Path, Rule, Value } from '../types.ts';
import { isEmpty, list, member, same, strings, text, truth } from '../values.ts';

/** Reasons of R-LOG-OFF. */
const REASONS = {
  filter_narrower: 'The filter includes fewer log entries.',
  filter_other: 'The filter includes different log entries.',
  exclusion_wider: 'An exclusion removes more entries from the log.',
  exclusion_all: 'The exclusion matches every entry, so nothing is recorded any more.',
  exclusion_inverted: 'The exclusion removes every entry but those that the filter names.',
  exclusion_security: 'The exclusion removes security log entries.',
  management: 'Management events are no longer recorded in full.',
  reads: 'Management events that only read are no longer recorded.',
  events: 'Some events are no longer recorded.',
  sources: 'Management events of some services are no longer recorded.',
  objects: 'Access to some objects is no longer recorded.',
  categories: (names: string) => `No longer recorded: ${names}.`,
};

/** Log entries that are needed to detect or investigate an intrusion. */
const SECURITY_RECORD =
  /audit|data_access|system_event|access_transparency|vpc_flows|firewall|dns_queries|threat|securitycenter|ids\.googleapis/i;

function report(subject: Subject, path: Path, level: RiskLevel, message: string): void {
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

function holdsAll(items: readonly string[], required: readonly string[]): boolean {
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
  report(subject, path, grave ? 'high' : 'medium', message);
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
    if (matchesAll(is)) report(subject, path, 'high', REASONS.exclusion_all);
    else if (isInverted(is)) report(subject, path, 'high', REASONS.exclusion_inverted);
    else if (isOnlyNoise(is)) report(subject, path, 'low', REASONS.exclusion_wider);
    else {
      const grave = change === 'wider' && SECURITY_RECORD.test(is);
      report(subject, path, grave ? 'high' : 'medium', REASONS.exclusion_wider);
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
  else if (matchesAll(is)) report(subject, path, 'high', REASONS.exclusion_all);
  else if (isInverted(is)) report(subject, path, 'high', REASONS.exclusion_inverted);
  else if (subject.mode !== 'create')
    report(subject, path, SECURITY_RECORD.test(is) ? 'high' : 'medium', REASONS.exclusion_wider);
  else if (SECURITY_RECORD.test(is))
    report(subject, path, isOnePart(is) ? 'high' : 'medium', REASONS.exclusion_security);
}

/** Operators of a field in a CloudTrail selector: match any of the values, or none of them. */
const ANY_OF = ['equals', 'starts_with', 'ends_with'];
const NONE_OF = ['not_equals', 'not_starts_with', 'not_ends_with'];

/** Checks advanced event selectors: each old selector must be covered by a new one. */
function judgeSelectors(subject: Subject): void {
  const attribute = 'advanced_event_selector';
  if (subject.isUnknown(attribute)) return;
  const [before, after] = [list(member(subject.before, attribute)), list(member(subject.after, attribute))];
  const lost = findUnrecorded(before, after);
  if (lost.length === 0) {
    if (findUnrecorded(after, before).length > 0) subject.setDirection([attribute], 'strengthening');
    return;
  }
  // A trail without selectors records every management event, which is the default.
  const management = after.length > 0 && lost.some(isAboutManagement);
  if (management && findUnrecorded(before.map(onlyWrites), after).length === 0)
    report(subject, [attribute], 'medium', REASONS.reads);
  else report(subject, [attribute], management ? 'high' : 'medium', management ? REASONS.management : REASONS.events);
}

/** The part of a selector that records changes. */
function onlyWrites(selector: Value): Value {
  const fields = readFields(selector);
  if (fields.some((field) => text(member(field, 'field')) === 'readOnly')) return selector ?? null;
  return { field_selector: [...fields.map((field) => field ?? null), { field: 'readOnly', equals: ['false'] }] };
}

/** Trails have few selectors. With more pairs than this, only equal selectors are matched. */
const SELECTOR_PAIRS_MAX = 10_000;

/** Returns the selectors that no other one covers. With too many to compare, returns those without an equal one. */
function findUnrecorded(selectors: readonly Value[], others: readonly Value[]): Value[] {
  const known = new Set(others.map((other) => JSON.stringify(other)));
  const rest = selectors.filter((selector) => !known.has(JSON.stringify(selector)));
  if (rest.length * others.length > SELECTOR_PAIRS_MAX) return rest;
  return rest.filter((selector) => !others.some((other) => recordsAll(other, selector)));
}

function isAboutManagement(selector: Value): boolean {
  return readFields(selector).some(
    (field) =>
      text(member(field, 'field')) === 'eventCategory' && strings(member(field, 'equals')).includes('Management'),
  );
}

function readFields(selector: Value): Value[] {
  return list(member(selector, 'field_selector'));
}

function recordsAll(outer: Value, inner: Value): boolean {
  return readFields(outer).every((wide) =>
    readFields(inner).some((field) => member(field, 'field') === member(wide, 'field') && implies(field, wide)),
  );
}

function implies(field: Value, wide: Value): boolean {
  for (const name of ANY_OF) {
    const allowed = strings(member(wide, name));
    const required = strings(member(field, name));
    if (allowed.length > 0 && (required.length === 0 || !holdsAll(allowed, required))) return false;
  }
  return NONE_OF.every((name) => holdsAll(strings(member(field, name)), strings(member(wide, name))));
}

/** Checks basic event selectors: excluded sources and recorded objects. */
function judgeOldSelectors(subject: Subject): void {
  for (const { path, before, after, unknown } of subject.pairs([
    'event_selector',
    '*',
    'exclude_management_event_sources',
  ])) {
    const [was, is] = [strings(before), strings(after)];
    if (unknown || same([...was].sort(), [...is].sort())) continue;
    if (holdsAll(was, is)) subject.setDirection(path, 'strengthening');
    else report(subject, path, 'medium', REASONS.sources);
  }
  for (const { path, before, after, unknown } of subject.pairs(['event_selector', '*', 'data_resource'])) {
    if (unknown || isEmpty(before)) continue;
    const objects = (side: Value): string[] =>
      list(side).flatMap((block) =>
        strings(member(block, 'values')).map((value) => `${text(member(block, 'type'))} ${value}`),
      );
    const startsAs = createPrefixTest(objects(after));
    if (!objects(before).every(startsAs)) report(subject, path, 'medium', REASONS.objects);
  }
}

/** Returns a test for whether a text begins with any of the prefixes. */
function createPrefixTest(prefixes: readonly string[]): (text: string) => boolean {
  const shortest: string[] = [];
  for (const prefix of [...prefixes].sort()) {
    // A prefix that begins with a shorter prefix is redundant.
    const last = shortest.at(-1);
    if (last === undefined || !prefix.startsWith(last)) shortest.push(prefix);
  }
  return (text) => {
    let low = 0;
    let high = shortest.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((shortest[middle] as string) <= text) low = middle + 1;
      else high = middle;
    }
    const last = shortest[low - 1];
    return last !== undefined && text.startsWith(last);
  };
}

/** Checks the categories of Azure diagnostics; a category group contains several categories. */
function judgeCategories(attribute: string, subject: Subject): void {
  if (subject.isUnknown(attribute)) return;
  const before = new Set(categories(subject.before, attribute));
  const after = new Set(categories(subject.after, attribute));
  const gone = after.has('allLogs') ? [] : [...before].filter((name) => !after.has(name));
  if (gone.length > 0) {
    report(subject, [attribute], 'high', REASONS.categories(subject.quoteAll([attribute], gone)));
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
  {
    types: ['aws_cloudtrail', 'aws_cloudtrail_event_data_store'],
    watches: [{ path: 'advanced_event_selector' }],
    modes: CHANGES,
    find: judgeSelectors,
  },
  { types: ['aws_cloudtrail'], watches: [{ path: 'event_selector' }], modes: CHANGES, find: judgeOldSelectors },
  ...['enabled_log', 'log'].map(
    (attribute): Rule => ({
      types: ['azurerm_monitor_diagnostic_setting', 'azurerm_monitor_aad_diagnostic_setting'],
      watches: [{ path: attribute }],
      modes: CHANGES,
      find: (subject) => judgeCategories(attribute, subject),
    }),
  ),
];
