import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { openClouds } from '../../server/composition/clouds.ts';
import { packageRoot } from '../../server/lib/package-root.ts';

const clouds = openClouds({
  fetch: async () => {
    throw new Error('nothing is requested here');
  },
  deployment: null,
  aws_keys: null,
  recorded_accounts: null,
  now: () => new Date(),
});
const { Statement: statements } = clouds.aws.grants.policy_document as unknown as {
  Statement: { Sid: string; Action: string[] }[];
};
const readText = (path: string) => readFileSync(join(packageRoot(), path), 'utf8');

describe('what administrators grant', () => {
  test('the policy of AWS has exactly the permissions of the declared calls', () => {
    const declared = new Set(clouds.aws.adapter.calls.flatMap(({ permissions }) => permissions));

    expect(new Set(statements.flatMap(({ Action }) => Action))).toEqual(declared);
  });

  test('the CloudFormation template allows what the first statement of the policy allows', () => {
    const { Resources } = parse(readText('examples/cloud-accounts/aws/role.yaml'));
    const [inline] = Resources.Role.Properties.Policies;

    expect(inline.PolicyDocument.Statement[0].Action).toEqual(statements[0]?.Action);
  });

  test('docs/cloud-accounts.md lists every permission that AWS checks for a call of dpa itself', () => {
    const page = readText('docs/cloud-accounts.md');
    const named = (statements[0]?.Action ?? []).filter((action) => !action.startsWith('s3:Get'));

    expect(named.filter((action) => !page.includes(action))).toEqual([]);
  });

  test('every cloud has an adapter of its own', () => {
    const providers = Object.entries(clouds).map(([name, { adapter }]) => [name, adapter.provider]);

    expect(providers).toEqual(['aws', 'gcp', 'azure'].map((name) => [name, name]));
  });
});
