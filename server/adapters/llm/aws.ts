import { Readable } from 'node:stream';
import type { Transport } from './provider.ts';

export interface AwsKeys {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

/**
 * Configures an AWS SDK client so that it reads no environment, no files and no instance role. Requests are sent over
 * `line`.
 */
export function awsClientOptions(transport: Transport, { service, region, endpoint, keys }: AwsTarget) {
  return {
    region,
    endpoint:
      endpoint ?? `https://${service}.${region}.${region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'}`,
    credentials: keys,
    authSchemePreference: ['sigv4'],
    maxAttempts: 1,
    retryMode: 'standard',
    defaultsMode: 'standard' as const,
    useFipsEndpoint: false,
    useDualstackEndpoint: false,
    userAgentAppId: 'dpa',
    requestHandler: createRequestHandler(transport),
  };
}

export interface AwsTarget {
  service: 'bedrock-runtime' | 'sts';
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

function createRequestHandler(transport: Transport) {
  return {
    metadata: { handlerProtocol: 'http/1.1' },
    async handle(request: SignedRequest) {
      const { method, headers, body } = request;
      const response = await transport.fetch(buildUrl(request), { method, headers, body: body as string });
      const answer = { statusCode: response.status, headers: { 'content-type': response.headers.get('content-type') } };
      const bytes = Buffer.from(await response.arrayBuffer());
      return { response: { ...answer, body: Readable.from([bytes], { objectMode: false }) } };
    },
    updateHttpClientConfig() {},
    httpHandlerConfigs: () => ({}),
    destroy() {},
  };
}

function buildUrl({ protocol, hostname, port, path, query = {} }: SignedRequest): string {
  const host = port === undefined ? hostname : `${hostname}:${port}`;
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => [value ?? ''].flat().map((one): [string, string] => [name, one])),
  ).toString();
  return `${protocol}//${host}${path}${search === '' ? '' : `?${search}`}`;
}
