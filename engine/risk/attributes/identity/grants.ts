/** New grants of identity policies: R-IAM-ADMIN, R-IAM-WIDE, R-IAM-WILDCARD. */

import { compareLevels } from '../../../model/levels.ts';
import type { RiskLevel } from '../../../model/result.ts';
import type { StepBudget } from '../step-budget.ts';
import { isCovered, type Statement, statementKey } from './policy.ts';
import { matchesWildcard } from './wildcard.ts';

export interface Grant {
  rule: 'R-IAM-ADMIN' | 'R-IAM-WIDE' | 'R-IAM-WILDCARD';
  level: RiskLevel;
  /** The action pattern of the policy. */
  action: string;
}

/** Full control of one of these services is full control of the account. */
const ADMIN_SERVICES = ['iam', 'sts', 'organizations'];
/** Actions that, on all resources, let an identity gain further permissions. */
const ESCALATING = ['iam:passrole', 'iam:addusertogroup', 'iam:setdefaultpolicyversion', 'sts:assumerole'];
const ESCALATING_PREFIXES = ['iam:create', 'iam:put', 'iam:attach', 'iam:update'];
/** Actions with these prefixes that a pattern such as `iam:*Policy` may also match. */
const ESCALATING_EXAMPLES = [
  'iam:createpolicyversion',
  'iam:createaccesskey',
  'iam:putrolepolicy',
  'iam:attachrolepolicy',
  'iam:updateassumerolepolicy',
];
/** Actions that, on all resources, share data with others or run commands on hosts. */
const SHARING = [
  'ec2:modifysnapshotattribute',
  'ec2:modifyimageattribute',
  'rds:modifydbsnapshotattribute',
  'rds:modifydbclustersnapshotattribute',
  's3:putbucketpolicy',
  'kms:putkeypolicy',
  'secretsmanager:putresourcepolicy',
  'ecr:setrepositorypolicy',
  'lambda:addpermission',
  'ssm:sendcommand',
];
const READING_DATA = [
  'secretsmanager:getsecretvalue',
  'secretsmanager:batchgetsecretvalue',
  'ssm:getparameter',
  'ssm:getparameters',
  'ssm:getparametersbypath',
  'ssm:getparameterhistory',
  'kms:decrypt',
  's3:getobject',
  's3:getobjectversion',
  'dynamodb:getitem',
  'dynamodb:batchgetitem',
  'dynamodb:query',
  'dynamodb:scan',
];
const HARMLESS_PREFIXES = ['get', 'list', 'describe', 'batchget', 'batchcheck', 'batchdescribe', 'lookup', 'view'];
/** Write actions that functions and hosts need for their logs, metrics, traces and network interfaces. */
const HARMLESS = [
  'logs:createloggroup',
  'logs:createlogstream',
  'logs:createlogdelivery',
  'logs:putlogevents',
  'logs:putlogeventsbatch',
  'logs:putretentionpolicy',
  'xray:puttracesegments',
  'xray:puttelemetryrecords',
  'cloudwatch:putmetricdata',
  'ec2:createnetworkinterface',
  'ec2:deletenetworkinterface',
  'ec2:assignprivateipaddresses',
  'ec2:unassignprivateipaddresses',
  'ecr:getauthorizationtoken',
];

/** ARN patterns of all resources of one kind of an account, such as `arn:aws:iam::111122223333:role/*`. */
const WHOLE_KIND = /^arn:[^:]{0,20}:[a-z0-9-]{1,40}:[^:]{0,30}:[0-9*]{1,12}:[a-z-]{1,30}[:/]\*$/;
/** ARN patterns of all resources of all services, or of all buckets. */
const WIDE_RESOURCE = /^arn:[^:]{0,20}:(?:\*:\*:\*:\*|s3:::\*)$/;

/**
 * Returns the grants in `after` that `before` lacks, highest level first; empty when nothing was added. A grant counts
 * as new when the step budget is exhausted.
 */
export function newGrants(before: readonly Statement[], after: readonly Statement[], steps: StepBudget): Grant[] {
  const held = before.filter((statement) => statement.allow);
  const kept = new Set(held.map(statementKey));
  const findHolders = indexByAction(held);
  const found: Grant[] = [];
  for (const statement of after) {
    if (!statement.allow || kept.has(statementKey(statement))) continue;
    for (const grant of classifyGrants(statement)) {
      const holders = findHolders(statement.not_actions ? null : grant.action);
      if (!steps.some(holders, (earlier) => holds(earlier, statement, grant.action, steps))) found.push(grant);
    }
  }
  return found.sort((a, b) => compareLevels(b.level, a.level));
}

