import { documentParsers } from '../../../engine/documents/index.ts';
import { analyzePlan, type RiskLevel } from '../../../engine/index.ts';
import type { JsonObject } from '../../../engine/model/result.ts';

/** A resource of a plan; sides that are equal do not change. `replace` names the attributes that force a replacement. */
export type PlannedResource = [
  type: string,
  before: JsonObject | null,
  after: JsonObject | null,
  replace?: readonly string[] | undefined,
];

/** The level of a whole plan, and the rules of its reasons. */
export function judgePlan(
  resources: readonly PlannedResource[],
  { providers = {}, module = '' }: { providers?: JsonObject; module?: string } = {},
): { level: RiskLevel; rules: string[] } {
  const resource_changes = resources.map(([type, before, after, replace], index) => ({
    address: `${module}${type}.r${index}`,
    mode: 'managed',
    type,
    name: `r${index}`,
    provider_name: `registry.terraform.io/hashicorp/${type.split('_')[0]}`,
    change: {
      actions: replace ? ['delete', 'create'] : [findAction(before, after)],
      before,
      after,
      after_unknown: {},
      ...(replace ? { replace_paths: replace.map((path) => [path]) } : {}),
    },
  }));
  const plan = {
    format_version: '1.2',
    complete: true,
    resource_changes,
    configuration: { provider_config: providers },
  };
  const analysis = analyzePlan(Buffer.from(JSON.stringify(plan)), { parsers: () => documentParsers });
  const rules = analysis.changes.flatMap(({ risk }) => risk.reasons.map(({ rule_id }) => rule_id));
  return { level: analysis.risk_level, rules };
}

function findAction(before: JsonObject | null, after: JsonObject | null): string {
  if (before === null) return 'create';
  if (after === null) return 'delete';
  return JSON.stringify(before) === JSON.stringify(after) ? 'no-op' : 'update';
}

/** A resource that does not change. */
export const unchanged = (type: string, side: JsonObject): PlannedResource => [type, side, side];
