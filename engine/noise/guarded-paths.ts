import { isWatched } from '../risk/attributes/index.ts';

/** Names that speak of security, identity, encryption or networks, whatever the provider calls the rest. */
const GUARDED =
  /(?:^|[_.])(?:acl|acls|access|allow|allowed|auth|authentication|authorization|certificate|cidr|cidrs|cipher|credential|credentials|crypto|deny|dns|egress|encrypt|encrypted|encryption|endpoint|firewall|grant|grants|host|iam|identity|ingress|ip|key|keys|kms|logging|logs|member|members|network|owner|password|peer|permission|permissions|policy|policies|port|ports|principal|principals|private|privileged|protection|protocol|public|role|roles|route|routes|rule|rules|scope|scopes|secret|secrets|security|source|sources|ssh|ssl|subnet|subnets|tls|token|trust|trusted|user|users|vpc)(?:$|[_.[])/i;

/** Maps whose keys are the user's own words. */
const FREE = /^(?:tags|tags_all|labels|effective_labels|terraform_labels|annotations)(?:$|[.[])/;

/**
 * Whether a pattern of noise stands on a path that nobody should accept among many others: a rule reads it, or its name
 * speaks of security, identity, encryption or networks.
 *
 * @param attribute as in a pattern: each list index written `[*]`
 */
export function isGuardedPath(resource_type: string, attribute: string): boolean {
  const segments = attribute
    .replaceAll('[*]', '.0')
    .split(/[.[\]]/)
    .filter((segment) => segment !== '')
    .map((segment) => (/^\d+$/.test(segment) ? Number(segment) : segment));
  return isWatched(resource_type, segments) || (GUARDED.test(attribute) && !FREE.test(attribute));
}
