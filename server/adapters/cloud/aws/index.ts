import type { AwsKeys } from '../../aws/client-options.ts';
import { createThrottle, type ThrottleDeps } from '../throttle.ts';
import type { CloudAdapter, SignToken } from '../types.ts';
import { CALLS } from './calls.ts';
import type { ConnectionOptions } from './connection.ts';
import { type AwsKeyDeps, createAwsKeys, type OpenAwsKeys } from './keys.ts';
import { openAwsSession } from './session.ts';

export type { AwsAccess, OpenAwsKeys } from './keys.ts';
export { buildAwsPolicy, type IamPolicy } from './policy.ts';

export interface AwsDeps extends ConnectionOptions {
  signToken: SignToken;
  /** Keys of the service itself, which assume the roles of customers; null if it has none. */
  own_keys: AwsKeys | null;
  /** Replaces the address of a service, for tests and private endpoints. */
  findEndpoint?: (service: string, region: string) => string | undefined;
  now?: () => Date;
  throttle?: ThrottleDeps;
}

/** Reads AWS accounts through Cloud Control and, for what it does not list, S3, Resource Explorer and the Tagging API. */
export function createAwsAdapter(deps: AwsDeps): CloudAdapter {
  const parts = connect(deps);
  const openKeys = createAwsKeys(parts);
  return {
    provider: 'aws',
    calls: Object.values(CALLS),
    // A throttle for each session: AWS limits each account on its own.
    open: (target) => openAwsSession(target, { ...parts, openKeys, throttle: createThrottle(deps.throttle) }),
  };
}

/** Issues keys of AWS accounts for other adapters, such as the one that reads states from buckets. */
export function createAwsKeySource(deps: AwsDeps): OpenAwsKeys {
  return createAwsKeys(connect(deps));
}

function connect({ now = () => new Date(), findEndpoint = () => undefined, ...deps }: AwsDeps): AwsKeyDeps {
  return { ...deps, now, findEndpoint };
}
