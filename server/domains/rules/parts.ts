import type { DomainParts } from '../../contract/domain-parts.ts';
import { RULE_AUDIT_EVENTS } from './audit-events.ts';
import { countRules } from './custom-rules-store.ts';
import { rulePathChecks, ruleRoutes } from './routes.ts';
import type { Rules } from './service.ts';

export function ruleParts(rules: Rules) {
  return {
    domain: 'rules',
    handlers: ruleRoutes(rules),
    path_checks: rulePathChecks(rules),
    audit_events: RULE_AUDIT_EVENTS,
    limits: ['custom_rules'],
    usage: { custom_rules: countRules },
  } satisfies DomainParts;
}
