import { documentParsers } from '../../../../../engine/documents/index.ts';
import { analyzePlan, type Change, type JsonObject } from '../../../../../engine/index.ts';

/** Analyzes a plan that changes the values of one resource. */
export function judge(type: string, before: JsonObject | null, after: JsonObject): Change {
  const change = {
    address: `${type}.x`,
    mode: 'managed',
    type,
    name: 'x',
    provider_name: 'registry.terraform.io/example/example',
    change: {
      actions: [before === null ? 'create' : 'update'],
      before: before === null ? null : { id: '1', ...before },
      after: { id: '1', ...after },
      after_unknown: {},
      before_sensitive: {},
      after_sensitive: {},
    },
  };
  const plan = { format_version: '1.2', terraform_version: '1.11.0', resource_changes: [change] };
  return analyzePlan(JSON.stringify(plan), { parsers: () => documentParsers }).changes[0] as Change;
}
