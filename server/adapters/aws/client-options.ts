import { Readable } from 'node:stream';

export interface AwsKeys {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

/** How the requests of an SDK are sent. The caller of `fetch` limits time and size. */
export interface AwsConnection {
  fetch: typeof fetch;
  signal: AbortSignal;
}

/**
 * Configures an AWS SDK client so that it reads no environment, no files and no instance role, and does not retry.
 *
 * @throws Error if the region cannot be part of a host name
 */
export function awsClientOptions(connection: AwsConnection, { service, region, endpoint, keys }: AwsTarget) {
  return {
    region,
    endpoint: endpoint ?? buildEndpoint(service, region),
    credentials: keys,
    authSchemePreference: ['sigv4'],
    maxAttempts: 1,
    retryMode: 'standard',
    defaultsMode: 'standard' as const,
    useFipsEndpoint: false,
    useDualstackEndpoint: false,
    userAgentAppId: 'dpa',
    requestHandler: createRequestHandler(connection),
  };
}

/** Customers enter regions, so nothing else may get into the host name. */
export const REGION = /^[a-z]{2}(?:-[a-z]{1,16}){1,3}-\d$/;

function buildEndpoint(service: string, region: string): string {
  if (!REGION.test(region)) throw new Error('not the name of an AWS region');
  return `https://${service}.${region}.${region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'}`;
}

export interface AwsTarget {
  /** First part of the host name, such as `sts`. */
  service: string;
  region: string;
  endpoint: string | undefined;
  keys: AwsKeys;
}

/** A signed request from the SDK. */
interface SignedRequest {
  method: string;
  protocol: string;
  hostname: string;
  port?: number;
  path: string;
  query?: Record<string, string | string[] | null>;
  headers: Record<string, string>;
  body?: unknown;
}

function createRequestHandler(connection: AwsConnection) {
  return {
    metadata: { handlerProtocol: 'http/1.1' },
    async handle(request: SignedRequest) {
      const { method, headers, body } = request;
      const response = await connection.fetch(buildUrl(request), { method, headers, body: body as string });
      const answer = { statusCode: response.status, headers: Object.fromEntries(response.headers) };
      return { response: { ...answer, body: toNodeBody(response) } };
    },
    updateHttpClientConfig() {},
    httpHandlerConfigs: () => ({}),
    destroy() {},
  };
}

/** Starts with the first read, so that an error before it does not end the process. */
function toNodeBody({ body }: Response): Readable {
  return Readable.from(body ?? [], { objectMode: false });
}

function buildUrl({ protocol, hostname, port, path, query = {} }: SignedRequest): string {
  const host = port === undefined ? hostname : `${hostname}:${port}`;
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => [value ?? ''].flat().map((one): [string, string] => [name, one])),
  )
    .toString()
    // The signature is that of %20.
    .replaceAll('+', '%20');
  return `${protocol}//${host}${path}${search === '' ? '' : `?${search}`}`;
}
