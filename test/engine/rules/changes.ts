import { normaliseChange } from '../../../engine/changes/normalise.ts';
import type { ResourceChange } from '../../../engine/changes/types.ts';
import type { RawChange, RawResourceChange } from '../../../engine/plan/types.ts';
import type { RunContext } from '../../../engine/rules/index.ts';

export const NOW = new Date('2026-11-21T12:00:00Z');
export const RUN: RunContext = { repo: 'acme/infra', branch: 'release/7', now: NOW };

/** A change of a plan, an update of `aws_thing.main` unless told otherwise. */
export function makeChange(change: Partial<RawChange>, entry: Partial<RawResourceChange> = {}): ResourceChange {
  const type = entry.type ?? 'aws_thing';
  const module = entry.module_address === undefined ? '' : `${entry.module_address}.`;
  const name = entry.name ?? 'main';
  return normaliseChange({
    address: `${module}${type}.${name}`,
    type,
    name,
    provider_name: 'registry.terraform.io/hashicorp/aws',
    ...entry,
    change: { actions: ['update'], ...change },
  });
}
