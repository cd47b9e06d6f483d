import { LRUCache } from 'lru-cache';
import { createAssumeRole } from '../../aws/assumed-role.ts';
import { type AwsConnection, type AwsKeys, awsClientOptions } from '../../aws/client-options.ts';
import { isFresh, ROLE_LIFETIME_S, readSessionKeys, type SessionKeys } from '../../aws/session-keys.ts';
import { createCloudError } from '../rest/fault.ts';
import { type CloudCredentials, CloudError, type SignToken } from '../types.ts';
import { CALLS } from './calls.ts';
import { type ConnectionOptions, openConnection } from './connection.ts';
import { findGlobalRegion, findPartition } from './default-regions.ts';
import { toAwsError } from './faults.ts';

const AUDIENCE = 'sts.amazonaws.com';

/** Whose keys are needed. */
export interface AwsAccess {
  credentials: CloudCredentials;
  /** Subject of the token that the service signs for `aws_web_identity`. */
  token_subject: string;
}

/**
 * Keys for requests in the account of a customer.
 *
 * @param region decides only about the partition, because keys of a partition work in all its regions
 * @throws CloudError `credential_error` if AWS issues none
 */
export type OpenAwsKeys = (access: AwsAccess, region: string, signal: AbortSignal) => Promise<AwsKeys>;

export interface AwsKeyDeps extends ConnectionOptions {
  signToken: SignToken;
  /** Keys of the service itself, which assume the roles of customers; null if it has none. */
  own_keys: AwsKeys | null;
  /** Replaces the address of a service, for tests and private endpoints. */
  findEndpoint: (service: string, region: string) => string | undefined;
  now: () => Date;
}

/** Resolves credentials of customers to keys, and caches issued keys until a minute before they expire. */
export function createAwsKeys(deps: AwsKeyDeps): OpenAwsKeys {
  const assumeRole = createAssumeRole(deps);
  const assumeByToken = createTokenRole(deps);

  return async ({ credentials, token_subject }, region, signal) => {
    const sts_region = findGlobalRegion(findPartition(region));
    const connection = openConnection(deps, 'sts', signal);
    const target = { region: sts_region, endpoint: deps.findEndpoint('sts', sts_region) };
    switch (credentials.credential_type) {
      case 'aws_access_key':
        return readStoredKeys(credentials);
      case 'aws_role': {
        const { role_arn, external_id } = credentials;
        const keys = deps.own_keys ?? failWithoutKeys();
        return issue('assume_role', deps, () => assumeRole(connection, { ...target, role_arn, external_id, keys }));
      }
      case 'aws_web_identity': {
        const { role_arn } = credentials;
        const request = { ...target, role_arn, subject: token_subject };
        return issue('assume_role_with_web_identity', deps, () => assumeByToken(connection, request));
      }
      default:
        throw createCloudError({
          code: 'credential_error',
          message: 'This is not a credential of AWS.',
          service: 'sts',
        });
    }
  };
}

function readStoredKeys(given: Extract<CloudCredentials, { credential_type: 'aws_access_key' }>): AwsKeys {
  const { access_key_id: accessKeyId, secret_access_key: secretAccessKey, session_token: sessionToken } = given;
  return { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) };
}

function failWithoutKeys(): never {
  const message =
    'This service has no AWS keys of its own, so it cannot assume roles. Connect the account with a web identity or an access key.';
  throw createCloudError({ code: 'credential_error', message, service: 'sts' });
}

/** Whatever STS refuses, it is the credential that has to change. */
async function issue(
  call: 'assume_role' | 'assume_role_with_web_identity',
  { now }: AwsKeyDeps,
  attempt: () => Promise<AwsKeys>,
): Promise<AwsKeys> {
  try {
    return await attempt();
  } catch (error) {
    const failure = toAwsError(error, { call: CALLS[call], region: null, now: now() });
    if (failure.fault.code !== 'access_denied') throw failure;
    const message = `AWS does not let this service assume the role. Compare the trust policy of the role with the setup page: ${
      call === 'assume_role' ? 'principal and external ID' : 'identity provider, audience and subject'
    } must be the same.`;
    throw new CloudError({ ...failure.fault, code: 'credential_error', message, permission: null }, { cause: error });
  }
}

interface TokenRoleRequest {
  region: string;
  endpoint: string | undefined;
  role_arn: string;
  subject: string;
}

function createTokenRole({ signToken, now }: AwsKeyDeps) {
  const cached = new LRUCache<string, SessionKeys>({ max: 1_000 });

  return async (connection: AwsConnection, request: TokenRoleRequest): Promise<AwsKeys> => {
    const name = JSON.stringify([request.region, request.role_arn, request.subject]);
    const known = cached.get(name);
    if (known !== undefined && isFresh(known, now())) return known.keys;
    const token = await signToken({ subject: request.subject, audience: AUDIENCE });
    const issued = await assumeWithToken(connection, request, token);
    cached.set(name, issued);
    return issued.keys;
  };
}

async function assumeWithToken(
  connection: AwsConnection,
  request: TokenRoleRequest,
  token: string,
): Promise<SessionKeys> {
  const { AssumeRoleWithWebIdentityCommand, STSClient } = await import('@aws-sdk/client-sts');
  const { region, endpoint, role_arn } = request;
  // STS does not check a signature on this call; keys are given only so that the SDK looks for none.
  const keys = { accessKeyId: 'none', secretAccessKey: 'none' };
  const client = new STSClient(awsClientOptions(connection, { service: 'sts', region, endpoint, keys }));
  const command = new AssumeRoleWithWebIdentityCommand({
    RoleArn: role_arn,
    RoleSessionName: 'dpa',
    WebIdentityToken: token,
    DurationSeconds: ROLE_LIFETIME_S,
  });
  return readSessionKeys((await client.send(command, { abortSignal: connection.signal })).Credentials);
}
