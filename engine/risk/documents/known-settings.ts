/** Settings whose meaning is known from the documentation of tools, where the words of a name alone do not say it. */
import type { SafeEnd } from '../../effects/index.ts';
import { splitWords } from '../../effects/words.ts';
import type { RiskLevel } from '../../model/result.ts';
import type { KnownEffect } from '../meaning/types.ts';

export interface KnownSetting {
  effect: KnownEffect;
  end: SafeEnd;
  /** Level of the change to the most dangerous value. */
  most: RiskLevel;
}

/** A setting with the last words of its path: those of `controller.allowSnippetAnnotations` end in `allow snippet annotation`. */
type Row = readonly [effect: KnownEffect, end: SafeEnd, most: RiskLevel, phrases: string];

const ROWS: readonly Row[] = [
  ['guard', 'false', 'high', 'allow snippet annotation, snippet annotation, enable snippet, enable annotation snippet'],
  ['guard', 'true', 'high', 'enable modsecurity, modsecurity, enable owasp core rule, enable owasp modsecurity crs'],
  ['guard', 'unset', 'medium', 'configuration snippet, server snippet, location snippet'],
  ['guard', 'true', 'medium', 'istio injection, istio io inject, readonly root filesystem, read only root filesystem'],
  ['guard', 'restrict', 'high', 'capability add'],
  ['guard', 'extend', 'medium', 'capability drop'],
  ['guard', 'true', 'high', 'enable admission plugin pod security, webhook enabled, admission enabled'],
  ['exposure', 'true', 'high', 'enable network policy, network policy enabled, network policy enforcement enabled'],
  ['exposure', 'true', 'high', 'load balancer internal, internal load balancer, balancer internal'],
  [
    'identity',
    'true',
    'high',
    'auth enabled, authentication enabled, authorization enabled, enable auth, enable authentication, require auth, auth required, require login, login required, security enabled, rbac enabled, acl enabled, enable acl, oidc enabled, sso required, require token, authorization required',
  ],
  [
    'identity',
    'false',
    'high',
    'disable auth, auth disabled, disable authentication, authentication disabled, skip auth, skip authentication, disable login, no auth, insecure no auth, allow anonymous, anonymous enabled, anonymous auth, anonymous access, enable anonymous auth, allow unauthenticated',
  ],
  ['identity', 'set', 'high', 'auth url, auth secret, auth type, auth signin, auth tls secret'],
  [
    'encryption',
    'true',
    'medium',
    'ssl redirect, force ssl redirect, https redirect, http only disabled, force https, https only',
  ],
  [
    'encryption',
    'true',
    'high',
    'proxy ssl verify, ssl verify, tls verify, verify ssl, verify tls, verify certificate, reject unauthorized, check server identity',
  ],
  [
    'encryption',
    'false',
    'high',
    'plaintext, allow plaintext, insecure, use insecure, allow insecure, disable tls, tls disable',
  ],
  [
    'encryption',
    'more',
    'high',
    'min tls version, tls min version, minimum tls version, tls minimum version, tls version',
  ],
  [
    'exposure',
    'restrict',
    'medium',
    'cors, cors origin, cors allowed origin, allowed origin, allow origin, cors allow origin',
  ],
  ['retention', 'more', 'high', 'template ttl, backup ttl, snapshot ttl, backup retention, schedule ttl'],
  ['destructive', 'false', 'medium', 'prune, auto prune'],
  ['observability', 'set', 'medium', 'log configuration, log driver'],
  ['guard', 'true', 'medium', 'essential'],
  ['identity', 'false', 'medium', 'automount service account token'],
  ['identity', 'false', 'high', 'ssh pwauth, password authentication, permit root login, permit empty password'],
  ['identity', 'true', 'high', 'disable root, lock passwd, lock password'],
  ['identity', 'restrict', 'high', 'ssh authorized key, authorized key, ssh import id'],
];

/** Parts of a platform that protect it; most charts turn a part on by its name and `enabled`. */
const PROTECTORS =
  'falco, kyverno, gatekeeper, opa, trivy, trivy operator, tetragon, cilium, calico, velero, sealed secret, external secret, oauth2 proxy, crowdstrike, falcon sensor, sysdig, wazuh, kubescape, neuvector, modsecurity, coraza, crowdsec, linkerd, istio, spire, kube bench';
const PROTECTOR_ROW: Row = ['guard', 'true', 'high', PROTECTORS.replace(/(,|$)/g, ' enabled$1')];

/** Lists of sources that may connect. When such a list is empty or absent, all may. */
const ALLOWLISTS = splitPhrases(
  'source range, whitelist source range, allowlist source range, allowed cidr, allow cidr, authorized cidr, trusted cidr, ip allow list, ip allowlist, ip whitelist, allowed ip, allowed ip range, authorized ip range, cidr allowlist, white list, allowlist, whitelist',
);

const MAX_WORDS = 5;
const known = new Map<string, KnownSetting>(
  [...ROWS, PROTECTOR_ROW].flatMap(([effect, end, most, phrases]) =>
    [...splitPhrases(phrases)].map((name) => [name, { effect, end, most }]),
  ),
);

function splitPhrases(text: string): ReadonlySet<string> {
  return new Set(text.split(', ').map((phrase) => splitWords(phrase).join(' ')));
}

/** Finds the setting that the last words of a path name; the longest name wins. */
export function findKnownSetting(words: readonly string[]): KnownSetting | undefined {
  return findTail(words, (phrase) => known.get(phrase));
}

/** Whether a path ends in the name of a list of sources that may connect. */
export function isAllowlist(words: readonly string[]): boolean {
  return findTail(words, (phrase) => ALLOWLISTS.has(phrase) || undefined) ?? false;
}

function findTail<Found>(words: readonly string[], find: (phrase: string) => Found | undefined): Found | undefined {
  for (let length = Math.min(MAX_WORDS, words.length); length > 0; length--) {
    const found = find(words.slice(-length).join(' '));
    if (found !== undefined) return found;
  }
  return undefined;
}
