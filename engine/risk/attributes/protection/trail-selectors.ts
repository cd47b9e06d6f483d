/** R-LOG-OFF for the events that a trail selects. */
import type { Subject } from '../subject.ts';
import type { Rule, Value } from '../types.ts';
import { isEmpty, list, member, same, strings, text } from '../values.ts';
import { holdsAll, reportLogOff } from './log-scope.ts';

/** Reasons of R-LOG-OFF. */
const REASONS = {
  management: 'Management events are no longer recorded in full.',
  reads: 'Management events that only read are no longer recorded.',
  events: 'Some events are no longer recorded.',
  sources: 'Management events of some services are no longer recorded.',
  objects: 'Access to some objects is no longer recorded.',
};

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
    reportLogOff(subject, [attribute], 'medium', REASONS.reads);
  else
    reportLogOff(
      subject,
      [attribute],
      management ? 'high' : 'medium',
      management ? REASONS.management : REASONS.events,
    );
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
    else reportLogOff(subject, path, 'medium', REASONS.sources);
  }
  for (const { path, before, after, unknown } of subject.pairs(['event_selector', '*', 'data_resource'])) {
    if (unknown || isEmpty(before)) continue;
    const objects = (side: Value): string[] =>
      list(side).flatMap((block) =>
        strings(member(block, 'values')).map((value) => `${text(member(block, 'type'))} ${value}`),
      );
    const startsAs = createPrefixTest(objects(after));
    if (!objects(before).every(startsAs)) reportLogOff(subject, path, 'medium', REASONS.objects);
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

const CHANGES = ['update', 'replace'] as const;

export const TRAIL_SELECTOR_RULES: readonly Rule[] = [
  {
    types: ['aws_cloudtrail', 'aws_cloudtrail_event_data_store'],
    watches: [{ path: 'advanced_event_selector' }],
    modes: CHANGES,
    find: judgeSelectors,
  },
  { types: ['aws_cloudtrail'], watches: [{ path: 'event_selector' }], modes: CHANGES, find: judgeOldSelectors },
];