/** Finds the statements that may allow an action: those that name it, and those with wildcards or NotAction. */
function indexByAction(statements: readonly Statement[]): (action: string | null) => readonly Statement[] {
  const many = statements.filter(({ actions, not_actions }) => not_actions || actions.some(namesMany));
  const named = new Map<string, Statement[]>();
  for (const statement of statements) {
    for (const action of new Set(statement.actions)) {
      const known = named.get(action);
      if (known === undefined) named.set(action, [statement]);
      else known.push(statement);
    }
  }
  return (action) => (action === null ? statements : [...(named.get(action) ?? []), ...many]);
}

function namesMany(action: string): boolean {
  return action.includes('*') || action.includes('?');
}

function classifyGrants(statement: Statement): Grant[] {
  if (!isWide(statement) && statement.not_actions) return [{ rule: 'R-IAM-WIDE', level: 'high', action: '*' }];
  if (!isWide(statement) && statement.actions.some(isEverything))
    return [{ rule: 'R-IAM-WILDCARD', level: 'medium', action: '*' }];
  if (!isWide(statement)) return statement.resources.some(isWholeKind) ? classifyGrave(statement.actions) : [];
  if (statement.not_actions) return [excepting(statement.actions)];
  return statement.actions.flatMap((action) => classify(action, statement.condition !== null) ?? []);
}

function isWholeKind(resource: string): boolean {
  return WHOLE_KIND.test(resource);
}

/** Grants that are grave on all resources of one kind: further permissions, and reading data. */
function classifyGrave(actions: readonly string[]): Grant[] {
  return actions
    .filter((action) => isEscalating(action) || readsData(action))
    .map((action) => ({ rule: 'R-IAM-WILDCARD', level: 'high', action }));
}

function readsData(action: string): boolean {
  return READING_DATA.some((known) => matchesWildcard(action, known));
}

/** Classifies NotAction: administrator access unless IAM is among the excluded actions. */
function excepting(left_out: readonly string[]): Grant {
  const keepsIdentities = left_out.some((action) => action === 'iam:*' || isEverything(action));
  return keepsIdentities
    ? { rule: 'R-IAM-WIDE', level: 'high', action: '*' }
    : { rule: 'R-IAM-ADMIN', level: 'critical', action: '*' };
}

function classify(action: string, narrowed: boolean): Grant | undefined {
  const colon = action.indexOf(':');
  const service = action.slice(0, Math.max(colon, 0));
  const name = action.slice(colon + 1);
  if (isEverything(action) || (name === '*' && ADMIN_SERVICES.some((admin) => matchesWildcard(service, admin)))) {
    return { rule: 'R-IAM-ADMIN', level: 'critical', action };
  }
  const level =
    name === '*' || isEscalating(action) || readsData(action) || (!narrowed && SHARING.includes(action))
      ? 'high'
      : levelOfWriting(action, name, narrowed);
  return level === 'none' ? undefined : { rule: 'R-IAM-WILDCARD', level, action };
}

function isEscalating(action: string): boolean {
  if (action === 'iam:createservicelinkedrole') return false;
  if (ESCALATING_PREFIXES.some((prefix) => action.startsWith(prefix))) return true;
  return (
    ESCALATING.some((known) => matchesWildcard(action, known)) ||
    ESCALATING_EXAMPLES.some((known) => matchesWildcard(action, known))
  );
}

function levelOfWriting(action: string, name: string, narrowed: boolean): RiskLevel {
  const harmless = HARMLESS_PREFIXES.some((prefix) => name.startsWith(prefix)) || HARMLESS.includes(action);
  return harmless || narrowed ? 'none' : 'medium';
}

function isEverything(action: string): boolean {
  return action === '*' || action === '*:*' || action === '**';
}

/** Returns true for a statement on all resources of one service (`arn:aws:s3:::*`) or of all services. */
function isWide({ resources, not_resources }: Statement): boolean {
  return not_resources || resources.some((resource) => resource === '*' || WIDE_RESOURCE.test(resource));
}

/** Returns true when an earlier statement granted the action on at least the same resources without more conditions. */
function holds(earlier: Statement, now: Statement, action: string, steps: StepBudget): boolean {
  if (earlier.condition !== null && now.condition === null) return false;
  if (isWide(now) && !isWide(earlier)) return false;
  if (!isWide(now) && !isWide(earlier) && !isCovered(now.resources, earlier.resources, steps)) return false;
  if (earlier.not_actions)
    return now.not_actions
      ? isIncluded(earlier.actions, now.actions)
      : !earlier.actions.some((left) => matchesEither(left, action));
  return isCovered([action], earlier.actions, steps);
}

export function isIncluded(items: readonly string[], all: readonly string[]): boolean {
  const known = new Set(all);
  return items.every((item) => known.has(item));
}

function matchesEither(a: string, b: string): boolean {
  return matchesWildcard(a, b) || matchesWildcard(b, a);
}
