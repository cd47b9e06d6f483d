import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { CloudCredentials, ScanPart } from '../../../../server/adapters/cloud/types.ts';
import { xml } from '../../../fakes/cloud/aws/replies.ts';
import { findFault, never, readPart } from '../reading.ts';
import { type FakeAccount, ROLE, startFakeAccount } from './account.ts';

interface Refusal {
  name: string;
  body: object;
  expected: { code: string; permission: string | null };
}

interface StsRefusal {
  name: string;
  status: number;
  xml: string;
}

const recorded = JSON.parse(readFileSync(new URL('../../../fixtures/cloud/aws.json', import.meta.url), 'utf8'));
const LOG_GROUPS: ScanPart = {
  key: 'cloudcontrolapi/us-west-2/AWS::Logs::LogGroup',
  service: 'cloudcontrolapi',
  region: 'us-west-2',
  provider_type: 'AWS::Logs::LogGroup',
};

let account: FakeAccount;

beforeEach(async () => {
  account = await startFakeAccount();
});

afterEach(() => account.aws.close());

test.each<[string, Refusal]>(recorded.listing_refusals.map((one: Refusal) => [one.name, one]))(
  'a recorded refusal is understood: %s',
  async (_name, { body, expected }) => {
    account.aws.troubles.push({ operation: 'cloudcontrolapi ListResources', how: { status: 400, body }, times: 99 });

    const fault = await findFault(account.open().readPage(LOG_GROUPS, null, never));

    expect(fault).toMatchObject({ ...expected, provider_type: 'AWS::Logs::LogGroup', region: 'us-west-2' });
    expect(fault.message).not.toMatch(/secAuditUser|Request ID|Handler returned/);
  },
);

test.each<[string, StsRefusal]>(recorded.sts_refusals.map((one: StsRefusal) => [one.name, one]))(
  'a recorded refusal of STS is a credential error: %s',
  async (_name, { status, xml: text }) => {
    const how = xml(status, text);
    for (const operation of ['sts AssumeRole', 'sts AssumeRoleWithWebIdentity']) {
      account.aws.troubles.push({ operation, how });
    }
    const by_token: CloudCredentials = { credential_type: 'aws_web_identity', role_arn: ROLE };
    const by_key: CloudCredentials = { credential_type: 'aws_role', role_arn: ROLE, external_id: 'x' };

    for (const credentials of [by_token, by_key]) {
      const fault = await findFault(account.open({ credentials }).identify(never));
      expect(fault).toMatchObject({ code: 'credential_error', permission: null });
    }
  },
);

test('a recorded page of log groups is read', async () => {
  account.aws.troubles.push({
    operation: 'cloudcontrolapi ListResources',
    how: { status: 200, body: recorded.log_groups },
  });

  const { resources } = await readPart(account.open(), LOG_GROUPS);

  expect(resources.map(({ name, aliases, properties }) => [name, aliases, properties?.RetentionInDays])).toEqual([
    ['CloudControlExample', ['arn:aws:logs:us-west-2:123456789012:log-group:CloudControlExample:*'], 180],
    [
      'AnotherLogGroupResourceExample',
      ['arn:aws:logs:us-west-2:123456789012:log-group:AnotherLogGroupResourceExample:*'],
      90,
    ],
  ]);
});

test('a recorded page of the Tagging API with a resource that lost its tags is read', async () => {
  // The certificate of the source is listed by Cloud Control now, so its place is taken by a type that is not.
  const body = JSON.parse(
    JSON.stringify(recorded.tagged).replace(':acm:', ':codebuild:').replace('certificate/', 'project/'),
  );
  account.aws.troubles.push({ operation: 'tagging GetResources', how: { status: 200, body } });
  const tagging = { key: 'tagging/eu-west-1', service: 'tagging', region: 'eu-west-1', provider_type: null };

  const { resources, page_count } = await readPart(account.open(), tagging);

  expect(page_count).toBe(1);
  expect(resources).toMatchObject([{ provider_type: 'AWS::CodeBuild::Project', tags: {} }]);
});

test('a recorded rejection of the Tagging API, which has a name of its own, is sent again', async () => {
  const how = { status: 400, body: recorded.tagging_throttled };
  account.aws.troubles.push({ operation: 'tagging GetResources', how, times: 3 });
  account.aws.state.tagged = [{ arn: 'arn:aws:codebuild:eu-west-1:1:project/x', region: 'eu-west-1', tags: {} }];
  const tagging = { key: 'tagging/eu-west-1', service: 'tagging', region: 'eu-west-1', provider_type: null };

  expect((await readPart(account.open(), tagging)).resources).toHaveLength(1);
});
