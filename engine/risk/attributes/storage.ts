/** R-STO-EXPIRE for objects: lifecycle rules that delete, or delete earlier. */
import type { Subject } from './subject.ts';
import type { Path, Rule, Value } from './types.ts';
import { at, isEmpty, list, member, quantity, same, text } from './values.ts';

/** One way in which a lifecycle rule deletes content. */
interface Expiry {
  /** Tells the expiries of a bucket apart. */
  key: string;
  /** What the rule is limited to. */
  scope: Value;
  days: number;
  path: Path;
}

const AWS_EXPIRIES = [
  ['expiration', 'days'],
  ['noncurrent_version_expiration', 'noncurrent_days'],
  ['noncurrent_version_expiration', 'days'],
] as const;
const AZURE_DELETIONS = [
  'delete_after_days_since_modification_greater_than',
  'delete_after_days_since_last_access_time_greater_than',
  'delete_after_days_since_creation_greater_than',
  'delete_after_days_since_creation',
];

function awsExpiries(attribute: string, side: Value): Expiry[] {
  return list(member(side, attribute)).flatMap((rule, index) => {
    if (text(member(rule, 'status')) === 'Disabled' || member(rule, 'enabled') === false) return [];
    const scope = [member(rule, 'prefix') ?? null, member(rule, 'filter') ?? null, member(rule, 'tags') ?? null];
    const key = text(member(rule, 'id')) || String(index);
    const found: Expiry[] = [];
    for (const [block, days] of AWS_EXPIRIES) {
      const value = quantity(at(rule, block, days));
      if (value !== undefined && value > 0)
        found.push({ key: `${key} ${block}`, scope, days: value, path: [attribute, index, block, 0, days] });
    }
    if (!isEmpty(at(rule, 'expiration', 'date')))
      found.push({ key: `${key} expiration`, scope, days: 0, path: [attribute, index, 'expiration', 0, 'date'] });
    return found;
  });
}

function googleExpiries(side: Value): Expiry[] {
  return list(member(side, 'lifecycle_rule')).flatMap((rule, index) => {
    if (text(at(rule, 'action', 'type')) !== 'Delete') return [];
    const condition = list(member(rule, 'condition'))[0];
    const { age: _, ...scope } = (typeof condition === 'object' && !Array.isArray(condition) ? condition : null) ?? {};
    const days = quantity(member(condition, 'age')) ?? 0;
    return [{ key: JSON.stringify(scope), scope, days, path: ['lifecycle_rule', index, 'condition', 0, 'age'] }];
  });
}

function azureExpiries(side: Value): Expiry[] {
  return list(member(side, 'rule')).flatMap((rule, index) => {
    if (member(rule, 'enabled') === false) return [];
    const scope = member(rule, 'filters') ?? null;
    return ['base_blob', 'snapshot', 'version'].flatMap((block) =>
      AZURE_DELETIONS.flatMap((name) => {
        const days = quantity(at(rule, 'actions', block, name));
        if (days === undefined || days < 0) return [];
        return [
          {
            key: `${text(member(rule, 'name'))} ${block} ${name}`,
            scope,
            days,
            path: ['rule', index, 'actions', 0, block, 0, name],
          },
        ];
      }),
    );
  });
}

function judgeExpiries(subject: Subject, before: readonly Expiry[], after: readonly Expiry[]): void {
  const worse = after.find((expiry) => isNewOrEarlier(expiry, before));
  if (worse) {
    const { days, path } = worse;
    const known = before.find(({ key }) => key === worse.key);
    const shown = subject.isHidden(path)
      ? ''
      : known
        ? `: after ${days} instead of ${known.days} days`
        : `, after ${days} days`;
    const message = `${known ? 'Content is deleted earlier' : 'Content begins to be deleted'}${shown}.`;
    subject.add({ rule: 'R-STO-EXPIRE', level: subject.mode === 'create' ? 'medium' : 'high', path, message });
    subject.turn(path, 'weakening');
  } else if (subject.mode !== 'create') {
    for (const earlier of before) if (isNewOrEarlier(earlier, after)) subject.turn(earlier.path, 'strengthening');
  }
}

function isNewOrEarlier(expiry: Expiry, before: readonly Expiry[]): boolean {
  const known = before.find(({ key }) => key === expiry.key);
  if (known) return expiry.days < known.days;
  return !before.some(({ days, scope }) => days <= expiry.days && same(scope, expiry.scope));
}

export const STORAGE_RULES: readonly Rule[] = [
  ...(['rule', 'lifecycle_rule'] as const).map(
    (attribute): Rule => ({
      types: [attribute === 'rule' ? 'aws_s3_bucket_lifecycle_configuration' : 'aws_s3_bucket'],
      watches: [{ path: attribute }],
      find: (subject) =>
        judgeExpiries(subject, awsExpiries(attribute, subject.before), awsExpiries(attribute, subject.after)),
    }),
  ),
  {
    types: ['google_storage_bucket'],
    watches: [{ path: 'lifecycle_rule' }],
    find: (subject) => judgeExpiries(subject, googleExpiries(subject.before), googleExpiries(subject.after)),
  },
  {
    types: ['azurerm_storage_management_policy'],
    watches: [{ path: 'rule' }],
    find: (subject) => judgeExpiries(subject, azureExpiries(subject.before), azureExpiries(subject.after)),
  },
];
