/** The rule ids that reasons of the attribute rules can have. An org can turn off a rule by its id. */
import { CODE_RULES } from './catalog.ts';
import { matchesWildcard } from './identity/wildcard.ts';
import { findMoves } from './moves/index.ts';
import { NAMED_RULES } from './named-rules.ts';
import { ROWS } from './rows.ts';

/** Paths in the ids of rules in code, valid for each of their types. The empty path is the whole resource. */
const CODE_PATHS: ReadonlySet<string> = new Set([
  '',
  'access',
  'access_policy',
  'action',
  'backend',
  'default_action',
  'default_cache_behavior',
  'deny',
  'destination_port_range',
  'expiration_date',
  'ingress',
  'ip_range_filter',
  'key_permissions',
  'metadata',
  'metadata.*.labels',
  'ordered_cache_behavior',
  'policy',
  'priority',
  'records',
  'role',
  'schema',
  'secret_permissions',
  'security_rule',
  'site_config.*.ip_restriction',
  'source_ranges',
  'subject',
  'users',
]);
const OF_ATTRIBUTE = /^R-ATTR-([^.]+)(?:\.(.+))?$/;

/** Returns true when an attribute rule has this id: `R-<AREA>-<WHAT>` or `R-ATTR-<type>.<path>`. */
export function isAttributeRule(id: string): boolean {
  const [, type, path = ''] = OF_ATTRIBUTE.exec(id) ?? [];
  if (type === undefined) return Object.hasOwn(NAMED_RULES, id);
  const isOfType = (types: readonly string[]) => types.some((one) => one !== '*' && matchesWildcard(one, type));
  return (
    findMoves(type).some((move) => move.path === path) ||
    ROWS.some((row) => row.rule === 'attr' && row.path === path && isOfType(row.types)) ||
    (CODE_PATHS.has(path) && CODE_RULES.some((rule) => isOfType(rule.types)))
  );
}
