import type { RiskLevel } from '../../result.ts';
import { isAtLeast } from '../levels.ts';
import { type LostLimit, lostLimits } from './conditions.ts';
import { type Grant, newGrants } from './grants.ts';
import { parsePolicy, type Statement } from './policy.ts';
import type { Subject } from './subject.ts';
import { newlyTrusted, type Trusted, writes } from './trust.ts';
import type { Path, Rule, Value } from './types.ts';
import { isEmpty, member, same, text } from './values.ts';

/** What a document at a path is for: rights of an identity, entry to a resource, or entry to a bucket. */
type Use = 'identity' | 'trust' | 'bucket' | 'invocation' | 'guardrail';

interface Document {
  types: readonly string[];
  path: string;
  use: Use;
  /** The attribute is always written by hand, so that an unknown hides a document and no default of the provider. */
  hides?: true;
  /** Attributes that name what the document protects, for documents that are resources of their own. */
  guards?: readonly string[];
}

const DOCUMENTS: readonly Document[] = [
  {
    types: ['aws_iam_policy', 'aws_iam_role_policy', 'aws_iam_user_policy', 'aws_iam_group_policy'],
    path: 'policy',
    use: 'identity',
    hides: true,
    guards: ['role', 'user', 'group'],
  },
  { types: ['aws_iam_role'], path: 'inline_policy.*.policy', use: 'identity' },
  {
    types: ['aws_ssoadmin_permission_set_inline_policy'],
    path: 'inline_policy',
    use: 'identity',
    hides: true,
    guards: ['permission_set_arn'],
  },
  { types: ['aws_iam_role'], path: 'assume_role_policy', use: 'trust', hides: true },
  { types: ['aws_s3_bucket_policy'], path: 'policy', use: 'bucket', hides: true, guards: ['bucket'] },
  { types: ['aws_s3_bucket'], path: 'policy', use: 'bucket' },
  {
    types: ['aws_s3_access_point', 'aws_s3control_bucket_policy', 'aws_s3control_access_point_policy'],
    path: 'policy',
    use: 'bucket',
  },
  { types: ['aws_api_gateway_rest_api', 'aws_api_gateway_rest_api_policy'], path: 'policy', use: 'invocation' },
  {
    types: [
      'aws_sqs_queue_policy',
      'aws_sns_topic_policy',
      'aws_kms_key_policy',
      'aws_efs_file_system_policy',
      'aws_dynamodb_resource_policy',
    ],
    path: 'policy',
    use: 'trust',
    hides: true,
    guards: ['queue_url', 'arn', 'key_id', 'file_system_id', 'resource_arn'],
  },
  {
    types: ['aws_ecr_repository_policy', 'aws_ecrpublic_repository_policy', 'aws_secretsmanager_secret_policy'],
    path: 'policy',
    use: 'trust',
    hides: true,
    guards: ['repository', 'repository_name', 'secret_arn'],
  },
  {
    types: [
      'aws_backup_vault_policy',
      'aws_glacier_vault',
      'aws_cloudwatch_event_bus_policy',
      'aws_ses_identity_policy',
      'aws_codebuild_resource_policy',
      'aws_kinesis_resource_policy',
      'aws_glue_resource_policy',
    ],
    path: 'policy',
    use: 'trust',
  },
  {
    types: [
      'aws_ecr_registry_policy',
      'aws_codeartifact_domain_permissions_policy',
      'aws_codeartifact_repository_permissions_policy',
      'aws_acmpca_policy',
      'aws_vpc_endpoint_policy',
    ],
    path: 'policy',
    use: 'trust',
  },
  {
    types: ['aws_sqs_queue', 'aws_sns_topic', 'aws_kms_key', 'aws_kms_external_key', 'aws_kms_replica_key'],
    path: 'policy',
    use: 'trust',
  },
  { types: ['aws_secretsmanager_secret', 'aws_media_store_container_policy'], path: 'policy', use: 'trust' },
  {
    types: [
      'aws_opensearch_domain',
      'aws_elasticsearch_domain',
      'aws_opensearch_domain_policy',
      'aws_elasticsearch_domain_policy',
    ],
    path: 'access_policies',
    use: 'trust',
  },
  { types: ['aws_cloudwatch_log_destination_policy'], path: 'access_policy', use: 'trust', hides: true },
  { types: ['aws_organizations_policy'], path: 'content', use: 'guardrail', hides: true },
];

