import type { MaybeJson } from '../../../changes/values.ts';
import type { RiskLevel } from '../../../model/result.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

/** Values of one meaning, from the safest to the most dangerous. */
interface Scale {
  rule: ValueFinding['rule'];
  ranks: readonly ReadonlySet<string>[];
  /** One of these words is in the name of the argument; null: the values are enough. */
  words: ReadonlySet<string> | null;
  level: RiskLevel;
  /** The level for an object that holds data itself, and not only says how others are made. */
  level_of_data?: RiskLevel;
  consequence: string;
}

/** What happens when a check or a step does not work. */
const AFTER_ERRORS = listWords('error failure fail failed timeout exception unavailable fallback outage unreachable');

const SCALES: readonly Scale[] = [
  {
    rule: 'R-VAL-FAILOPEN',
    ranks: [
      listWords(
        'deny denied block reject refuse forbid decline fail_closed fail-closed failclosed closed stop abort halt',
      ),
      listWords('challenge captcha review'),
      listWords(
        'allow permit accept pass open fail_open fail-open failopen bypass grant continue proceed approve forward passthrough pass_through anonymous',
      ),
    ],
    words: AFTER_ERRORS,
    level: 'high',
    consequence: 'When the check fails, everything passes',
  },
  {
    rule: 'R-VAL-LOSS',
    ranks: [
      listWords('dead_letter dead-letter deadletter dlq park quarantine retry requeue redrive redirect hold'),
      listWords('discard drop delete ignore skip ack acknowledge'),
    ],
    words: new Set([...AFTER_ERRORS, ...listWords('poison overflow undeliverable expired malformed invalid')]),
    level: 'medium',
    consequence: 'What fails is lost instead of kept',
  },
  {
    rule: 'R-VAL-DELETION',
    ranks: [
      listWords('retain keep abandon orphan preserve prevent detach snapshot keep_auto_snapshots'),
      listWords('delete destroy purge remove wipe always'),
    ],
    words: listWords(
      'deletion delete reclaim destroy deleted destroyed deprovision cleanup scaled rule behavior policy',
    ),
    level: 'medium',
    level_of_data: 'high',
    consequence: 'Data is deleted together with what uses it',
  },
  {
    rule: 'R-VAL-EVICTION',
    ranks: [
      listWords('noeviction no-eviction noevict'),
      listWords(
        'volatile-lru volatile-lfu volatile-ttl volatile-random volatile_lru volatile_lfu volatile_ttl volatile_random',
      ),
      listWords('allkeys-lru allkeys-lfu allkeys-random allkeys_lru allkeys_lfu allkeys_random'),
    ],
    words: null,
    level: 'medium',
    consequence: 'Data is evicted when memory is short, also data that must not be lost',
  },
  {
    rule: 'R-VAL-TIER',
    ranks: [
      listWords('enterprise premium premiumv2 premiumv3'),
      listWords('standard general generalpurpose pro business team advanced paid'),
      listWords('basic starter'),
      listWords('free developer hobby consumption shared'),
    ],
    words: listWords('tier sku plan edition'),
    level: 'medium',
    consequence: 'A lower tier has fewer guarantees and protections',
  },
  {
    rule: 'R-VAL-FACTOR',
    ranks: [listWords('2fa mfa multi_factor'), listWords('1fa single_factor password_only')],
    words: null,
    level: 'high',
    consequence: 'One factor is enough to sign in',
  },
  {
    rule: 'R-VAL-FACTOR',
    ranks: [
      listWords('required require mandatory enforced enforce always on enabled'),
      listWords('optional optional_for_some adaptive conditional risk_based prompt'),
      listWords('off none disabled never not_required'),
    ],
    words: listWords('mfa 2fa factor totp passkey webauthn otp'),
    level: 'high',
    consequence: 'One factor is enough to sign in',
  },
  {
    rule: 'R-VAL-GRADE',
    ranks: [
      listWords('verify-full verify_full verify_identity'),
      listWords('verify-ca verify_ca'),
      listWords('require required'),
      listWords('prefer preferred allow optional'),
      listWords('disable disabled off none'),
    ],
    words: listWords('ssl sslmode tls encryption'),
    level: 'high',
    consequence: 'Others can read the traffic, or pretend to be the other side',
  },
  {
    rule: 'R-VAL-URGENCY',
    ranks: [
      listWords('critical high page urgent'),
      listWords('medium severe_only'),
      listWords('low info informational'),
    ],
    words: listWords('urgency'),
    level: 'medium',
    consequence: 'Nobody is called out for it any more',
  },
  {
    rule: 'R-VAL-APPROVAL',
    ranks: [
      listWords('manual manually human required review confirm confirmation reviewed'),
      listWords('auto automatic automatically automated none skip skipped immediate never'),
    ],
    words: listWords('approval approve approver confirm confirmation review gate signoff release promotion'),
    level: 'medium',
    consequence: 'Nobody has to approve it any more',
  },
  {
    rule: 'R-VAL-APPROVAL',
    ranks: [
      listWords(
        'manual_approval manual-approval approval_required approval-required requires_approval four_eyes four-eyes ' +
          'dual_control dual-control two_person two-person peer_review peer-review',
      ),
      listWords('auto automatic automatically automated none off skip immediate instant auto_approve auto-approve'),
    ],
    words: null,
    level: 'high',
    consequence: 'Nobody has to approve it any more',
  },
  {
    rule: 'R-VAL-CONSISTENCY',
    ranks: [
      listWords('strong linearizable'),
      listWords('boundedstaleness bounded_staleness bounded'),
      listWords('session'),
      listWords('consistentprefix consistent_prefix'),
      listWords('eventual weak'),
    ],
    words: listWords('consistency'),
    level: 'medium',
    consequence: 'Readers can get older data than before',
  },
  {
    rule: 'R-VAL-CONSISTENCY',
    ranks: [
      listWords('serializable'),
      listWords('repeatable-read repeatable_read snapshot'),
      listWords('read-committed read_committed'),
      listWords('read-uncommitted read_uncommitted'),
    ],
    words: listWords('isolation'),
    level: 'medium',
    consequence: 'Transactions at the same time can affect each other',
  },
  {
    rule: 'R-VAL-CLASS',
    ranks: [
      listWords('secret top_secret highly_confidential'),
      listWords('restricted strictly_confidential sensitive pii phi'),
      listWords('confidential'),
      listWords('internal private non_public'),
      listWords('public open unclassified none unrestricted'),
    ],
    words: listWords('classification sensitivity confidentiality clearance'),
    level: 'medium',
    consequence: 'The data counts as less sensitive, so weaker rules apply to it',
  },
  {
    rule: 'R-VAL-CLASS',
    ranks: [
      listWords('redacted masked hashed anonymized tokenized pseudonymized scrubbed sanitized'),
      listWords('full raw plain clear plaintext verbatim unredacted unmasked'),
    ],
    words: null,
    level: 'high',
    consequence: 'Personal or secret data is kept or shown as it is',
  },
  {
    rule: 'R-VAL-VISIBILITY',
    ranks: [
      listWords('private secret restricted members owner invite_only'),
      listWords('internal team organization org company tenant domain'),
      listWords('public open everyone anyone world internet anonymous external'),
    ],
    words: listWords('visibility'),
    level: 'high',
    consequence: 'More people can see it, maybe everyone',
  },
  {
    rule: 'R-VAL-KEYSTORE',
    ranks: [
      listWords('hsm cloudhsm external_hsm hardware tpm'),
      listWords('kms vault keyvault managed cloud_kms'),
      listWords('software file disk local plaintext database env memory'),
    ],
    words: listWords('storage protection backend provider store seal key'),
    level: 'high',
    consequence: 'Keys are kept where they can be copied',
  },
  {
    rule: 'R-VAL-KEYSTORE',
    ranks: [
      listWords('secrets_manager secretsmanager secret_manager vault securestring secure_string secret'),
      listWords('parameter_store ssm'),
      listWords('plaintext plain plain_text clear_text cleartext string'),
    ],
    words: listWords('type kind format'),
    level: 'high',
    consequence: 'A secret is kept where it can be read',
  },
  {
    rule: 'R-VAL-LOSS',
    ranks: [
      listWords('block reject reject_new reject-publish backpressure wait park spill'),
      listWords('drop drop_oldest drop_newest drop-head drop_head evict_oldest overwrite discard truncate'),
    ],
    words: listWords('overflow full limit capacity exceed exceeded backpressure'),
    level: 'high',
    consequence: 'When it is full, data is thrown away instead of refused',
  },
  {
    rule: 'R-VAL-DURABILITY',
    ranks: [
      listWords('sync synchronous fsync immediate durable always each_write'),
      listWords('semi_sync semisync batch batched periodic interval every_second group'),
      listWords('async asynchronous lazy memory never best_effort best-effort fire_and_forget'),
    ],
    words: listWords('replication commit write flush durability fsync mode journal wal ack persistence delivery'),
    level: 'medium',
    consequence: 'Data that was confirmed can be lost in a failure',
  },
  {
    rule: 'R-VAL-DURABILITY',
    ranks: [
      listWords('all -1 majority remote_apply quorum'),
      listWords('on w2 2 remote_write'),
      listWords('1 w1 local leader'),
      listWords('0 w0 off none unacknowledged'),
    ],
    words: listWords('ack concern synchronous'),
    level: 'medium',
    consequence: 'Data that was confirmed can be lost in a failure',
  },
];

