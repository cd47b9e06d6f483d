import type { RiskLevel } from '../../../model/result.ts';
import type { PlanFacts } from '../../types.ts';
import type { StepBudget } from '../step-budget.ts';
import type { Subject } from '../subject.ts';
import { isAboutNew } from '../target.ts';
import type { Path, Rule, Value } from '../types.ts';
import { isEmpty, list, member, same, strings, text } from '../values.ts';
import { rankPolicy } from './attachments.ts';
import { reportSubjects } from './claims.ts';
import { type LostLimit, lostLimits } from './conditions.ts';
import { DOCUMENTS, type Document, type Use } from './documents.ts';
import { type Grant, newGrants } from './grants.ts';
import { findLostServices } from './lost-services.ts';
import { isOnlyNarrower } from './narrowing.ts';
import { parsePolicy, type Statement, stepsFor } from './policy.ts';
import { handsOver, newlyTrusted, type Trusted, writes } from './trust.ts';
import { findSubjectChange } from './trusted-subjects.ts';

function judgeDocument({ path: pattern, use }: Document, segments: readonly string[], subject: Subject): void {
  for (const { path, before, after, unknown } of subject.pairs(segments)) {
    if (unknown || (subject.mode !== 'create' && same(before, after))) continue;
    const earlier = parsePolicy(before) ?? [];
    const later = parsePolicy(after);
    if (!later && !isEmpty(after)) continue;
    const facts = knowsOwner(subject)
      ? subject.facts
      : { ...subject.facts, accounts: findOwners(subject, later ?? []) };
    judgeStatements(use, subject, path, earlier, later ?? [], facts);
    if (pattern === 'policy' && subject.type.startsWith('aws_kms_')) judgeKeyOwner(subject, path, earlier, later ?? []);
  }
}

function judgeStatements(
  use: Use,
  subject: Subject,
  path: Path,
  before: readonly Statement[],
  after: readonly Statement[],
  facts: PlanFacts,
): void {
  const steps = stepsFor(before, after);
  const known = { facts, mode: subject.mode, steps };
  const grants = use === 'identity' ? newGrants(before, after, steps) : [];
  for (const grant of grants) reportGrant(subject, path, grant, describeCut(steps));
  const trusted = use === 'identity' || use === 'guardrail' ? [] : newlyTrusted(before, after, known);
  for (const entry of trusted) reportTrust(use, subject, path, entry, describeCut(steps));
  const lost = subject.mode === 'create' ? [] : lostLimits(before, after, steps);
  for (const limit of lost) reportLost(subject, path, limit, describeCut(steps));
  const silenced = subject.mode === 'create' ? [] : findLostServices(before, after).slice(0, 1);
  for (const { service, level } of silenced) reportService(subject, path, service, level);
  // Subjects that were named before make it worse that nobody is named now.
  if (subject.mode !== 'create' && !readsOnly(subject) && trusted.some(({ who }) => who === 'federation')) {
    judgeTrustedSubjects(subject, path, before, after);
  }
  if (grants.length + trusted.length + lost.length + silenced.length > 0 || subject.mode === 'create') return;
  if (use === 'trust' && judgeTrustedSubjects(subject, path, before, after)) return;
  if (isOnlyNarrower(before, after, steps)) subject.setDirection(path, 'strengthening');
}

/** @returns whether the accepted subjects are all that differs */
function judgeTrustedSubjects(
  subject: Subject,
  path: Path,
  before: readonly Statement[],
  after: readonly Statement[],
): boolean {
  const found = findSubjectChange(before, after);
  if (found === null || found.change === 'same') return false;
  if (found.change !== 'narrower' || found.only)
    reportSubjects(subject, 'R-IAM-TRUST', path, found.change, found.subjects);
  return found.only;
}

/** Anything that was not compared counts as new. */
function describeCut(steps: StepBudget): string {
  return steps.exhausted ? REASONS.too_large : '';
}

const GRANT_REASONS: Record<Grant['rule'], (action: string) => string> = {
  'R-IAM-ADMIN': (action) => `Grants administrator access: the policy allows ${action}.`,
  'R-IAM-WIDE': () => 'The policy allows nearly every action except managing identities.',
  'R-IAM-WILDCARD': (action) => `The policy allows ${action} on all resources.`,
};

