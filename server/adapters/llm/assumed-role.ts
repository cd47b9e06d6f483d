import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type AwsKeys, awsClientOptions } from './aws.ts';
import type { Transport } from './provider.ts';

const LIFETIME_S = 900;
/** Keys that expire soon are not used for new calls. */
const MARGIN_MS = 60_000;

export interface RoleRequest {
  region: string;
  role_arn: string;
  keys: AwsKeys;
  endpoint: string | undefined;
}

/** Keys of assumed roles, each cached until a minute before it expires. */
export type AssumeRole = (transport: Transport, request: RoleRequest) => Promise<AwsKeys>;

export function createAssumeRole({ now }: { now: () => Date }): AssumeRole {
  const cached = new LRUCache<string, { keys: AwsKeys; ends_at: number }>({ max: 1_000 });

  return async (transport, request) => {
    const name = toCacheKey(request);
    const known = cached.get(name);
    if (known !== undefined && now().getTime() < known.ends_at - MARGIN_MS) return known.keys;
    const { keys, ends_at } = await assume(transport, request);
    cached.set(name, { keys, ends_at: Math.min(ends_at, now().getTime() + LIFETIME_S * 1_000) });
    return keys;
  };
}

async function assume(transport: Transport, { region, role_arn, keys, endpoint }: RoleRequest) {
  const { AssumeRoleCommand, STSClient } = await import('@aws-sdk/client-sts');
  const client = new STSClient(awsClientOptions(transport, { service: 'sts', region, endpoint, keys }));
  const { Credentials: given } = await client.send(
    new AssumeRoleCommand({ RoleArn: role_arn, RoleSessionName: 'dpa', DurationSeconds: LIFETIME_S }),
    { abortSignal: transport.signal },
  );
  const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = given ?? {};
  if (!AccessKeyId || !SecretAccessKey || !SessionToken || !Expiration) throw new Error('STS gave no keys');
  return {
    keys: { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken },
    ends_at: Expiration.getTime(),
  };
}

/** A changed key or role has another cache entry. */
function toCacheKey({ region, role_arn, keys }: RoleRequest): string {
  const parts = JSON.stringify([region, role_arn, keys.accessKeyId, keys.secretAccessKey]);
  return createHash('sha256').update(parts).digest('base64');
}
