/** Claims of tokens that an identity must have: subjects, audiences and bound claims, compared as sets of patterns. */

import { isObject } from '../../../lib/is-object.ts';
import type { RiskLevel } from '../../../model/result.ts';
import type { Subject } from '../subject.ts';
import type { Path, Rule, Value } from '../types.ts';
import { isEmpty, member, strings, text } from '../values.ts';
import { compareSubjects, SUBJECT_LEVELS, type SubjectChange } from './subjects.ts';
import { matchesWildcard } from './wildcard.ts';

const REASONS: Record<Exclude<SubjectChange, 'same' | 'narrower'>, string> = {
  sibling: 'Other identities of the same owner are trusted',
  wider: 'Many more identities of the same owner are trusted: any branch, project or workspace',
  foreign: 'Identities of another owner are trusted',
  anyone: 'Identities that anyone can create are trusted',
};

/** Reports how the accepted identities change. */
export function reportSubjects(subject: Subject, rule: string, path: Path, change: SubjectChange, value: Value): void {
  if (change === 'same') return;
  if (change === 'narrower') {
    subject.setDirection(path, 'strengthening');
    return;
  }
  const level: RiskLevel = SUBJECT_LEVELS[change];
  subject.add({ rule, level, path, message: `${REASONS[change]}: ${subject.quote(path, value)}.` });
  subject.setDirection(path, 'weakening');
}

/** The subject of a federated identity credential. */
function judgeSubject(subject: Subject): void {
  const [before, after] = [text(member(subject.before, 'subject')), text(member(subject.after, 'subject'))];
  if (before === '' || after === '' || subject.isUnknown('subject')) return;
  reportSubjects(subject, `R-ATTR-${subject.type}.subject`, ['subject'], compareSubjects([before], [after]), after);
}

/** Claims that say who the caller is. Without one of them, any identity of the issuer is accepted. */
const PINS =
  /^(?:sub|repository|repository_id|repository_owner|project_path|project_id|namespace_path|namespace_id|organization|terraform_organization_name|terraform_workspace_name|email|hd|groups|azp|appid|oid)$/;

/** Bound claims of a Vault role: all of them must match. */
function judgeBoundClaims(subject: Subject): void {
  const [before, after] = [member(subject.before, 'bound_claims'), member(subject.after, 'bound_claims')];
  if (!isObject(before) || subject.isUnknown('bound_claims')) return;
  const path = ['bound_claims'];
  const changes = Object.keys(before).map((name) => compareClaim(name, before[name], member(after, name)));
  const worst = (['anyone', 'foreign', 'wider', 'sibling'] as const).find((change) => changes.includes(change));
  const gains = isObject(after) && Object.keys(after).some((name) => !Object.hasOwn(before, name));
  const change = worst ?? (gains || changes.includes('narrower') ? 'narrower' : 'same');
  reportSubjects(
    subject,
    'R-IAM-TRUST',
    path,
    change,
    Object.keys(before).filter((_, i) => changes[i] === change),
  );
}

function compareClaim(name: string, before: Value, after: Value): SubjectChange {
  const [from, to] = [toPatterns(before), toPatterns(after)];
  if (to.length === 0) return 'wider';
  if (to.every((pattern) => from.includes(pattern))) return to.length === from.length ? 'same' : 'narrower';
  if (to.every((pattern) => from.some((known) => matchesWildcard(known, pattern)))) return 'narrower';
  if (to.some((pattern) => /^[*?/]*$/.test(pattern))) return PINS.test(name) ? 'anyone' : 'wider';
  return PINS.test(name) && name !== 'email' ? compareSubjects(from, to) : 'sibling';
}

function toPatterns(value: Value): string[] {
  return typeof value === 'string' ? value.split(',').map((part) => part.trim()) : strings(value);
}

/** Lists of which an entry is required: audiences, subjects. An empty list accepts everyone. */
function judgeBoundList(subject: Subject, attribute: string): void {
  const [before, after] = [member(subject.before, attribute), member(subject.after, attribute)];
  if (isEmpty(before) || !isEmpty(after) || subject.isUnknown(attribute)) return;
  reportSubjects(subject, 'R-IAM-TRUST', [attribute], 'wider', before);
}

const BOUND_LISTS = [
  'bound_subject',
  'bound_audiences',
  'bound_iam_principal_arns',
  'bound_account_ids',
  'bound_service_accounts',
  'bound_projects',
  'bound_subscription_ids',
  'bound_service_account_names',
  'bound_service_account_namespaces',
];

export const CLAIM_RULES: readonly Rule[] = [
  {
    types: ['azurerm_federated_identity_credential', 'azuread_application_federated_identity_credential'],
    watches: [{ path: 'subject' }],
    modes: ['update', 'replace'],
    find: judgeSubject,
  },
  {
    types: ['vault_jwt_auth_backend_role'],
    watches: [{ path: 'bound_claims' }],
    modes: ['update', 'replace'],
    find: judgeBoundClaims,
  },
  ...BOUND_LISTS.map(
    (attribute): Rule => ({
      types: ['vault_*_auth_backend_role'],
      watches: [{ path: attribute }],
      modes: ['update', 'replace'],
      find: (subject) => judgeBoundList(subject, attribute),
    }),
  ),
];