const REASONS = {
  every_action: 'The policy allows every action on the resources that it names.',
  too_large: ' The policy is too large to compare completely; the parts that were not compared count as new.',
  'R-IAM-TRUST': {
    account: (principal: string) => `Another account gets access: ${principal}.`,
    federation: (provider: string) =>
      `Any workload or user of the identity provider ${provider} gets access: no condition restricts the subject.`,
    anyone: 'Anyone can access this: no condition restricts the principal.',
    anyone_writes: 'Anyone can read and change the contents: no condition restricts the principal.',
  },
  'R-IAM-CONDITION': {
    deny: 'A deny statement is removed or narrowed.',
    condition: 'A condition that restricted a grant is removed.',
    deleted: 'A policy with a deny statement is deleted.',
    boundary: 'The permissions boundary, which limits what the identity can do, is removed.',
  },
  key_owner: 'The account loses control of the key, so it may become impossible to manage the key.',
  endpoint: 'The endpoint allows every request, including requests to resources of other accounts.',
};

function reportGrant(subject: Subject, path: Path, { rule, level, action }: Grant, cut: string): void {
  const named = rule === 'R-IAM-WILDCARD' && action === '*';
  const message = named ? REASONS.every_action : GRANT_REASONS[rule](subject.quoteAll(path, [action]));
  subject.add({ rule, level, path, message: message + cut });
  subject.setDirection(path, 'weakening');
}

function reportTrust(
  use: Use,
  subject: Subject,
  path: Path,
  { who, level, principal, statement }: Trusted,
  cut: string,
): void {
  const bucket = use === 'bucket' && who === 'anyone';
  const rule = bucket ? 'R-STO-PUBLIC' : 'R-IAM-TRUST';
  const judged =
    who === 'federation' && isAdministrator(subject)
      ? 'critical'
      : who !== 'anyone'
        ? level
        : bucket
          ? levelOfBucket(subject, statement)
          : use === 'invocation' || handsOver(statement)
            ? 'high'
            : level;
  subject.add({
    rule,
    level: judged,
    path,
    message: describeTrust(subject, path, who, principal, bucket && writes(statement)) + cut,
  });
  subject.setDirection(path, 'weakening');
}

const administrators = new WeakMap<Subject, boolean>();

/** Returns true when the role itself grants administrator access. Cached: called for each trusted identity provider. */
function isAdministrator(subject: Subject): boolean {
  const known = administrators.get(subject) ?? holdsAdministration(subject);
  administrators.set(subject, known);
  return known;
}

/** Whether the role itself says that it can only read. */
function readsOnly({ after }: Subject): boolean {
  const arns = strings(member(after, 'managed_policy_arns'));
  return arns.length > 0 && arns.every((arn) => arn.endsWith('ReadOnlyAccess'));
}

function holdsAdministration({ after }: Subject): boolean {
  if (strings(member(after, 'managed_policy_arns')).some((arn) => rankPolicy(arn)?.rule === 'R-IAM-ADMIN')) return true;
  const inline = list(member(after, 'inline_policy')).map((block) => parsePolicy(member(block, 'policy')) ?? []);
  return inline.some((statements) =>
    newGrants([], statements, stepsFor([], statements)).some(({ rule }) => rule === 'R-IAM-ADMIN'),
  );
}

/** Rates public read access: a new bucket is empty, and the content of a website is meant to be public. */
function levelOfBucket(subject: Subject, statement: Statement): RiskLevel {
  if (writes(statement)) return 'critical';
  if (isAboutNew(subject)) return subject.facts.publishes ? 'medium' : 'high';
  return subject.facts.unguarded ? 'critical' : 'high';
}

function describeTrust(subject: Subject, path: Path, who: Trusted['who'], principal: string, written: boolean): string {
  const shown = subject.quoteAll(path, [principal]);
  const messages = REASONS['R-IAM-TRUST'];
  if (who !== 'anyone') return messages[who](shown);
  return written ? messages.anyone_writes : messages.anyone;
}

function reportLost(subject: Subject, path: Path, limit: LostLimit, cut: string): void {
  const message = REASONS['R-IAM-CONDITION'][limit];
  subject.add({ rule: 'R-IAM-CONDITION', level: 'high', path, message: message + cut });
  subject.setDirection(path, 'weakening');
}