function judgeDocument({ path: pattern, use }: Document, segments: readonly string[], subject: Subject): void {
  for (const { path, before, after, unknown } of subject.pairs(segments)) {
    if (unknown || (subject.mode !== 'create' && same(before, after))) continue;
    const earlier = parsePolicy(before) ?? [];
    const later = parsePolicy(after);
    if (!later && !isEmpty(after)) continue;
    judgeStatements(use, subject, path, earlier, later ?? []);
    if (pattern === 'policy' && subject.type.startsWith('aws_kms_')) judgeKeyOwner(subject, path, earlier, later ?? []);
  }
}

function judgeStatements(
  use: Use,
  subject: Subject,
  path: Path,
  before: readonly Statement[],
  after: readonly Statement[],
): void {
  const grants = use === 'identity' ? newGrants(before, after) : [];
  for (const grant of grants) reportGrant(subject, path, grant);
  const trusted =
    use === 'identity' || use === 'guardrail' ? [] : newlyTrusted(before, after, subject.facts, subject.mode);
  for (const entry of trusted) reportTrust(use, subject, path, entry);
  const lost = subject.mode === 'create' ? [] : lostLimits(before, after);
  for (const limit of lost) reportLost(subject, path, limit);
  if (grants.length + trusted.length + lost.length > 0 || subject.mode === 'create') return;
  if (
    newGrants(after, before).length > 0 ||
    newlyTrusted(after, before, subject.facts, subject.mode).length > 0 ||
    lostLimits(after, before).length > 0
  ) {
    if (isOnlyLess(before, after)) subject.turn(path, 'strengthening');
  }
}

/** Strengthening is claimed only where nothing but statements or principals went away. */
function isOnlyLess(before: readonly Statement[], after: readonly Statement[]): boolean {
  return after
    .filter(({ allow }) => allow)
    .every((statement) => before.some((other) => other.allow && isWithin(statement, other)));
}

function isWithin(inner: Statement, outer: Statement): boolean {
  const has = (items: readonly string[], all: readonly string[]): boolean =>
    all.includes('*') || items.every((item) => all.includes(item));
  if (
    inner.not_actions !== outer.not_actions ||
    inner.not_resources !== outer.not_resources ||
    inner.not_principals !== outer.not_principals
  )
    return false;
  if (inner.not_actions || inner.not_resources || inner.not_principals)
    return (
      same(inner.actions, outer.actions) &&
      same(inner.resources, outer.resources) &&
      same(inner.condition, outer.condition)
    );
  if (outer.condition !== null && !same(inner.condition, outer.condition)) return false;
  return (
    has(inner.actions, outer.actions) &&
    has(inner.resources, outer.resources) &&
    has(
      inner.principals.map(({ value }) => value),
      outer.principals.map(({ value }) => value),
    )
  );
}

const GRANT_SAYS: Record<Grant['rule'], string> = {
  'R-IAM-ADMIN': 'The policy makes whoever holds it an administrator',
  'R-IAM-WIDE': 'The policy allows nearly everything but the management of identities',
  'R-IAM-WILDCARD': 'The policy allows more than one named resource needs',
};

function reportGrant(subject: Subject, path: Path, { rule, level, action }: Grant): void {
  const shown = subject.quoteAll(path, [action]);
  subject.add({ rule, level, path, message: `${GRANT_SAYS[rule]}: ${shown} on all resources.` });
  subject.turn(path, 'weakening');
}

function reportTrust(use: Use, subject: Subject, path: Path, { who, level, principal, statement }: Trusted): void {
  const bucket = use === 'bucket' && who === 'anyone';
  const rule = bucket ? 'R-STO-PUBLIC' : 'R-IAM-TRUST';
  const judged: RiskLevel =
    who !== 'anyone'
      ? level
      : bucket
        ? writes(statement)
          ? 'critical'
          : 'high'
        : use === 'invocation'
          ? 'high'
          : level;
  subject.add({
    rule,
    level: judged,
    path,
    message: sayTrust(subject, path, who, principal, bucket && isAtLeast(judged, 'critical')),
  });
  subject.turn(path, 'weakening');
}

