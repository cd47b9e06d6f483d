import { type AwsConnection, awsClientOptions } from '../../aws/client-options.ts';
import type { Throttle } from '../throttle.ts';
import type { CloudCall, CloudTarget } from '../types.ts';
import { openConnection } from './connection.ts';
import { toAwsError } from './faults.ts';
import type { AwsKeyDeps, OpenAwsKeys } from './keys.ts';

/** Options of any SDK client. */
type ClientOptions = ReturnType<typeof awsClientOptions>;

export interface AwsRequest<T> {
  call: CloudCall;
  region: string;
  /** For faults. */
  provider_type?: string | null;
  /** Null if the part has no region; by default the region of the request. */
  part_region?: string | null;
  signal: AbortSignal;
  send: (options: ClientOptions, connection: AwsConnection) => Promise<T>;
  /** Looks at an error before it becomes a fault; may throw another one. */
  inspect?: (error: unknown) => void;
}

/**
 * Sends a request of an SDK with the keys of the account, at the pace of its service and region.
 *
 * @throws CloudError
 */
export type AskAws = <T>(request: AwsRequest<T>) => Promise<T>;

export interface AwsApiDeps extends AwsKeyDeps {
  openKeys: OpenAwsKeys;
  throttle: Throttle;
}

export function createAwsApi(target: CloudTarget, deps: AwsApiDeps): AskAws {
  async function attempt<T>({ call, region, signal, ...request }: AwsRequest<T>): Promise<T> {
    const keys = await deps.openKeys(target, region, signal);
    const { service } = call;
    const connection = openConnection(deps, service, signal);
    try {
      const endpoint = deps.findEndpoint(service, region);
      return await request.send(awsClientOptions(connection, { service, region, endpoint, keys }), connection);
    } catch (error) {
      signal.throwIfAborted();
      request.inspect?.(error);
      const { provider_type, part_region = region } = request;
      throw toAwsError(error, { call, region: part_region, provider_type: provider_type ?? null, now: deps.now() });
    }
  }

  return (request) => deps.throttle.run(request.call.service, request.region, () => attempt(request), request.signal);
}