function reportService(subject: Subject, path: Path, service: string, level: RiskLevel): void {
  const message = `The service ${subject.quoteAll(path, [service])} loses its access, so what it delivers no longer arrives.`;
  subject.add({ rule: 'R-IAM-SERVICE', level, path, message });
  subject.setDirection(path, 'weakening');
}

/** Checks that the key policy keeps a statement for the account; without it, the key may become unmanageable. */
function judgeKeyOwner(subject: Subject, path: Path, before: readonly Statement[], after: readonly Statement[]): void {
  if (after.length === 0 || !before.some(isOwner) || after.some(isOwner)) return;
  subject.add({
    rule: `R-ATTR-${subject.type}.policy`,
    level: 'critical',
    path,
    message: REASONS.key_owner,
  });
  subject.setDirection(path, 'weakening');
}

function knowsOwner({ facts, type, mode }: Subject): boolean {
  return facts.accounts.size > 0 || mode !== 'create' || !type.startsWith('aws_kms_');
}

/** The owner of a new key is the account with full access to it; AWS accepts no key without such a statement. */
function findOwners({ facts }: Subject, statements: readonly Statement[]): PlanFacts['accounts'] {
  const owners = statements.filter(isOwner).flatMap(({ principals }) => principals);
  const accounts = new Set(
    owners.flatMap(({ value }) => /^(?:arn:[^:]{1,20}:iam::)?([0-9]{12})(?::root)?$/.exec(value)?.[1] ?? []),
  );
  return accounts.size === 1 ? accounts : facts.accounts;
}

function isOwner({ allow, actions, principals }: Statement): boolean {
  return (
    allow &&
    actions.some((action) => action === 'kms:*' || action === '*') &&
    principals.some(({ value }) => /:root$|^[0-9]{12}$/.test(value))
  );
}

/** Checks for a deleted document with deny statements, unless the protected resource is deleted, too. */
function judgeRemoval({ path, guards }: Document, subject: Subject): void {
  if ((guards ?? []).some((name) => subject.facts.destroyed.has(text(member(subject.before, name))))) return;
  const statements = parsePolicy(member(subject.before, path)) ?? [];
  if (statements.some(({ allow }) => !allow)) {
    const message = REASONS['R-IAM-CONDITION'].deleted;
    subject.add({ rule: 'R-IAM-CONDITION', level: 'high', path: null, message });
  }
}

/** Checks the permissions boundary of an identity. */
function judgeBoundary(subject: Subject): void {
  const { before, after } = subject;
  const had = !isEmpty(member(before, 'permissions_boundary'));
  const has = !isEmpty(member(after, 'permissions_boundary')) || subject.isUnknown('permissions_boundary');
  if (had && !has) {
    subject.add({
      rule: 'R-IAM-CONDITION',
      level: 'high',
      path: ['permissions_boundary'],
      message: REASONS['R-IAM-CONDITION'].boundary,
    });
    subject.setDirection(['permissions_boundary'], 'weakening');
  } else if (!had && has) {
    subject.setDirection(['permissions_boundary'], 'strengthening');
  }
}

/** Checks the policy of a VPC endpoint: if it allows everything, data can be sent to any account. */
function judgeEndpoint(subject: Subject): void {
  const isFull = (value: Value): boolean =>
    (parsePolicy(value) ?? []).some(
      ({ allow, actions, resources, condition }) =>
        allow && condition === null && actions.includes('*') && resources.includes('*'),
    );
  if (!isFull(member(subject.after, 'policy')) || isFull(member(subject.before, 'policy'))) return;
  subject.add({
    rule: `R-ATTR-${subject.type}.policy`,
    level: 'medium',
    path: ['policy'],
    message: REASONS.endpoint,
  });
  subject.setDirection(['policy'], 'weakening');
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
    types: ['aws_vpc_endpoint', 'aws_vpc_endpoint_policy'],
    watches: [{ path: 'policy' }],
    modes: ['update', 'replace'],
    find: judgeEndpoint,
  },
  {
    types: ['aws_iam_role', 'aws_iam_user'],
    watches: [{ path: 'permissions_boundary' }],
    modes: ['update', 'replace'],
    find: judgeBoundary,
  },
];
