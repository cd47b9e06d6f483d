import type { CloudCall } from '../types.ts';
import { CALLS } from './calls.ts';

export interface IamPolicy {
  Version: '2012-10-17';
  Statement: readonly { Sid: string; Effect: 'Allow'; Action: readonly string[]; Resource: '*' }[];
}

/**
 * The policy for the role or user that scans use: exactly the permissions of the declared calls. Almost all of them are
 * `List*` and `Describe*`, which AWS allows only for all resources. No action reads stored data, except that
 * `lambda:GetFunction`, which Cloud Control needs, also gives access to the code of functions.
 *
 * It fits into an inline policy of a role (10,240 characters) and not into a managed policy (6,144). Customers who
 * prefer managed policies attach `SecurityAudit` and `ViewOnlyAccess` of AWS and allow the first statement.
 *
 * @see IAM user guide, IAM and STS character limits
 */
export function buildAwsPolicy(): IamPolicy {
  const actions = listPermissions(Object.values(CALLS));
  const own = actions.filter((action) => OWN_PREFIXES.has(action.split(':', 1)[0] as string) && !action.endsWith('*'));
  return {
    Version: '2012-10-17',
    Statement: [
      { Sid: 'DpaCalls', Effect: 'Allow', Action: own, Resource: '*' },
      {
        Sid: 'DpaReadsConfiguration',
        Effect: 'Allow',
        Action: actions.filter((one) => !own.includes(one)),
        Resource: '*',
      },
    ],
  };
}

/** Services that a session calls itself; Cloud Control calls the others in its name. */
const OWN_PREFIXES = new Set(['account', 'cloudformation', 'resource-explorer-2', 's3', 'tag']);

function listPermissions(calls: readonly CloudCall[]): string[] {
  return [...new Set(calls.flatMap(({ permissions }) => permissions))].sort();
}
