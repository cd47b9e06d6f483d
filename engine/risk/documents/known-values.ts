/** Values that tools use for modes, in order of their protection. They mean the same in the settings of many tools. */
import type { MaybeJson } from '../../changes/values.ts';
import { splitWords } from '../../effects/words.ts';
import type { RiskLevel } from '../../model/result.ts';
import type { KnownEffect } from '../meaning/types.ts';

interface ValueOrder {
  effect: KnownEffect;
  /** Level of the change to the weakest values. */
  most: RiskLevel;
  /** Values of equal protection, weakest first. */
  ranks: readonly string[];
  /** Only where the path has one of these words. */
  under?: string;
}

const ORDERS: readonly ValueOrder[] = [
  {
    effect: 'guard',
    most: 'high',
    ranks: [
      'allow, permit, accept, pass, off',
      'audit, dryrun, dry-run, warn, log, alert, count, monitor, detection, detectiononly, detect, report, simulate',
      'deny, enforce, enforcing, drop, reject, block, prevention, prevent, on',
    ],
    under: 'action enforcement policy mode engine default rule waf protection failure',
  },
  { effect: 'encryption', most: 'high', ranks: ['disable', 'permissive', 'strict'], under: 'mtls tls mode' },
  {
    effect: 'encryption',
    most: 'high',
    ranks: [
      'disable, disabled, none, off, false, plaintext, insecure, no',
      'optional, allow, allowtls, preferred, prefer, prefertls, opportunistic, permissive',
      'required, require, requiretls, requiressl, enabled, on, true, mandatory, enforced, strict, simple, mutual, istio_mutual',
      'verify-ca, verify_ca',
      'verify-full, verify_full, verify_identity',
    ],
    under: 'ssl sslmode tls mtls',
  },
  { effect: 'guard', most: 'high', ranks: ['privileged', 'baseline', 'restricted'] },
  { effect: 'guard', most: 'medium', ranks: ['ignore', 'fail'], under: 'failure' },
  { effect: 'guard', most: 'high', ranks: ['unconfined', 'runtimedefault, localhost, runtime/default'] },
  { effect: 'guard', most: 'high', ranks: ['critical', 'high', 'medium', 'low'], under: 'risk' },
  { effect: 'retention', most: 'medium', ranks: ['delete', 'snapshot', 'retain, orphan'], under: 'policy deletion' },
  { effect: 'exposure', most: 'medium', ranks: ['loadbalancer', 'nodeport', 'clusterip'], under: 'type' },
  { effect: 'exposure', most: 'high', ranks: ['internet-facing', 'internal'] },
  {
    effect: 'exposure',
    most: 'medium',
    ranks: ['external, public', 'internal, private'],
    under: 'type access visibility scheme exposure',
  },
  { effect: 'identity', most: 'high', ranks: ['alwaysallow, always_allow', 'webhook, rbac, abac, node,rbac'] },
  { effect: 'destructive', most: 'medium', ranks: ['sync', 'upsert-only', 'create-only'] },
];

export interface Rank {
  effect: KnownEffect;
  most: RiskLevel;
  before: number;
  after: number;
}

const ranks = ORDERS.map(({ under, ...order }) => ({
  ...order,
  words: under === undefined ? null : new Set(splitWords(under)),
  byValue: new Map(order.ranks.flatMap((values, rank) => values.split(', ').map((value) => [value, rank] as const))),
}));

/** Ranks two values in the order that has both; 0 is the weakest. Undefined when no order has them. */
export function rankValues(words: readonly string[], before: MaybeJson, after: MaybeJson): Rank | undefined {
  if (typeof before !== 'string' || typeof after !== 'string') return undefined;
  const [from, to] = [before.toLowerCase(), after.toLowerCase()];
  for (const { effect, most, words: under, byValue } of ranks) {
    const [was, is] = [byValue.get(from), byValue.get(to)];
    if (was === undefined || is === undefined || was === is) continue;
    if (under !== null && !words.some((word) => under.has(word))) continue;
    return { effect, most, before: was, after: is };
  }
  return undefined;
}

const NO_AUTHENTICATION = new Set([
  'none',
  'anonymous',
  'off',
  'disabled',
  'open',
  'noauth',
  'no_auth',
  'trust',
  'public',
]);
const AUTHENTICATION = new Set(splitWords('auth authentication authorization authorizer oidc oauth2'));

/** Whether a setting of authentication changes to a value that means none. */
export function losesAuthentication(words: readonly string[], before: MaybeJson, after: MaybeJson): boolean {
  if (typeof before !== 'string' || typeof after !== 'string' || !words.some((word) => AUTHENTICATION.has(word)))
    return false;
  return NO_AUTHENTICATION.has(after.toLowerCase()) && !NO_AUTHENTICATION.has(before.toLowerCase()) && before !== '';
}

const NOWHERE = new Set([
  'null',
  'none',
  'blackhole',
  'devnull',
  '/dev/null',
  'discard',
  'drop',
  'noop',
  'nop',
  'void',
]);
const SINKS = new Set(
  splitWords('receiver output sink exporters destination channel contact responder target backend driver'),
);

/** Whether alerts, logs or events are sent to a target that throws them away. */
export function sendsNowhere(words: readonly string[], before: MaybeJson, after: MaybeJson): boolean {
  if (!words.slice(-3).some((word) => SINKS.has(word))) return false;
  return isNowhere(after) && !isNowhere(before) && before !== undefined;
}

function isNowhere(value: MaybeJson): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isNowhere);
  return typeof value === 'string' && NOWHERE.has(value.toLowerCase());
}
