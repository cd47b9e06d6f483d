import { isWatched } from '../risk/attributes/index.ts';

/** Attribute names related to security, identity, encryption or networks. */
const GUARDED =
  /(?:^|[_.])(?:acl|acls|access|allow|allowed|auth|authentication|authorization|certificate|cidr|cidrs|cipher|credential|credentials|crypto|deny|dns|egress|encrypt|encrypted|encryption|endpoint|firewall|grant|grants|host|iam|identity|ingress|ip|key|keys|kms|logging|logs|member|members|network|owner|password|peer|permission|permissions|policy|policies|port|ports|principal|principals|private|privileged|protection|protocol|public|role|roles|route|routes|rule|rules|scope|scopes|secret|secrets|security|source|sources|ssh|ssl|subnet|subnets|tls|token|trust|trusted|user|users|vpc)(?:$|[_.[])/i;

/** Maps with user-defined keys. */
const FREE = /^(?:tags|tags_all|labels|effective_labels|terraform_labels|annotations)(?:$|[.[])/;

/**
 * Whether a noise pattern must not be suppressed in bulk: a risk rule reads its path, or its name relates to security,
 * identity, encryption or networks.
 *
 * @param attribute path with each list index written `[*]`
 */
export function isGuardedPath(resource_type: string, attribute: string): boolean {
  const segments = attribute
    .replaceAll('[*]', '.0')
    .split(/[.[\]]/)
    .filter((segment) => segment !== '')
    .map((segment) => (/^\d+$/.test(segment) ? Number(segment) : segment));
  return isWatched(resource_type, segments) || (GUARDED.test(attribute) && !FREE.test(attribute));
}
