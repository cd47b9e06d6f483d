/** What the plan shows to make a change less dangerous than it looks; each lowers the level by one step. */
import type { ResourceChange } from '../../changes/types.ts';
import { compareLevels, stepDown } from '../../model/levels.ts';
import type { JsonObject, Reason, RiskLevel } from '../../model/result.ts';
import type { Value } from '../attributes/types.ts';
import { at, list, member, quantity, strings, text } from '../attributes/values.ts';
import { HOSTS, listHosts, pointsTo, RECORDS_BY_TARGET, readMembers } from './needs/index.ts';
import { type Index, listNames, type Neighbors } from './neighbors.ts';

interface Shield {
  applies(change: ResourceChange, plan: Neighbors): boolean;
  /** Nothing below this level is lowered. */
  from: RiskLevel;
  message: string;
}

const ACCOUNT_BLOCK = 'aws_s3_account_public_access_block';
const FLAGS = ['block_public_acls', 'block_public_policy', 'ignore_public_acls', 'restrict_public_buckets'];
const BUCKET_BLOCK = 'aws_s3_bucket_public_access_block';
const BUCKET_ACCESS = new Set([BUCKET_BLOCK, 'aws_s3_bucket_policy', 'aws_s3_bucket_acl']);
const SINK = /^google_logging_(?:project|folder|organization|billing_account)_sink$/;
const BUCKET_GRANTS = ['google_storage_bucket_iam_member', 'google_storage_bucket_iam_binding'];
const MAX_POLICY_CHARS = 100_000;
/** Logs that are kept for this long outlast most investigations. */
const KEPT_DAYS = 365;

const listBucket = (side: JsonObject): string[] => [text(member(side, 'bucket'))];
const ACCOUNT_BLOCKS: Index = { types: [ACCOUNT_BLOCK], names: () => ['*'] };
const POLICIES_BY_BUCKET: Index = { types: ['aws_s3_bucket_policy'], names: listBucket };
const BUCKETS_BY_NAME: Index = { types: ['google_storage_bucket'], names: listNames };
const GRANTS_BY_BUCKET: Index = { types: BUCKET_GRANTS, names: listBucket };

/** What is read of the types that the shields look up. */
export const SHIELD_READS: readonly (readonly [type: string, names: readonly string[]])[] = [
  [ACCOUNT_BLOCK, FLAGS],
  ['aws_s3_bucket_policy', ['policy']],
  ['google_storage_bucket', ['lifecycle_rule']],
  ...BUCKET_GRANTS.map((type) => [type, ['member', 'members']] as const),
];

export function isShieldable({ type, action }: ResourceChange): boolean {
  if (action === 'delete' && HOSTS.includes(type)) return true;
  return BUCKET_ACCESS.has(type) || SINK.test(type);
}

const blocksAll = (side: JsonObject | null): boolean =>
  side !== null && FLAGS.every((name) => member(side, name) === true);

const SHIELDS: readonly Shield[] = [
  {
    applies: ({ type }, plan) =>
      BUCKET_ACCESS.has(type) &&
      plan.linked(ACCOUNT_BLOCKS, ['*']).some(({ before, after }) => blocksAll(before) && blocksAll(after)),
    from: 'high',
    message: 'The block of public access for the whole account stays, so the bucket cannot become public.',
  },
  {
    applies: ({ type, before, after }, plan) => type === BUCKET_BLOCK && keepsPrivatePolicy(before ?? after, plan),
    from: 'high',
    message: 'The policy of the bucket in the plan names nobody but certain services and accounts.',
  },
  {
    applies: ({ type, action, before }, plan) =>
      action === 'delete' && HOSTS.includes(type) && losesRecords(before, plan),
    from: 'high',
    message: 'The DNS records that point to it are deleted with it, so it is retired as a whole.',
  },
  {
    applies: ({ type, diffs, after }, plan) =>
      SINK.test(type) &&
      diffs.every(({ path_segments }) => path_segments[0] === 'destination') &&
      isKeptDestination(after, plan),
    from: 'high',
    message: 'The new bucket is in the plan, keeps logs for at least a year, and the writer may write to it.',
  },
];

function keepsPrivatePolicy(block: JsonObject | null, plan: Neighbors): boolean {
  const bucket = text(member(block ?? {}, 'bucket'));
  const found = plan.linked(POLICIES_BY_BUCKET, [bucket]);
  const policies = found.filter(({ after }) => text(member(after, 'bucket')) === bucket);
  return (
    bucket !== '' &&
    policies.length === 1 &&
    policies.every(({ before, after }) => before !== null && isPrivate(text(member(after, 'policy'))))
  );
}

/** A policy in which no statement names everybody. */
function isPrivate(policy: string): boolean {
  if (policy === '' || policy.length > MAX_POLICY_CHARS) return false;
  return !/"\*"|NotPrincipal/.test(policy.replaceAll(/"(?:Action|Resource)"\s{0,5}:\s{0,5}"\*"/g, ''));
}

function losesRecords(host: JsonObject | null, plan: Neighbors): boolean {
  if (host === null) return false;
  const found = plan.linked(RECORDS_BY_TARGET, listHosts(host));
  const records = found.filter(({ before }) => before !== null && pointsTo(before, host));
  return records.length > 0 && records.every(({ after }) => after === null);
}

function isKeptDestination(sink: JsonObject | null, plan: Neighbors): boolean {
  const name = /^storage\.googleapis\.com\/([^/]{1,100})$/.exec(text(member(sink ?? {}, 'destination')))?.[1];
  if (name === undefined) return false;
  const bucket = plan
    .linked(BUCKETS_BY_NAME, [name])
    .find(({ before, after }) => before !== null && text(member(after, 'name')) === name);
  if (bucket?.after === undefined || bucket.after === null) return false;
  const writer = text(member(sink ?? {}, 'writer_identity'));
  const may_write = plan
    .linked(GRANTS_BY_BUCKET, [name])
    .some(
      ({ after }) =>
        after !== null &&
        text(member(after, 'bucket')) === name &&
        readMembers(after).includes(writer) &&
        writer !== '',
    );
  return may_write && list(member(bucket.after, 'lifecycle_rule')).every(keepsLong);
}

function keepsLong(rule: Value): boolean {
  if (strings(at(rule, 'action', 'type'))[0] !== 'Delete') return true;
  return (quantity(at(rule, 'condition', 'age')) ?? 0) >= KEPT_DAYS;
}

/** The reason that lowers a level; null if the plan shows none. */
export function findShield(change: ResourceChange, plan: Neighbors, level: RiskLevel): Reason | null {
  const shield = SHIELDS.find(({ from, applies }) => compareLevels(level, from) >= 0 && applies(change, plan));
  if (shield === undefined) return null;
  const { message } = shield;
  return { rule_id: 'R-ACT-SHIELD', kind: 'base', effect: 'cap', level: stepDown(level), path: null, message };
}
