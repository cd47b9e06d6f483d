/** R-K8S-CONTROLLER: labels and annotations by which a controller protects, exposes or skips an object. */
import { isObject } from '../../../lib/is-object.ts';
import type { RiskLevel } from '../../../model/result.ts';
import type { Subject } from '../subject.ts';
import type { Rule, Value } from '../types.ts';
import { member, text } from '../values.ts';

interface Control {
  name: RegExp;
  /** The values that protect. Without them, any other value does, and its absence counts as in `absent`. */
  guards?: RegExp;
  /** The values that do not protect. */
  harms?: RegExp;
  /** Whether an object without the name is protected. */
  absent?: 'safe';
  level: RiskLevel;
  consequence: string;
}

const MESH = 'The mesh no longer encrypts and authorizes the traffic of these pods';
const LOGIN = 'Requests no longer have to authenticate at the ingress';
const INTERNET = 'The load balancer becomes reachable from the internet';
const UNCHECKED = 'Admission policies no longer check these objects';
const BACKUP = 'The object or its volumes are left out of backups';
const CONFINED = 'Containers run without the confinement of the host';

const CONTROLS: readonly Control[] = [
  { name: /^istio-injection$/, guards: /^enabled$/, level: 'medium', consequence: MESH },
  { name: /^istio\.io\/rev$/, level: 'medium', consequence: MESH },
  { name: /^linkerd\.io\/inject$/, guards: /^(?:enabled|ingress)$/, level: 'medium', consequence: MESH },
  { name: /^sidecar\.istio\.io\/inject$/, harms: /^false$/, absent: 'safe', level: 'medium', consequence: MESH },
  {
    name: /^nginx\.ingress\.kubernetes\.io\/(?:auth-(?:url|type|secret|tls-secret|signin)|whitelist-source-range|enable-modsecurity)$/,
    harms: /^false$/,
    level: 'high',
    consequence: LOGIN,
  },
  {
    name: /^(?:traefik\.ingress\.kubernetes\.io\/router\.middlewares|konghq\.com\/plugins|haproxy\.org\/(?:whitelist|allow-list|auth-type)|alb\.ingress\.kubernetes\.io\/(?:auth-type|wafv2-acl-arn|inbound-cidrs))$/,
    level: 'high',
    consequence: 'Requests no longer pass the login, the firewall or the allow list of the ingress',
  },
  {
    name: /^alb\.ingress\.kubernetes\.io\/scheme$/,
    guards: /^internal$/,
    level: 'high',
    consequence: INTERNET,
  },
  {
    name: /^(?:service\.beta\.kubernetes\.io\/(?:aws-load-balancer-internal|azure-load-balancer-internal)|service\.beta\.kubernetes\.io\/aws-load-balancer-scheme|networking\.gke\.io\/load-balancer-type|cloud\.google\.com\/load-balancer-type)$/,
    guards: /^(?:true|internal|0\.0\.0\.0\/0)$/i,
    level: 'high',
    consequence: INTERNET,
  },
  {
    name: /^(?:admission\.gatekeeper\.sh\/ignore|policies\.kyverno\.io\/exclude|kyverno\.io\/ignore)$/,
    harms: /./,
    absent: 'safe',
    level: 'high',
    consequence: UNCHECKED,
  },
  { name: /^policy\.sigstore\.dev\/include$/, guards: /^true$/, level: 'high', consequence: UNCHECKED },
  { name: /^velero\.io\/exclude-from-backup$/, harms: /^true$/, absent: 'safe', level: 'high', consequence: BACKUP },
  { name: /^backup\.velero\.io\/backup-volumes$/, level: 'medium', consequence: BACKUP },
  {
    name: /^container\.apparmor\.security\.beta\.kubernetes\.io\/[\w.-]{1,100}$|^seccomp\.security\.alpha\.kubernetes\.io\/pod$/,
    harms: /^unconfined$/,
    absent: 'safe',
    level: 'high',
    consequence: CONFINED,
  },
];

function judgeNames(place: readonly string[], subject: Subject): void {
  for (const { path, before, after, unknown } of subject.pairs(place)) {
    if (unknown) continue;
    for (const name of new Set([...listNames(before), ...listNames(after)]))
      judgeName(subject, [...path, name], [text(member(before, name)), text(member(after, name))]);
  }
}

function judgeName(subject: Subject, path: readonly (string | number)[], [was, is]: [string, string]): void {
  const name = String(path.at(-1));
  const control = was === is ? undefined : CONTROLS.find((known) => known.name.test(name));
  if (control === undefined) return;
  const [from, to] = [isSafe(control, was), isSafe(control, is)];
  if (from === to) return;
  if (to) {
    subject.setDirection(path, 'strengthening');
    return;
  }
  const { level, consequence } = control;
  subject.add({ rule: 'R-K8S-CONTROLLER', level, path, message: `${consequence}: ${subject.formatPath(path)}.` });
  subject.setDirection(path, 'weakening');
}

function isSafe({ guards, harms, absent }: Control, value: string): boolean {
  if (guards !== undefined) return guards.test(value);
  return value === '' ? absent === 'safe' : harms === undefined || !harms.test(value);
}

function listNames(value: Value): string[] {
  return isObject(value) ? Object.keys(value) : [];
}

export const KUBERNETES_LABEL_RULES: readonly Rule[] = [
  ['kubernetes_*', 'metadata.*.labels'],
  ['kubernetes_*', 'metadata.*.annotations'],
  ['kubernetes_labels', 'labels'],
  ['kubernetes_annotations', 'annotations'],
].map(([type, path]): Rule => {
  const place = path!.split('.');
  return {
    types: [type!],
    watches: [{ path: path! }],
    modes: ['update'],
    find: (subject) => judgeNames(place, subject),
  };
});
