import type { JsonObject } from '../../../engine/model/result.ts';
import type { RawChange, RawResourceChange } from '../../../engine/plan/types.ts';

/** JSON text of a plan with the given members. */
export function planText(members: JsonObject | Record<string, unknown>): string {
  return JSON.stringify({ format_version: '1.2', terraform_version: '1.11.4', ...members });
}

/** An entry of `resource_changes` for an AWS resource. */
export function entry(
  type: string,
  name: string,
  change: Partial<RawChange>,
  more: Partial<RawResourceChange> = {},
): RawResourceChange {
  return {
    address: `${type}.${name}`,
    mode: 'managed',
    type,
    name,
    provider_name: 'registry.terraform.io/hashicorp/aws',
    ...more,
    change: { actions: ['update'], before: null, after: null, after_unknown: {}, ...change },
  };
}

export function tagUpdate(name: string, more: Partial<RawResourceChange> = {}): RawResourceChange {
  return entry('aws_s3_bucket', name, { before: { tags: { a: '1' } }, after: { tags: { a: '2' } } }, more);
}
