/** Principals that a trust or resource policy newly allows: R-IAM-TRUST, and R-STO-PUBLIC for buckets. */

import { isVastPublic, parseCidr } from '../../../lib/cidr.ts';
import { compareLevels } from '../../../model/levels.ts';
import type { RiskLevel } from '../../../model/result.ts';
import type { PlanFacts } from '../../types.ts';
import type { StepBudget } from '../step-budget.ts';
import type { Mode } from '../types.ts';
import { conditionEntries, type Principal, principalText, type Statement } from './policy.ts';
import { isOpenSubject } from './subjects.ts';

export interface Trusted {
  who: 'anyone' | 'account' | 'federation';
  level: RiskLevel;
  /** The principal as written in the policy. */
  principal: string;
  statement: Statement;
}

/** AWS accounts that deliver the access logs of load balancers. */
const DELIVERY_ACCOUNTS = new Set([
  '127311923021',
  '033677994240',
  '027434742980',
  '797873946194',
  '098369216593',
  '985666609251',
  '054676820928',
  '156460612806',
  '652711504416',
  '635631232127',
  '009996457667',
  '897822967062',
  '754344448648',
  '582318560864',
  '600734575887',
  '383597477331',
  '114774131450',
  '783225319266',
  '589379963580',
  '718504428378',
  '076674570225',
  '507241528517',
]);
/** Condition keys about how, when or on what a call is made, or that the caller writes: they say nothing about who it is. */
const ABOUT_THE_CALL =
  /^(?:aws:(?:securetransport|requestedregion|referer|useragent|currenttime|epochtime|requesttag\/.*|tagkeys|multifactorauthage|calledvia(?:first|last)?|viaawsservice)|s3:.*|kms:(?:encryptioncontext.*|encryptionalgorithm|grantoperations|grantconstrainttype|grantisforawsresource|viaservice)|sns:protocol|sqs:.*)$/;
/** Keys of S3 that do say who calls. */
const ABOUT_THE_CALLER = /^s3:(?:dataaccesspoint(?:account|arn)|accesspointnetworkorigin)$/;
/** Also a pattern that every id of its kind matches, such as `vpce-*`. */
const EVERYTHING = /^(?:[*?]+|[a-z]{1,6}-[*]|arn:[^:]{1,20}:[a-z]{2,4}::\*:.{0,200})$/;

/**
 * Returns the principals that `after` allows and `before` does not, highest level first. A principal counts as new when
 * the step budget is exhausted.
 */
export function newlyTrusted(
  before: readonly Statement[],
  after: readonly Statement[],
  { facts, mode, steps }: { facts: PlanFacts; mode: Mode; steps: StepBudget },
): Trusted[] {
  const earlier = indexAllowed(before);
  const ours: Ours = { accounts: facts.accounts, organizations: listOrganizations(before), mode };
  const found: Trusted[] = [];
  for (const statement of after) {
    if (!statement.allow) continue;
    for (const principal of statement.principals) {
      const trusted = judgePrincipal(principal, statement, ours);
      if (
        trusted &&
        !earlier(principal).some((list) => steps.some(list, (known) => admits(known, principal, statement)))
      )
        found.push(trusted);
    }
  }
  return found.sort((a, b) => compareLevels(b.level, a.level));
}

/** What is known to be ours. */
interface Ours {
  accounts: ReadonlySet<string>;
  /** Ids of organizations that a policy already trusts. */
  organizations: ReadonlySet<string>;
  mode: Mode;
}

function judgePrincipal(principal: Principal, statement: Statement, ours: Ours): Trusted | undefined {
  if (statement.not_principals)
    return narrowsWho(statement)
      ? undefined
      : { who: 'anyone', level: 'critical', principal: 'everyone except the named principals', statement };
  if (isAnyone(principal))
    return narrowsWho(statement) ? undefined : { who: 'anyone', level: 'critical', principal: '*', statement };
  if (principal.kind === 'Federated') return judgeFederation(principal, statement);
  const account = principal.kind === 'AWS' ? extractAccount(principal.value) : undefined;
  if (account === undefined || ours.accounts.has(account) || DELIVERY_ACCOUNTS.has(account)) return undefined;
  const is_first = ours.accounts.size === 0 && ours.mode === 'create';
  const level = is_first || staysInside(statement, ours.organizations) ? 'medium' : 'high';
  return { who: 'account', level, principal: principal.value, statement };
}

const ORGANIZATION = 'aws:principalorgid';

/** The organizations whose members alone some statement lets in. */
function listOrganizations(statements: readonly Statement[]): Set<string> {
  return new Set(statements.filter(({ allow }) => allow).flatMap(readOrganizations));
}

