/** Grants by name instead of by document: AWS managed policies and EKS access policies. */
import type { Subject } from '../subject.ts';
import type { Path, Rule } from '../types.ts';
import { list, member, strings, text } from '../values.ts';

const REASONS = {
  'R-IAM-ADMIN': {
    policy: (policy: string) => `Grants administrator access through the managed policy ${policy}.`,
    masters: 'The identity joins system:masters and administers the whole cluster.',
  },
  'R-IAM-WIDE': (policy: string) => `Grants full control of a service through the managed policy ${policy}.`,
  'R-IAM-AUTHORITATIVE': {
    create: 'Anything that this list does not name is detached, including attachments made elsewhere.',
    dropped: (names: string) => `Detaches ${names}.`,
  },
  'R-IAM-TRUST': {
    anyone: 'Anyone can invoke the function.',
    account: (account: string) => `Another account can invoke the function: ${account}.`,
    image: 'The image becomes public: every account can launch it.',
  },
};

type Rank = { rule: 'R-IAM-ADMIN' | 'R-IAM-WIDE'; level: 'critical' | 'high' };

const ADMIN: Rank = { rule: 'R-IAM-ADMIN', level: 'critical' };
const WIDE: Rank = { rule: 'R-IAM-WIDE', level: 'high' };

/** The attribute of each type that names managed policies, as a list or one ARN. */
const ATTACHMENTS: [types: readonly string[], attribute: string, hides: boolean][] = [
  [
    [
      'aws_iam_role_policy_attachment',
      'aws_iam_user_policy_attachment',
      'aws_iam_group_policy_attachment',
      'aws_iam_policy_attachment',
    ],
    'policy_arn',
    false,
  ],
  [
    [
      'aws_iam_role_policy_attachments_exclusive',
      'aws_iam_user_policy_attachments_exclusive',
      'aws_iam_group_policy_attachments_exclusive',
    ],
    'policy_arns',
    false,
  ],
  [['aws_iam_role'], 'managed_policy_arns', false],
  [['aws_ssoadmin_managed_policy_attachment'], 'managed_policy_arn', false],
  [['aws_eks_access_policy_association'], 'policy_arn', false],
];

/** Ranks a policy managed by AWS; undefined for limited and customer-managed policies. */
export function rankPolicy(arn: string): Rank | undefined {
  if (!/^arn:[^:]{1,20}:(?:iam|eks)::aws:/.test(arn)) return undefined;
  const name = arn.slice(arn.lastIndexOf('/') + 1);
  if (name === 'AdministratorAccess' || name === 'IAMFullAccess' || name.endsWith('ClusterAdminPolicy')) return ADMIN;
  const wide =
    name.endsWith('FullAccess') ||
    name === 'PowerUserAccess' ||
    name === 'AmazonEKSAdminPolicy' ||
    name.startsWith('AdministratorAccess-');
  return wide ? WIDE : undefined;
}

function judgeAttachment(attribute: string, subject: Subject): void {
  const before = new Set(strings(member(subject.before, attribute)));
  const after = strings(member(subject.after, attribute));
  for (const arn of after) {
    const rank = before.has(arn) ? undefined : rankPolicy(arn);
    if (rank) report(subject, [attribute], rank, arn.slice(arn.lastIndexOf('/') + 1));
  }
  if (subject.mode === 'create' || after.some((arn) => !before.has(arn))) return;
  const kept = new Set(after);
  if ([...before].some((arn) => !kept.has(arn)) && !subject.isUnknown(attribute))
    subject.setDirection([attribute], 'strengthening');
}

function report(subject: Subject, path: Path, { rule, level }: Rank, name: string): void {
  const shown = subject.quoteAll(path, [name]);
  const message = rule === 'R-IAM-ADMIN' ? REASONS['R-IAM-ADMIN'].policy(shown) : REASONS['R-IAM-WIDE'](shown);
  subject.add({ rule, level, path, message });
  subject.setDirection(path, 'weakening');
}

/** Attributes in which an authoritative attachment lists its members. */
const LISTS = ['users', 'groups', 'roles', 'policy_arns', 'policy_names', 'target_ids'];

