import { type RestCall, type RestReply, type RestServer, startRestServer } from '../rest-server.ts';
import { createPages } from './pages.ts';
import { jsonError, restError, stsError, stsResult, xml } from './replies.ts';

export interface FakeResource {
  type: string;
  /** Null for global services. */
  region: string | null;
  identifier: string;
  properties?: Record<string, unknown>;
  /** What a listing must ask for, such as `{"ClusterName":"blue"}`. */
  model?: Record<string, string>;
}

export interface FakeAwsState {
  account: string;
  /** Access key IDs that AWS accepts; AssumeRole adds one. */
  keys: Set<string>;
  /** Key ID and external ID that may assume a role, by its ARN. */
  roles: Map<string, { key_id?: string; external_id?: string; token?: string }>;
  regions: string[];
  /** Regions that the account has turned off. */
  disabled: Set<string>;
  resources: FakeResource[];
  buckets: { name: string; region: string }[];
  indexed_regions: string[];
  /** ARNs with tags, by region; also what Resource Explorer has indexed. */
  tagged: { arn: string; region: string; tags: Record<string, string> }[];
  /** Types that the caller may not list, and the permission that is missing. */
  denied: Map<string, string>;
  /** Types that Cloud Control does not know. */
  unknown: Set<string>;
  page_size: number;
  /** Called before each Cloud Control request; true rejects it. */
  isThrottled: () => boolean;
}

export interface FakeAws extends RestServer {
  state: FakeAwsState;
  expireTokens(): void;
  /** Address of a service, for the adapter. */
  findEndpoint(service: string, region: string): string;
  /** Requests of Cloud Control listings, as type, region, token and model. */
  listed: string[];
}

const TARGET = /^(?:CloudApiService|ResourceGroupsTaggingAPI_20170126)\.(\w+)$/;
const CREDENTIAL = /Credential=(\w+)\/\d{8}\/([\w-]+)\//;

