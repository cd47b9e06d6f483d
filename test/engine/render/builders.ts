import type { Change, PlanAnalysis, Reason, RiskLevel, Summary } from '../../../engine/model/result.ts';

export function aReason(message: string, more: Partial<Reason> = {}): Reason {
  return { rule_id: 'R-TEST', kind: 'attribute', effect: 'raise', level: 'high', path: null, message, ...more };
}

/** An update of level high with the given overrides. */
export function aChange(
  address: string,
  { level = 'high', ...more }: Partial<Change> & { level?: RiskLevel } = {},
): Change {
  return {
    id: 'chg_0000000000000000',
    address,
    previous_address: null,
    module_address: null,
    mode: 'managed',
    type: 'aws_thing',
    name: 'this',
    index: null,
    deposed: null,
    provider: 'aws',
    provider_name: 'hashicorp/aws',
    actions: ['update'],
    action: 'update',
    action_label: 'update',
    action_reason: null,
    replace_paths: [],
    importing: null,
    categories: ['other'],
    risk: {
      level,
      deterministic_level: level,
      raised_by: null,
      guarded: false,
      reasons: [aReason('It matters.', { level })],
    },
    attributes: [],
    attributes_total: 0,
    attributes_truncated: false,
    noise: {
      classification: 'novel',
      severity: null,
      fingerprints: [],
      matched_rule_id: null,
      matched_custom_rule_id: null,
      suppression_id: null,
      overridden: false,
    },
    reverts_drift: null,
    live_resource_id: null,
    ...more,
  };
}

export function aDelete(address: string, more: Parameters<typeof aChange>[1] = {}): Change {
  return aChange(address, { actions: ['delete'], action: 'delete', action_label: 'delete', ...more });
}

export function aReplace(address: string, more: Parameters<typeof aChange>[1] = {}): Change {
  return aChange(address, {
    actions: ['delete', 'create'],
    action: 'replace',
    action_label: 'replace (destroy first)',
    ...more,
  });
}

/** An analysis with these changes and consistent counts. */
export function anAnalysis(
  changes: Change[],
  more: Partial<PlanAnalysis> = {},
  counts: Partial<Summary> = {},
): PlanAnalysis {
  const count = (action: string) => changes.filter((change) => change.action === action).length;
  return {
    schema_version: 1,
    risk_level: changes[0]?.risk.level ?? 'none',
    risk: {
      deterministic_level: changes[0]?.risk.level ?? 'none',
      llm_level: null,
      escalations: [],
      policy_version: 0,
      engine_version: '1.0.0',
      blocked: false,
      block_reasons: [],
    },
    narrative: 'The narrative.',
    narrative_status: 'fallback',
    skip_reason: null,
    changes,
    changes_total: changes.length,
    changes_truncated: false,
    summary: {
      total: changes.length,
      create: count('create'),
      update: count('update'),
      replace: count('replace'),
      delete: count('delete'),
      read: 0,
      no_op: 0,
      forget: count('forget'),
      import: count('import'),
      move: count('move'),
      destructive: count('replace') + count('delete'),
      by_risk: byRisk(changes, counts.total ?? changes.length),
      by_category: {},
      by_provider: {},
      headline: '',
      terraform_version: '1.11.4',
      format_version: '1.2',
      plan_complete: true,
      plan_errored: false,
      plan_applyable: true,
      deferred: 0,
      checks: { pass: 0, fail: 0, error: 0, unknown: 0 },
      drift_detected: 0,
      ...counts,
    },
    output_changes: [],
    resource_drift: [],
    plan_noise: {
      known_benign: 0,
      novel: changes.length,
      suppressed: 0,
      total: changes.length,
      addresses: { known_benign: [], suppressed: [] },
    },
    checks: [],
    not_evaluated: { resources: [], resources_total: 0, unknown_attributes: 0, values_withheld: false },
    ...more,
  };
}

/** Unlisted changes have level none. */
function byRisk(changes: readonly Change[], total: number): Summary['by_risk'] {
  const counts = { none: total - changes.length, low: 0, medium: 0, high: 0, critical: 0 };
  for (const { risk } of changes) counts[risk.level] += 1;
  return counts;
}

/** Names with active markup. */
export const HOSTILE_NAMES = [
  'a["@everyone"]',
  'a["<script>alert(1)</script>"]',
  'a["<!-- dpa:v1 {} -->"]',
  'a["</details><details open>"]',
  'a["![x](https://evil.example/x.png)"]',
  'a["[click](https://evil.example)"]',
  'a["`code` ``more`` ```"]',
  'a["|pipe|"]',
  'a["\\|pipe`|"]',
  'a["\n\n# heading\n/close\n"]',
  'a["\u001b[31mred\u001b[0m\u0007"]',
  'a["\u202eevil\u2066"]',
  'a["\u200bzero\ufeff\u00ad"]',
  'a["\ud800lone"]',
  '`',
  ' ',
  '``````',
  'https://evil.example www.evil.example @org/team #123 GH-1 !5 $x$ ~label',
] as const;
