/**
 * Descriptions of rules for language models, without text from the plan: a reason's message may quote the plan. Base
 * rules use their message instead.
 */
const DESCRIPTIONS: ReadonlyMap<string, string> = new Map([
  ['R-CMP-PRIV', 'a container gets privileges of its host or runs as root'],
  ['R-CMP-SCALE0', 'capacity goes to zero or falls sharply'],
  ['R-DB-BACKUP', 'backups or recovery points of data are reduced or switched off'],
  ['R-DB-ENGINE', 'the engine or its version changes'],
  ['R-DB-MULTIAZ', 'the standby in another zone goes'],
  ['R-DB-PUBLIC', 'a data store becomes reachable from the internet'],
  ['R-DB-SKIPSNAP', 'no final snapshot is taken when it is destroyed'],
  ['R-DEL-PROTECT', 'protection against deletion is taken away'],
  ['R-DNS-APEX', 'a DNS record that much depends on changes or goes'],
  ['R-ENC-KEY', 'an encryption key changes, is disabled or is about to be deleted'],
  ['R-ENC-OFF', 'encryption is switched off'],
  ['R-ENC-ROTATE', 'rotation of a key is switched off or made rarer'],
  ['R-IAM-ADMIN', 'administrator rights are granted'],
  ['R-IAM-AUTHORITATIVE', 'a list of permissions replaces whatever stands there, unknown grants too'],
  ['R-IAM-CONDITION', 'a condition or denial that limits permissions is taken away'],
  ['R-IAM-KEY', 'a long-lived access key is created'],
  ['R-IAM-TRUST', 'someone new may take on an identity or use something, possibly from another account'],
  ['R-IAM-WIDE', 'permissions become wider'],
  ['R-IAM-WILDCARD', 'permissions with wildcards are granted'],
  ['R-K8S-PUBLICAPI', 'the control plane of a cluster becomes reachable from the internet'],
  ['R-LOG-OFF', 'logging, auditing or detection is switched off or removed'],
  ['R-NET-EGRESS', 'traffic to everywhere is let out'],
  ['R-NET-OPEN', 'traffic from the whole internet is let in'],
  ['R-NET-PUBLICIP', 'something gets a public address'],
  ['R-NET-ROUTE', 'a route that traffic takes changes or goes'],
  ['R-NET-WIDEN', 'traffic is let in from a wider range than before'],
  ['R-NOISE-SHAPE', 'the difference has the shape of plan noise'],
  ['R-NOISE-SUPPRESSED', 'the difference was accepted as plan noise'],
  ['R-SEC-IMDS', 'the metadata service of a machine answers without a session'],
  ['R-SEC-SECRETPLAIN', 'what looks like a secret stands in plain text'],
  ['R-SEC-WAF', 'a web firewall, filter or shield is detached'],
  ['R-STO-EXPIRE', 'stored objects expire or are deleted earlier'],
  ['R-STO-PUBLIC', 'stored data becomes readable for everyone or can be made so'],
  ['R-STO-VERSIONING', 'old versions of stored data are no longer kept'],
  ['R-TLS-DOWN', 'an older or weaker version of TLS is accepted'],
  ['R-UNKNOWN-WATCHED', 'a value that decides about the risk is known only after the apply'],
]);

/** Description of a rule; undefined for base rules and custom rules. */
export function findRuleDescription(rule_id: string): string | undefined {
  return DESCRIPTIONS.get(rule_id);
}