/** AWS with STS, Account, S3, Cloud Control, Resource Explorer and the Tagging API, one path for each service and region. */
export async function startFakeAws(): Promise<FakeAws> {
  const state = createState();
  const pages = createPages(() => state.page_size);
  const listed: string[] = [];
  const server = await startRestServer((call) => {
    const [, service = '', region = ''] = call.path.split('/');
    const operation = readOperation(call);
    return { name: `${service} ${operation}`, answer: () => answer(call, { service, region, operation }) };
  });

  function answer(call: RestCall, { service, region, operation }: Place): RestReply {
    const refused = authenticate(call, { service, region, operation });
    if (refused !== undefined) return refused;
    switch (`${service} ${operation}`) {
      case 'sts GetCallerIdentity':
        return describeCaller();
      case 'sts AssumeRole':
      case 'sts AssumeRoleWithWebIdentity':
        return assumeRole(call, operation);
      case 'account ListRegions':
        return { status: 200, body: { Regions: listRegions() } };
      case 's3 ListBuckets':
        return listBuckets(call);
      case 'cloudcontrolapi ListResources':
        return listResources(call, region);
      case 'cloudcontrolapi GetResource':
        return getResource(call, region);
      case 'resource-explorer-2 ListIndexes':
        return { status: 200, body: { Indexes: state.indexed_regions.map((one) => ({ Region: one, Type: 'LOCAL' })) } };
      case 'resource-explorer-2 ListResources':
        return listIndexed(call, region);
      case 'tagging GetResources':
        return listTagged(call, region);
      default:
        return jsonError(400, 'UnknownOperationException', '');
    }
  }

  function authenticate(call: RestCall, { service, region, operation }: Place): RestReply | undefined {
    const [, key_id, signed_region] = CREDENTIAL.exec(call.headers.authorization ?? '') ?? [];
    if (operation === 'AssumeRoleWithWebIdentity') {
      return key_id === undefined ? undefined : stsError(400, 'ValidationError', 'this call is not signed');
    }
    if (state.keys.has(key_id ?? '') && !state.disabled.has(region) && signed_region === region) return undefined;
    const message = 'The security token included in the request is invalid.';
    return service === 'sts'
      ? stsError(403, 'InvalidClientTokenId', message)
      : jsonError(400, 'UnrecognizedClientException', message);
  }

  function describeCaller(): RestReply {
    const arn = `arn:aws:iam::${state.account}:user/scanner`;
    return stsResult(
      'GetCallerIdentity',
      `<Arn>${arn}</Arn><UserId>AIDAEXAMPLE</UserId><Account>${state.account}</Account>`,
    );
  }

  function assumeRole({ body, headers }: RestCall, operation: string): RestReply {
    const role = state.roles.get(String(body.RoleArn));
    const [, key_id] = CREDENTIAL.exec(headers.authorization ?? '') ?? [];
    const fits =
      role?.external_id === body.ExternalId && role?.key_id === key_id && role?.token === body.WebIdentityToken;
    if (!fits)
      return stsError(
        403,
        'AccessDenied',
        `User: arn:aws:iam::${state.account}:user/x is not authorized to perform: sts:${operation}`,
      );
    const issued = `ASIA${String(state.keys.size).padStart(16, '0')}`;
    state.keys.add(issued);
    const expires = new Date(Date.now() + Number(body.DurationSeconds) * 1_000).toISOString();
    return stsResult(
      operation,
      `<Credentials><AccessKeyId>${issued}</AccessKeyId><SecretAccessKey>secret-canary</SecretAccessKey><SessionToken>session-canary</SessionToken><Expiration>${expires}</Expiration></Credentials>`,
    );
  }

  function listRegions() {
    const enabled = state.regions.filter((region) => !state.disabled.has(region));
    return enabled.map((RegionName) => ({ RegionName, RegionOptStatus: 'ENABLED_BY_DEFAULT' }));
  }

  function listBuckets({ query }: RestCall): RestReply {
    const page = pages.cut('buckets', state.buckets, query.get('continuation-token') ?? undefined);
    if (page === undefined)
      return xml(
        400,
        '<Error><Code>InvalidArgument</Code><Message>The continuation token provided is incorrect</Message></Error>',
      );
    const buckets = page.items.map(
      ({ name, region }) =>
        `<Bucket><Name>${name}</Name><CreationDate>2024-01-02T03:04:05.000Z</CreationDate><BucketRegion>${region}</BucketRegion></Bucket>`,
    );
    const next = page.next === undefined ? '' : `<ContinuationToken>${page.next}</ContinuationToken>`;
    return xml(
      200,
      `<?xml version="1.0" encoding="UTF-8"?><ListAllMyBucketsResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Owner><ID>abc</ID></Owner><Buckets>${buckets.join('')}</Buckets>${next}</ListAllMyBucketsResult>`,
    );
  }

  function findProblem(type: string, operation: string): RestReply | undefined {
    if (state.isThrottled()) return jsonError(400, 'ThrottlingException', 'Rate exceeded');
    if (state.unknown.has(type))
      return jsonError(400, 'TypeNotFoundException', `Resource type ${type} cannot be found`);
    const permission = state.denied.get(type) ?? state.denied.get(operation);
    if (permission === undefined) return undefined;
    const message = `${type} Handler returned status FAILED: User: arn:aws:iam::${state.account}:user/canary is not authorized to perform: ${permission} because no identity-based policy allows it (Service: Canary, Status Code: 403, Request ID: x) (HandlerErrorCode: AccessDenied, RequestToken: y)`;
    return jsonError(400, 'AccessDeniedException', message);
  }

  function listResources({ body }: RestCall, region: string): RestReply {
    const { TypeName: type, NextToken: token, ResourceModel: model } = body as Record<string, string | undefined>;
    listed.push([type, region, token ?? '', model ?? ''].join(' ').trim());
    const problem = findProblem(String(type), 'ListResources');
    if (problem !== undefined) return problem;
    const found = state.resources.filter((one) => one.type === type && (one.region ?? region) === region);
    const needed = found.find((one) => one.model !== undefined)?.model;
    if (needed !== undefined && model === undefined) return missingModel(String(type), needed);
    const within = found.filter((one) => one.model === undefined || JSON.stringify(one.model) === model);
    const page = pages.cut(`${type} ${region} ${model}`, within, token);
    if (page === undefined)
      return jsonError(400, 'InvalidRequestException', 'Invalid NextToken: the token has expired');
    return {
      status: 200,
      body: { TypeName: type, ResourceDescriptions: page.items.map(describeResource), NextToken: page.next },
    };
  }

  function missingModel(type: string, needed: Record<string, string>): RestReply {
    const message = `Missing or invalid ResourceModel property in ${type} list handler request input.Required property: (#: required key [${Object.keys(needed)}] not found)`;
    return jsonError(400, 'InvalidRequestException', message);
  }

  function getResource({ body }: RestCall, region: string): RestReply {
    const problem = findProblem(String(body.TypeName), 'GetResource');
    if (problem !== undefined) return problem;
    const found = state.resources.find(
      ({ type, identifier, ...one }) =>
        type === body.TypeName && identifier === body.Identifier && (one.region ?? region) === region,
    );
    if (found === undefined)
      return jsonError(
        400,
        'ResourceNotFoundException',
        `Resource of type '${body.TypeName}' with identifier '${body.Identifier}' was not found.`,
      );
    return { status: 200, body: { TypeName: found.type, ResourceDescription: describeResource(found) } };
  }

  function listIndexed({ body }: RestCall, region: string): RestReply {
    const found = state.tagged.filter((one) => one.region === region);
    const page = pages.cut(`index ${region}`, found, body.NextToken as string | undefined);
    if (page === undefined) return restError(400, 'ValidationException', 'The next token is not valid');
    const resources = page.items.map(({ arn }) => ({
      Arn: arn,
      Region: region,
      OwningAccountId: state.account,
      ResourceType: 'x:y',
    }));
    return {
      status: 200,
      body: { Resources: resources, NextToken: page.next, ViewArn: 'arn:aws:resource-explorer-2:x' },
    };
  }

  function listTagged({ body }: RestCall, region: string): RestReply {
    const found = state.tagged.filter((one) => one.region === region);
    const page = pages.cut(`tags ${region}`, found, body.PaginationToken as string | undefined);
    if (page === undefined) return jsonError(400, 'PaginationTokenExpiredException', 'expired');
    const mappings = page.items.map(({ arn, tags }) => ({
      ResourceARN: arn,
      Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
    }));
    return { status: 200, body: { ResourceTagMappingList: mappings, PaginationToken: page.next ?? '' } };
  }

  return Object.assign(server, {
    state,
    listed,
    expireTokens: pages.expire,
    findEndpoint: (service: string, region: string) => `${server.url}/${service}/${region}`,
  });
}

interface Place {
  service: string;
  region: string;
  operation: string;
}

function readOperation({ path, headers, body }: RestCall): string {
  const [, , , rest = ''] = path.split('/');
  const target = TARGET.exec(String(headers['x-amz-target'] ?? ''))?.[1];
  if (target !== undefined) return target;
  if (path.startsWith('/s3/')) return 'ListBuckets';
  return rest === '' ? String(body.Action) : `${rest[0]?.toUpperCase()}${rest.slice(1)}`;
}

function describeResource({ identifier, properties }: FakeResource) {
  return { Identifier: identifier, ...(properties === undefined ? {} : { Properties: JSON.stringify(properties) }) };
}

function createState(): FakeAwsState {
  return {
    account: '123456789012',
    keys: new Set(['AKIACUSTOMER00000001', 'AKIASERVICE000000001']),
    roles: new Map(),
    regions: ['us-east-1', 'eu-west-1'],
    disabled: new Set(),
    resources: [],
    buckets: [],
    indexed_regions: [],
    tagged: [],
    denied: new Map(),
    unknown: new Set(),
    page_size: 20,
    isThrottled: () => false,
  };
}
