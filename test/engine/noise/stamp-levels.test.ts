/** Law: a stamp beside a real change changes neither its level nor the reasons. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { analyzePlan, type Change } from '../../../engine/index.ts';
import type { JsonObject } from '../../../engine/model/result.ts';
import type { RawResourceChange } from '../../../engine/plan/types.ts';
import { MERGED_LABEL_CASES } from './cases/merged-labels.ts';
import { REFRESHED_CASES } from './cases/refreshed.ts';
import { STAMP_CASES } from './cases/stamps.ts';
import { UNSET_VALUE_CASES } from './cases/unset-values.ts';

interface Plan {
  resource_changes: RawResourceChange[];
}

/** A plan and the position of the change that gets a stamp. */
interface Target {
  plan: Plan;
  at: number;
}

const SETS = join(import.meta.dirname, '../../score/independent-sets');

/** Every novel update of a set of labeled plans. */
function readTargets(set: string): Target[] {
  const files = readdirSync(join(SETS, set)).filter((file) => file.endsWith('.json'));
  return files.flatMap((file) => listTargets(JSON.parse(readFileSync(join(SETS, set, file), 'utf8')) as Plan));
}

const constructed = [...STAMP_CASES, ...MERGED_LABEL_CASES, ...REFRESHED_CASES, ...UNSET_VALUE_CASES].flatMap(
  ({ change, others, members }) => listTargets({ ...members, resource_changes: [change, ...others] } as Plan),
);

function listTargets(plan: Plan): Target[] {
  const novel = new Set(
    analyze(plan)
      .filter(({ action, noise }) => action === 'update' && noise.classification === 'novel')
      .map(({ address }) => address),
  );
  return plan.resource_changes.flatMap((change, at) => (novel.has(change.address as string) ? [{ plan, at }] : []));
}

function analyze(plan: Plan): Change[] {
  return analyzePlan(JSON.stringify(plan)).changes;
}

type Stamp = readonly [key: string, before: string, after: string];
type Place = (side: JsonObject, key: string, value: string) => JsonObject;

const inMap =
  (name: string): Place =>
  (side, key, value) => ({ ...side, [name]: { ...(side[name] as JsonObject | null), [key]: value } });

const inMetadata: Place = (side, key, value) => {
  const [first, ...rest] = Array.isArray(side['metadata']) ? (side['metadata'] as JsonObject[]) : [];
  return { ...side, metadata: [inMap('annotations')(first ?? {}, key, value), ...rest] };
};

const inManifest: Place = (side, key, value) => {
  const manifest = (side['manifest'] ?? {}) as JsonObject;
  const metadata = inMap('annotations')((manifest['metadata'] ?? {}) as JsonObject, key, value);
  return { ...side, manifest: { ...manifest, metadata } };
};

/** Where resources of a type have their metadata. */
function findPlace(type: string): Place {
  if (type === 'kubernetes_manifest') return inManifest;
  if (type.startsWith('kubernetes_')) return inMetadata;
  return inMap(type.startsWith('google_') ? 'labels' : 'tags');
}

function addStamp({ plan, at }: Target, [key, was, is]: Stamp): Plan {
  const resource_changes = plan.resource_changes.map((entry, i) => {
    if (i !== at) return entry;
    const place = findPlace(entry.type);
    const { before, after } = entry.change;
    const change = {
      ...entry.change,
      before: place(before as JsonObject, key, was),
      after: place(after as JsonObject, key, is),
    };
    return { ...entry, change };
  });
  return { ...plan, resource_changes };
}

const number = fc.integer({ min: 1, max: 99_999 });
const stamp: fc.Arbitrary<Stamp> = fc.oneof(
  number.map((run) => ['pipeline_run_number', String(run), String(run + 1)] as const),
  number.map((build) => ['ci.stamps.example/build', `#${build}`, `#${build + 7}`] as const),
  number.map((day) => ['last_applied_at', toTime(day), toTime(day + 1)] as const),
  fc.constant(['vcs_commit_sha', '4f2c1d9', 'a81b77c'] as const),
);

function toTime(day: number): string {
  return new Date(day * 86_400_000).toISOString();
}

/** Tags in a list, and maps that are sensitive or unknown as a whole, cannot get a key. */
function canHoldStamp({ plan, at }: Target): boolean {
  const { type, change } = plan.resource_changes[at]!;
  const marks = [change.after_unknown, change.before_sensitive, change.after_sensitive] as (JsonObject | undefined)[];
  return ['tags', 'labels', 'metadata'].every((name) => {
    const values = [change.before, change.after].map((side) => (side as JsonObject)[name] ?? null);
    const is_list = values.some(Array.isArray) && !(name === 'metadata' && type.startsWith('kubernetes_'));
    return !is_list && !marks.some((mark) => mark?.[name] === true);
  });
}

function findChange(plan: Plan, { plan: { resource_changes }, at }: Target): Change {
  return analyze(plan).find(({ address }) => address === resource_changes[at]!.address)!;
}

/** The level and its reasons, without texts. */
function summarize({ address, risk: { level, reasons } }: Change) {
  return {
    address,
    level,
    reasons: reasons.map((reason) => [reason.rule_id, reason.effect, reason.level, reason.path]),
  };
}

test('a stamp beside a real change changes neither its level nor the reasons', () => {
  const targets = [...readTargets('d'), ...readTargets('h'), ...constructed].filter(canHoldStamp);
  let stamped_once = 0;

  fc.assert(
    fc.property(fc.constantFrom(...targets), stamp, (target, added) => {
      const without = findChange(target.plan, target);
      const stamped = findChange(addStamp(target, added), target);
      stamped_once += stamped.attributes.filter(
        ({ noise, path }) => noise !== 'novel' && path.includes(added[0]),
      ).length;

      expect(summarize(stamped)).toEqual(summarize(without));
      expect(stamped.noise.classification).toBe('novel');
    }),
    { numRuns: 300 },
  );
  expect(stamped_once).toBeGreaterThan(250);
});
