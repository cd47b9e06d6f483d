import { builtinCatalog } from '../../../engine/index.ts';
import type { Handlers } from '../../contract/operation.ts';
import { pickFields } from '../../contract/pick-fields.ts';
import { SUPPRESSION_FIELDS } from './fields.ts';
import type { Noise } from './service.ts';
import type { SuppressionState } from './suppressions-service.ts';
import type { Pattern } from './types.ts';

type NoiseOperations =
  | 'listPlanNoise'
  | 'updateNoiseSettings'
  | 'suppressPlanNoise'
  | 'listSuppressions'
  | 'deleteSuppression';

export function noiseRoutes({ patterns, suppressions }: Noise): Pick<Handlers, NoiseOperations> {
  const rules = new Map(builtinCatalog(null).noise_rules.map((rule) => [rule.id, rule]));

  /** A rule that this release no longer has is shown as none. */
  function patternRecord({ matched_rule_id, ...pattern }: Pattern) {
    return {
      ...pickFields(pattern, [
        'fingerprint',
        'resource_address',
        'resource_type',
        'attribute',
        'action',
        'classification',
        'matched_custom_rule_id',
        'suppressed',
        'occurrence_count',
        'first_seen',
        'last_seen',
        'repo_owner',
        'repo_name',
      ]),
      matched_rule: (matched_rule_id === null ? undefined : rules.get(matched_rule_id)) ?? null,
    };
  }

  return {
    async listPlanNoise({ org, query }) {
      const { repo_owner, repo_name, include_suppressed = false } = query;
      await patterns.settlePending(org.id);
      const found = await patterns.list(org.id, { repo_owner, repo_name, include_suppressed });
      return { status: 200, body: { patterns: found.patterns.map(patternRecord), settings: found.settings } };
    },

    async updateNoiseSettings({ principal, org, body }) {
      return { status: 200, body: await patterns.updateSettings(principal, org.id, body) };
    },

    async suppressPlanNoise({ principal, org, body, once }) {
      return once(
        (made: SuppressionState[]) => ({ status: 201, body: { suppressions: made.map(suppressionRecord) } }),
        (keep) => suppressions.suppress(principal, org.id, body, keep),
      );
    },

    async listSuppressions({ org, query }) {
      const { limit, offset, include_expired = false } = query;
      const page = await suppressions.list(org.id, { include_expired }, { limit, offset });
      return {
        status: 200,
        body: { suppressions: page.suppressions.map(suppressionRecord), total: page.total, limit, offset },
      };
    },

    async deleteSuppression({ principal, org, path }) {
      await suppressions.remove(principal, org.id, path.suppression_id);
      return { status: 204 };
    },
  };
}

function suppressionRecord(suppression: SuppressionState) {
  return pickFields(suppression, [...SUPPRESSION_FIELDS, 'expired']);
}
