import { createAwsAdapter } from '../../../../server/adapters/cloud/aws/index.ts';
import type { CloudCredentials, CloudSession, CloudTarget } from '../../../../server/adapters/cloud/types.ts';
import { createGuardedFetch } from '../../../../server/adapters/egress/index.ts';
import { type FakeAws, startFakeAws } from '../../../fakes/cloud/aws/server.ts';
import { createVirtualTime } from '../../../fakes/cloud/virtual-time.ts';

export const KEYS: CloudCredentials = {
  credential_type: 'aws_access_key',
  access_key_id: 'AKIACUSTOMER00000001',
  secret_access_key: 'secret-canary',
};
export const ROLE = 'arn:aws:iam::123456789012:role/dpa';

export interface FakeAccount {
  aws: FakeAws;
  open(target?: Partial<CloudTarget>): CloudSession;
  calls: ReturnType<typeof createAwsAdapter>['calls'];
}

/** An account on a fake AWS. Waits take no time. */
export async function startFakeAccount(now = () => new Date()): Promise<FakeAccount> {
  const aws = await startFakeAws();
  const adapter = createAwsAdapter({
    fetch: createGuardedFetch({ allowed_hosts: [new URL(aws.url).host] }),
    signToken: async ({ subject, audience }) => `token for ${subject} at ${audience}`,
    own_keys: { accessKeyId: 'AKIASERVICE000000001', secretAccessKey: 'own-canary' },
    findEndpoint: aws.findEndpoint,
    now,
    throttle: { ...createVirtualTime(), random: () => 0.5 },
    timeout_ms: 5_000,
  });
  const target = {
    provider: 'aws',
    external_account_id: '123456789012',
    regions: ['eu-west-1'],
    token_subject: 'org-1',
  } as const;
  return {
    aws,
    calls: adapter.calls,
    open: (changed) => adapter.open({ ...target, credentials: KEYS, ...changed }),
  };
}
