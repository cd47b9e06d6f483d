import { builtinCatalog, isAttributeRule } from '../../../engine/index.ts';
import { InvalidInput, NotFound } from '../../lib/errors.ts';
import type { RuleType } from './types.ts';

let noise_ids: ReadonlySet<string> | undefined;

/**
 * Checks that a built-in rule of that type has this id and can be disabled.
 *
 * @throws NotFound; InvalidInput for rules of the evaluation itself
 */
export function assertDisableable(rule_type: RuleType, id: string): void {
  if (rule_type === 'noise') {
    noise_ids ??= new Set(builtinCatalog(null).noise_rules.map((rule) => rule.id));
    if (!noise_ids.has(id)) throw unknown(id, 'noise rules are listed by GET /api/v2/builtin-rules');
    return;
  }
  if (/^R-(ACT|BLAST|PLAN|NOISE)-/.test(id)) {
    throw new InvalidInput(
      `"${id}" is part of the evaluation itself and cannot be disabled; to lower the level of a change, use a custom ` +
        'rule with the effect "cap", or the risk policy',
    );
  }
  if (!isAttributeRule(id))
    throw unknown(
      id,
      'risk rules are listed by GET /api/v2/builtin-rules, and shown as rule_id in the reasons of a change',
    );
}

function unknown(id: string, where: string): NotFound {
  return new NotFound(`no built-in rule of this type has the id "${id}"; ${where}`);
}