/** R-IAM-AUTHORITATIVE: the resource owns the whole list, so anything that it does not name is detached. */
function judgeExclusive(subject: Subject): void {
  const { before, after, mode } = subject;
  const dropped = LISTS.flatMap((name) => {
    const kept = new Set(strings(member(after, name)));
    const gone = subject.isUnknown(name) ? [] : strings(member(before, name)).filter((entry) => !kept.has(entry));
    return gone.length === 0 ? [] : [subject.quoteAll([name], gone)];
  });
  const isPolicy = subject.type === 'aws_iam_policy_attachment';
  if (mode === 'delete' && (!isPolicy || subject.facts.destroyed.has(text(member(before, 'policy_arn'))))) return;
  if (mode !== 'create' && dropped.length === 0) return;
  const message =
    mode === 'create'
      ? REASONS['R-IAM-AUTHORITATIVE'].create
      : REASONS['R-IAM-AUTHORITATIVE'].dropped(dropped.join('; '));
  subject.add({ rule: 'R-IAM-AUTHORITATIVE', level: 'high', path: null, message });
}

/** Members of the group `system:masters` bypass every authorization check of the cluster. */
function judgeAccessEntry(subject: Subject): void {
  const groups = (side: 'before' | 'after'): string[] => strings(member(subject[side], 'kubernetes_groups'));
  if (!groups('after').includes('system:masters') || groups('before').includes('system:masters')) return;
  subject.add({
    rule: 'R-IAM-ADMIN',
    level: 'critical',
    path: ['kubernetes_groups'],
    message: REASONS['R-IAM-ADMIN'].masters,
  });
  subject.setDirection(['kubernetes_groups'], 'weakening');
}

/** `aws_lambda_permission`: one principal, restricted by a source. */
function judgeInvocation(subject: Subject): void {
  const { before, after } = subject;
  const principal = text(member(after, 'principal'));
  const narrowed = (side: 'before' | 'after'): boolean =>
    ['source_account', 'source_arn', 'principal_org_id'].some(
      (name) => text(member(subject[side], name)) !== '' || (side === 'after' && subject.isUnknown(name)),
    );
  const opened =
    principal === '*' && !narrowed('after') && !(text(member(before, 'principal')) === '*' && !narrowed('before'));
  if (opened) {
    const by_url = text(member(after, 'function_url_auth_type')) !== '';
    subject.add({
      rule: 'R-IAM-TRUST',
      level: by_url ? 'high' : 'critical',
      path: ['principal'],
      message: REASONS['R-IAM-TRUST'].anyone,
    });
    subject.setDirection(['principal'], 'weakening');
  }
  const account = /^(?:arn:[^:]{1,20}:iam::)?([0-9]{12})(?::|$)/.exec(principal)?.[1];
  if (account === undefined || subject.facts.accounts.has(account) || text(member(before, 'principal')) === principal)
    return;
  const level = subject.facts.accounts.size === 0 && subject.mode === 'create' ? 'medium' : 'high';
  subject.add({
    rule: 'R-IAM-TRUST',
    level,
    path: ['principal'],
    message: REASONS['R-IAM-TRUST'].account(subject.quoteAll(['principal'], [account])),
  });
  subject.setDirection(['principal'], 'weakening');
}

/** An image that is shared with every account. */
function judgeSharing(subject: Subject): void {
  const shared = (side: 'before' | 'after'): boolean => list(member(subject[side], 'group')).includes('all');
  if (!shared('after') || shared('before')) return;
  subject.add({
    rule: 'R-IAM-TRUST',
    level: 'critical',
    path: ['group'],
    message: REASONS['R-IAM-TRUST'].image,
  });
  subject.setDirection(['group'], 'weakening');
}

export const ATTACHMENT_RULES: readonly Rule[] = [
  ...ATTACHMENTS.map(
    ([types, attribute, hides]): Rule => ({
      types,
      watches: [hides ? { path: attribute, hides: true } : { path: attribute }],
      find: (subject) => judgeAttachment(attribute, subject),
    }),
  ),
  {
    types: ['aws_iam_policy_attachment', 'aws_iam_*_exclusive'],
    watches: LISTS.map((path) => ({ path })),
    modes: ['create', 'update', 'replace', 'delete'],
    find: judgeExclusive,
  },
  { types: ['aws_eks_access_entry'], watches: [{ path: 'kubernetes_groups' }], find: judgeAccessEntry },
  {
    types: ['aws_lambda_permission'],
    watches: [{ path: 'principal', hides: true }, { path: 'source_arn' }, { path: 'source_account' }],
    find: judgeInvocation,
  },
  { types: ['aws_ami_launch_permission'], watches: [{ path: 'group' }], find: judgeSharing },
];
