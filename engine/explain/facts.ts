import type { JsonValue, PlanAnalysis } from '../model/result.ts';
import { cutMiddle } from './data-text.ts';
import { MAX_NAME, type Projection } from './project.ts';
import { pickValues } from './shown-values.ts';
import type { KnownName, PlanFacts } from './types.ts';

const NUMBER = /\d+(?:\.\d+)*/g;

/**
 * Names and numbers that an answer may use: addresses of the plan, names and values in the prompt, and all numbers in
 * the analysis or those values. Also the shown values, which a concern may cite.
 */
export function collectFacts(analysis: PlanAnalysis, shown: Projection): PlanFacts {
  const names = new Map<string, KnownName>();
  const numbers = new Set<string>();
  addShownNames(names, shown);
  addAddresses(names, analysis);
  addCounts(numbers, analysis, shown);
  for (const { values } of shown.changes) {
    for (const { before, after } of values ?? []) for (const side of [before, after]) addValue(names, numbers, side);
  }
  const { changes } = analysis;
  const values = shown.changes.map((change, i) => (change.values === undefined ? [] : pickValues(changes[i]!)));
  return { names, numbers, values };
}

/** Adds addresses last, so that they take precedence over equal names. */
function addAddresses(names: Map<string, KnownName>, { changes, resource_drift, plan_noise }: PlanAnalysis): void {
  for (const address of plan_noise.addresses.known_benign) addName(names, address);
  for (const { address } of resource_drift) addName(names, address);
  for (const { module_address, previous_address } of changes) {
    if (module_address !== null) addName(names, module_address);
    if (previous_address !== null) addName(names, previous_address);
  }
  for (const [index, { address, deposed }] of changes.entries()) {
    const planned = names.get(address)?.change ?? null;
    // A deposed object shares its address with the current object, which takes precedence.
    if (planned === null || deposed === null) addName(names, address, index);
  }
}

function addName(names: Map<string, KnownName>, name: string, change: number | null = null): void {
  if (name === '') return;
  const known = { shown: cutMiddle(name, MAX_NAME), change };
  names.set(name, known);
  names.set(known.shown, known);
}

function addShownNames(names: Map<string, KnownName>, shown: Projection): void {
  const groups = shown.other_changes.map(({ type }) => type);
  const rules = Object.keys(shown.rules);
  for (const word of [...groups, ...rules]) addName(names, word);
  for (const { type, changed, replaced_because_of, rules: found, undoes_change_made_outside_code } of shown.changes) {
    addName(names, type);
    for (const path of [...changed, ...(replaced_because_of ?? [])]) addPath(names, path);
    for (const { rule, path } of found) {
      addName(names, rule);
      addPath(names, path ?? '');
    }
    for (const path of undoes_change_made_outside_code?.paths ?? []) addName(names, path);
  }
}

const NAMES = /[^.[\]"]+/g;

/** Also adds the names on the path: `ingress` and `cidr_blocks` of `ingress[0].cidr_blocks`. */
function addPath(names: Map<string, KnownName>, path: string): void {
  addName(names, path);
  for (const [name] of path.matchAll(NAMES)) if (name.length > 1 && !names.has(name)) addName(names, name);
}

function addCounts(numbers: Set<string>, analysis: PlanAnalysis, shown: Projection): void {
  const { summary, plan_noise, changes, risk } = analysis;
  const counts = [
    ...Object.values(shown.counts),
    ...Object.values(summary.by_risk),
    ...Object.values(summary.by_category),
    ...Object.values(summary.by_provider),
    ...shown.other_changes.map(({ count }) => count),
    ...shown.changes.map(({ changed_in_all }) => changed_in_all),
    ...countChanges(analysis),
    plan_noise.known_benign,
    plan_noise.novel,
    plan_noise.suppressed,
    summary.deferred,
    summary.drift_detected,
    shown.drift.bearing_on_this_plan,
    shown.outputs_changed,
    shown.not_listed,
    shown.changes.length,
  ];
  for (const count of counts) numbers.add(String(count));
  // The result contains the reasons, so their numbers may be repeated.
  for (const { message } of [...risk.escalations, ...risk.block_reasons]) addNumbers(numbers, message);
  for (const change of changes.slice(0, shown.changes.length)) {
    for (const { message } of change.risk.reasons) addNumbers(numbers, message);
  }
  addNumbers(numbers, summary.terraform_version ?? '');
}

/** Number of changes per type, per type and action, and per type, action and level. */
function countChanges({ changes }: PlanAnalysis): Iterable<number> {
  const tallies = new Map<string, number>();
  for (const { type, action, risk } of changes) {
    for (const key of [type, `${type} ${action}`, `${type} ${action} ${risk.level}`]) {
      tallies.set(key, (tallies.get(key) ?? 0) + 1);
    }
  }
  return tallies.values();
}

function addValue(names: Map<string, KnownName>, numbers: Set<string>, value: JsonValue): void {
  if (Array.isArray(value)) {
    for (const item of value) addValue(names, numbers, item);
  } else if (typeof value === 'string') {
    addName(names, value);
    addNumbers(numbers, value);
  } else if (typeof value === 'number') {
    addName(names, String(value));
    numbers.add(String(Math.abs(value)));
  }
}

function addNumbers(numbers: Set<string>, text: string): void {
  for (const [number] of text.matchAll(NUMBER)) numbers.add(number);
}
