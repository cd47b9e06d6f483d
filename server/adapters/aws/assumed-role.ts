import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type AwsConnection, type AwsKeys, awsClientOptions } from './client-options.ts';
import { isFresh, ROLE_LIFETIME_S, readSessionKeys, type SessionKeys } from './session-keys.ts';

export interface RoleRequest {
  region: string;
  role_arn: string;
  keys: AwsKeys;
  endpoint: string | undefined;
  /** The secret that the trust policy of the role demands, against confused deputies. */
  external_id?: string;
}

/** Keys of assumed roles, each cached until a minute before it expires. */
export type AssumeRole = (connection: AwsConnection, request: RoleRequest) => Promise<AwsKeys>;

export function createAssumeRole({ now }: { now: () => Date }): AssumeRole {
  const cached = new LRUCache<string, SessionKeys>({ max: 1_000 });

  return async (connection, request) => {
    const name = toCacheKey(request);
    const known = cached.get(name);
    if (known !== undefined && isFresh(known, now())) return known.keys;
    const { keys, ends_at } = await assume(connection, request);
    cached.set(name, { keys, ends_at: Math.min(ends_at, now().getTime() + ROLE_LIFETIME_S * 1_000) });
    return keys;
  };
}

async function assume(connection: AwsConnection, { region, role_arn, keys, endpoint, external_id }: RoleRequest) {
  const { AssumeRoleCommand, STSClient } = await import('@aws-sdk/client-sts');
  const client = new STSClient(awsClientOptions(connection, { service: 'sts', region, endpoint, keys }));
  const { Credentials } = await client.send(
    new AssumeRoleCommand({
      RoleArn: role_arn,
      RoleSessionName: 'dpa',
      DurationSeconds: ROLE_LIFETIME_S,
      ...(external_id === undefined ? {} : { ExternalId: external_id }),
    }),
    { abortSignal: connection.signal },
  );
  return readSessionKeys(Credentials);
}

/** A changed key or role has another cache entry. */
function toCacheKey({ region, role_arn, keys, external_id }: RoleRequest): string {
  const parts = JSON.stringify([region, role_arn, external_id, keys.accessKeyId, keys.secretAccessKey]);
  return createHash('sha256').update(parts).digest('base64');
}
