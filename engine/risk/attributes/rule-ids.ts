/** Which ids the reasons of step 3 can carry, so that an org can switch a rule off by its id. */
import { CODE_RULES } from './catalog.ts';
import { ROWS } from './rows.ts';
import { matchesWildcard } from './wildcard.ts';

/** Ids that code gives; those of rows stand in `data/`. */
const CODE_IDS: readonly string[] = [
  'R-CMP-PRIV',
  'R-CMP-SCALE0',
  'R-DB-BACKUP',
  'R-DB-ENGINE',
  'R-DB-MULTIAZ',
  'R-DB-PUBLIC',
  'R-DB-SKIPSNAP',
  'R-DEL-PROTECT',
  'R-DNS-APEX',
  'R-ENC-KEY',
  'R-ENC-OFF',
  'R-ENC-ROTATE',
  'R-IAM-ADMIN',
  'R-IAM-AUTHORITATIVE',
  'R-IAM-CONDITION',
  'R-IAM-KEY',
  'R-IAM-TRUST',
  'R-IAM-WIDE',
  'R-IAM-WILDCARD',
  'R-K8S-PUBLICAPI',
  'R-LOG-OFF',
  'R-NET-EGRESS',
  'R-NET-OPEN',
  'R-NET-PUBLICIP',
  'R-NET-ROUTE',
  'R-NET-WIDEN',
  'R-SEC-IMDS',
  'R-SEC-SECRETPLAIN',
  'R-SEC-WAF',
  'R-STO-EXPIRE',
  'R-STO-PUBLIC',
  'R-STO-VERSIONING',
  'R-TLS-DOWN',
  'R-UNKNOWN-WATCHED',
];
/** Attributes of which code speaks by an id of their own, for each of its types; empty: the whole resource. */
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
  'users',
]);
const IDS: ReadonlySet<string> = new Set([...CODE_IDS, ...ROWS.map((row) => row.rule)]);
const OF_ATTRIBUTE = /^R-ATTR-([^.]+)(?:\.(.+))?$/;

/** Whether step 3 has a rule of this id, `R-<AREA>-<WHAT>` or `R-ATTR-<type>.<path>`. */
export function isAttributeRule(id: string): boolean {
  const [, type, path = ''] = OF_ATTRIBUTE.exec(id) ?? [];
  if (type === undefined) return id !== 'attr' && IDS.has(id);
  const isOfType = (types: readonly string[]) => types.some((one) => one !== '*' && matchesWildcard(one, type));
  return (
    ROWS.some((row) => row.rule === 'attr' && row.path === path && isOfType(row.types)) ||
    (CODE_PATHS.has(path) && CODE_RULES.some((rule) => isOfType(rule.types)))
  );
}
