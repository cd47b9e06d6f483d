import { analyzePlan } from '../../../engine/analyze.ts';
import { normalizeChange } from '../../../engine/changes/normalize.ts';
import type { ResourceChange } from '../../../engine/changes/types.ts';
import type { Change } from '../../../engine/model/result.ts';
import type { RawChange, RawResourceChange } from '../../../engine/plan/types.ts';
import type { RunContext } from '../../../engine/rules/index.ts';

export const NOW = new Date('2026-11-21T12:00:00Z');
export const RUN: RunContext = { repo: 'acme/infra', branch: 'release/7', now: NOW };

/** An entry of `resource_changes`: an update of `aws_thing.main` with the given overrides. */
export function makeEntry(change: Partial<RawChange>, entry: Partial<RawResourceChange> = {}): RawResourceChange {
  const type = entry.type ?? 'aws_thing';
  const module = entry.module_address === undefined ? '' : `${entry.module_address}.`;
  const name = entry.name ?? 'main';
  return {
    address: `${module}${type}.${name}`,
    type,
    name,
    provider_name: 'registry.terraform.io/hashicorp/aws',
    ...entry,
    change: { actions: ['update'], ...change },
  };
}

/** The same change in the form that rules read. */
export function makeChange(change: Partial<RawChange>, entry: Partial<RawResourceChange> = {}): ResourceChange {
  return normalizeChange(makeEntry(change, entry));
}

/** The same change as stored in a result. */
export function storeChange(change: Partial<RawChange>, entry: Partial<RawResourceChange> = {}): Change {
  const plan = JSON.stringify({ format_version: '1.2', resource_changes: [makeEntry(change, entry)] });
  return JSON.parse(JSON.stringify(analyzePlan(plan).changes[0])) as Change;
}