function sayTrust(subject: Subject, path: Path, who: Trusted['who'], principal: string, written: boolean): string {
  const shown = subject.quoteAll(path, [principal]);
  if (who === 'account') return `Another account gets in: ${shown}.`;
  if (who === 'federation')
    return `Any workload or user of the identity provider ${shown} gets in, because no subject is asked for.`;
  return written
    ? 'Everybody may read and change what this holds; no condition limits who.'
    : 'Everybody gets in; no condition limits who.';
}

function reportLost(subject: Subject, path: Path, limit: LostLimit): void {
  const message =
    limit === 'deny'
      ? 'A statement that denies is removed or narrowed.'
      : 'A condition that limited a grant is removed.';
  subject.add({ rule: 'R-IAM-CONDITION', level: 'high', path, message });
  subject.turn(path, 'weakening');
}

/** Without the account's own statement nobody may be able to manage a key any more. */
function judgeKeyOwner(subject: Subject, path: Path, before: readonly Statement[], after: readonly Statement[]): void {
  if (after.length === 0 || !before.some(isOwner) || after.some(isOwner)) return;
  subject.add({
    rule: `R-ATTR-${subject.type}.policy`,
    level: 'critical',
    path,
    message: 'The account itself loses control of the key: nobody may be able to manage it any more.',
  });
  subject.turn(path, 'weakening');
}

function isOwner({ allow, actions, principals }: Statement): boolean {
  return (
    allow &&
    actions.some((action) => action === 'kms:*' || action === '*') &&
    principals.some(({ value }) => /:root$|^[0-9]{12}$/.test(value))
  );
}

/** A document that goes away takes its refusals with it, unless what it protects goes away too. */
function judgeRemoval({ path, guards }: Document, subject: Subject): void {
  if ((guards ?? []).some((name) => subject.facts.destroyed.has(text(member(subject.before, name))))) return;
  const statements = parsePolicy(member(subject.before, path)) ?? [];
  if (statements.some(({ allow }) => !allow)) {
    subject.add({ rule: 'R-IAM-CONDITION', level: 'high', path: null, message: 'A policy that denies is deleted.' });
  }
}

/** The second policy ceiling of an identity. */
function judgeBoundary(subject: Subject): void {
  const { before, after } = subject;
  const had = !isEmpty(member(before, 'permissions_boundary'));
  const has = !isEmpty(member(after, 'permissions_boundary')) || subject.isUnknown('permissions_boundary');
  if (had && !has) {
    subject.add({
      rule: 'R-IAM-CONDITION',
      level: 'high',
      path: ['permissions_boundary'],
      message: 'The permissions boundary, the ceiling of what the identity may do, is removed.',
    });
    subject.turn(['permissions_boundary'], 'weakening');
  } else if (!had && has) {
    subject.turn(['permissions_boundary'], 'strengthening');
  }
}

export const AWS_IAM_RULES: readonly Rule[] = [
  ...DOCUMENTS.map((document): Rule => {
    const segments = document.path.split('.');
    return {
      types: document.types,
      watches: [document.hides ? { path: document.path, hides: true } : { path: document.path }],
      find: (subject) => judgeDocument(document, segments, subject),
    };
  }),
  ...DOCUMENTS.filter(({ guards }) => guards).map(
    (document): Rule => ({
      types: document.types,
      watches: [],
      modes: ['delete'],
      find: (subject) => judgeRemoval(document, subject),
    }),
  ),
  {
    types: ['aws_iam_role', 'aws_iam_user'],
    watches: [{ path: 'permissions_boundary' }],
    modes: ['update', 'replace'],
    find: judgeBoundary,
  },
];

/** The text of an attribute, for rules which compare single names. */
export function nameOf(value: Value, attribute: string): string {
  return text(member(value, attribute));
}