const HOLDS = listWords(
  'volume disk database db bucket share filesystem file storage table snapshot backup archive dataset datastore store ' +
    'instance cluster stateful set vault keyspace collection stream topic repository registry',
);
/** Types that only say how others are made, or what is kept apart from them. */
const MAKES = listWords('class template profile pool policy setting configuration blueprint definition');

/** Judges values of an enumeration that mean the same wherever they occur. */
export function judgeChoice({ words, type, before, after }: Argument): ValueFinding | null {
  if (typeof before !== 'string' || typeof after !== 'string') return null;
  const holds_data = hasAny(type, HOLDS) && !hasAny(type, MAKES);
  for (const { rule, ranks, words: expected, level: least, level_of_data = least, consequence } of SCALES) {
    if (expected !== null && !hasAny(words, expected)) continue;
    const [from, to] = [findRank(ranks, before), findRank(ranks, after)];
    if (from < 0 || to < 0 || from === to) continue;
    if (to < from) return { rule, level: 'low', direction: 'strengthening', consequence };
    return { rule, level: holds_data ? level_of_data : least, direction: 'weakening', consequence };
  }
  return null;
}

function findRank(ranks: Scale['ranks'], value: MaybeJson): number {
  const name = String(value).toLowerCase();
  return ranks.findIndex((names) => names.has(name));
}