/** Whether only members of organizations that were trusted before are let in. */
function staysInside(statement: Statement, organizations: ReadonlySet<string>): boolean {
  const required = readOrganizations(statement);
  return required.length > 0 && required.every((id) => organizations.has(id));
}

function readOrganizations({ condition }: Statement): string[] {
  return conditionEntries(condition).flatMap(([operator, key, values]) =>
    key === ORGANIZATION && operator === 'stringequals' ? values : [],
  );
}

/** Returns true when a principal means everyone, in any notation. */
function isAnyone({ kind, value }: Principal): boolean {
  return value === '*' || (kind === 'AWS' && /^arn:[^:]{1,20}:iam::\*:/.test(value));
}

/** Checks an identity provider. Without a condition on the subject, anyone on its platform gets access. */
function judgeFederation(principal: Principal, statement: Statement): Trusted | undefined {
  const name = principal.value.toLowerCase();
  if (name.includes(':saml-provider/')) return undefined;
  const suffix = name.includes('cognito') ? ':aud' : ':sub';
  const bound = conditionEntries(statement.condition).some(
    ([operator, key, values]) =>
      key.endsWith(suffix) && !operator.includes('not') && values.length > 0 && !values.some(isOpenSubject),
  );
  return bound ? undefined : { who: 'federation', level: 'high', principal: principal.value, statement };
}

function extractAccount(principal: string): string | undefined {
  if (/^[0-9]{12}$/.test(principal)) return principal;
  return /^arn:[^:]{1,20}:(?:iam|sts)::([0-9]{12}):/.exec(principal)?.[1];
}

/** Returns true when a condition restricts the caller and not only how the call is made. */
function narrowsWho({ condition }: Statement): boolean {
  return conditionEntries(condition).some(
    ([operator, key, values]) =>
      (!ABOUT_THE_CALL.test(key) || ABOUT_THE_CALLER.test(key)) &&
      !isNegated(operator) &&
      !admitsStrangers(operator, key) &&
      values.length > 0 &&
      !values.some(isEverything),
  );
}

function isEverything(value: string): boolean {
  const range = parseCidr(value);
  return EVERYTHING.test(value) || (range !== undefined && isVastPublic(range));
}

/** Everybody but some. */
function isNegated(operator: string): boolean {
  return /(?:^|:)(?:string|numeric|date|arn)?not(?:equals|like|ipaddress)|^null$/.test(operator);
}

/** A caller without an account has no organization and no name, so the condition holds. */
function admitsStrangers(operator: string, key: string): boolean {
  return operator.endsWith('ifexists') && key.startsWith('aws:principal');
}

/** Indexes the statements that allow a principal, by name or as everyone. */
function indexAllowed(statements: readonly Statement[]): (principal: Principal) => (readonly Statement[])[] {
  const named = new Map<string, Statement[]>();
  const open = new Set<Statement>();
  for (const statement of statements) {
    if (!statement.allow) continue;
    for (const principal of statement.principals) {
      if (isAnyone(principal) && statement.condition === null) open.add(statement);
      const name = principalText(principal);
      const known = named.get(name);
      if (known === undefined) named.set(name, [statement]);
      else if (known.at(-1) !== statement) known.push(statement);
    }
  }
  const everybody = [...open];
  return (principal) => [named.get(principalText(principal)) ?? [], everybody];
}

/** Returns true when an earlier statement that names the principal allowed it at least as broadly. */
function admits(earlier: Statement, principal: Principal, now: Statement): boolean {
  if (earlier.not_principals !== now.not_principals) return false;
  if (principal.kind === 'Federated') return judgeFederation(principal, earlier) !== undefined;
  if (isAnyone(principal) && (narrowsWho(earlier) || writes(now) !== writes(earlier)))
    return !narrowsWho(earlier) && writes(earlier);
  return true;
}

/** Actions that only hand something over for processing: they show nothing of what is there. */
const HANDS_OVER =
  /^(?:events:putevents|sqs:sendmessage(?:batch)?|sns:publish|kinesis:putrecords?|firehose:putrecord(?:batch)?|lambda:invokefunction(?:url)?|execute-api:invoke|iot:publish|ses:send[a-z]{0,20}email)$/;

/** Returns true when a statement only lets callers hand something over. */
export function handsOver({ actions, not_actions }: Statement): boolean {
  return !not_actions && actions.length > 0 && actions.every((action) => HANDS_OVER.test(action));
}

/** Returns true when a statement includes actions that write. */
export function writes({ actions, not_actions }: Statement): boolean {
  return not_actions || actions.some((action) => !/^[a-z0-9-]*:(?:get|list|head|describe)/.test(action));
}
