import type { OperationId } from '../../contract/operation.ts';
import type { ErrorClass } from '../../lib/error-classes.ts';
import { type BodyShape, bodyShape, resolveSchema } from './body-shape.ts';
import type {
  Access,
  HttpMethod,
  OpenapiDocument,
  OperationObject,
  Parameter,
  PathItem,
  Ref,
} from './openapi-types.ts';
import type { RequestInput } from './schema-at.ts';

export const BASE_PATH = '/api/v2';
const DEFAULT_BODY_LIMIT = 1024 * 1024;
const METHODS: HttpMethod[] = ['get', 'put', 'post', 'delete', 'patch'];

export interface BodyLimit {
  /** Maximum size of the body after decompression in bytes. */
  bytes: number;
  /** Advice for reducing the size. */
  hint?: string | undefined;
}

export interface Operation {
  id: OperationId;
  method: string;
  /** Path as in the contract: `/orgs/{id}/scans`. */
  template: string;
  access: Access;
  /** Below one organization: the path parameter `id` is its id. */
  in_org: boolean;
  body_limit: BodyLimit;
  /** undefined if the operation has no body. */
  body_shape: BodyShape | undefined;
  /** The body can also be a form. */
  takes_form: boolean;
  path_params: Parameter[];
  /** What the validator checks. */
  input: RequestInput;
  query_params: Parameter[];
  /** Cookies that it reads. */
  cookie_names: string[];
  /** Header names in lower case, each with the error_class of its error. */
  refused_headers: [name: string, error_class: ErrorClass][];
  /** Members of the success body that a replay omits. */
  secret_fields: string[];
  error_form: 'oauth' | 'own';
  /** Its success has an ETag. */
  tagged: boolean;
  /** Can respond with 304. */
  conditional: boolean;
  idempotent: boolean;
  paged: boolean;
  /** Has a query, headers or a body to validate; path ids are checked with the access. */
  has_input: boolean;
}

export type Match =
  | { found: 'operation'; operation: Operation; params: Record<string, string> }
  | { found: 'path'; allow: string }
  | { found: 'nothing' };

export interface Operations {
  all: Operation[];
  /** `path` is the raw path of the request without the query; it is compared exactly, never decoded or normalized. */
  match(method: string, path: string): Match;
}

interface Node {
  literal: Map<string, Node>;
  param: Node | undefined;
  operations: Map<string, Operation>;
}

/** The operations of the contract, and the lookup of the requested one. */
export function compileOperations(api: OpenapiDocument): Operations {
  const root = newNode();
  const all: Operation[] = [];
  for (const [template, item] of Object.entries(api.paths)) {
    const node = grow(root, template);
    for (const method of METHODS) {
      const object = item[method];
      if (object === undefined) continue;
      const operation = compile({ api, template, item, method, object });
      node.operations.set(operation.method, operation);
      all.push(operation);
    }
  }
  return { all, match: (method, path) => match(root, method, path) };
}

function newNode(): Node {
  return { literal: new Map(), param: undefined, operations: new Map() };
}

function grow(root: Node, template: string): Node {
  let node = root;
  for (const segment of template.split('/').slice(1)) {
    let next = segment.startsWith('{') ? node.param : node.literal.get(segment);
    if (next === undefined) {
      next = newNode();
      if (segment.startsWith('{')) node.param = next;
      else node.literal.set(segment, next);
    }
    node = next;
  }
  return node;
}

function match(root: Node, method: string, path: string): Match {
  if (!path.startsWith(`${BASE_PATH}/`)) return { found: 'nothing' };
  const values: string[] = [];
  let node: Node | undefined = root;
  for (const segment of path.slice(BASE_PATH.length + 1).split('/')) {
    const literal: Node | undefined = node.literal.get(segment);
    if (literal === undefined) values.push(segment);
    node = literal ?? (segment === '' ? undefined : node.param);
    if (node === undefined) return { found: 'nothing' };
  }
  if (node.operations.size === 0) return { found: 'nothing' };
  const operation = node.operations.get(method === 'HEAD' ? 'GET' : method);
  if (operation === undefined) return { found: 'path', allow: formatAllow(node) };
  const names = operation.path_params.map(({ name }) => name);
  return { found: 'operation', operation, params: Object.fromEntries(names.map((name, i) => [name, values[i]!])) };
}

function formatAllow({ operations }: Node): string {
  return [...operations.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
}

interface Source {
  api: OpenapiDocument;
  template: string;
  item: PathItem;
  method: HttpMethod;
  object: OperationObject;
}

function compile({ api, template, item, method, object }: Source): Operation {
  const parameters = [...(item.parameters ?? []), ...(object.parameters ?? [])].map((entry) => resolve(api, entry));
  const named = (name: string) => parameters.some((parameter) => parameter.name === name);
  const json = object.requestBody?.content['application/json'];
  return {
    id: object.operationId as OperationId,
    method: method.toUpperCase(),
    template,
    access: object['x-access'],
    in_org: template === '/orgs/{id}' || template.startsWith('/orgs/{id}/'),
    body_limit: { bytes: object['x-body-limit'] ?? DEFAULT_BODY_LIMIT, hint: object['x-body-limit-hint'] },
    body_shape: json && bodyShape(api, json.schema),
    takes_form: object.requestBody?.content['application/x-www-form-urlencoded'] !== undefined,
    path_params: inOrder(template, parameters),
    input: { parameters, body_schema: json?.schema },
    query_params: parameters
      .filter((parameter) => parameter.in === 'query')
      .map((parameter) => ({ ...parameter, schema: resolveSchema(api, parameter.schema) })),
    cookie_names: parameters.filter((parameter) => parameter.in === 'cookie').map(({ name }) => name),
    refused_headers: Object.entries(object['x-refused-headers'] ?? {}).map(([name, e]) => [name.toLowerCase(), e]),
    secret_fields: object['x-secret-fields'] ?? [],
    error_form: object['x-error-form'] ?? 'own',
    tagged: Object.values(object.responses).some((response) =>
      Object.hasOwn(('headers' in response && response.headers) || {}, 'ETag'),
    ),
    conditional: Object.hasOwn(object.responses, '304'),
    idempotent: named('Idempotency-Key'),
    paged: named('limit') && named('offset'),
    has_input: object.requestBody !== undefined || parameters.some((parameter) => parameter.in !== 'path'),
  };
}

function inOrder(template: string, parameters: Parameter[]): Parameter[] {
  const names = [...template.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name);
  return names.map((name) => {
    const parameter = parameters.find((candidate) => candidate.in === 'path' && candidate.name === name);
    if (parameter === undefined) throw new Error(`openapi.yaml: ${template} does not declare {${name}}`);
    return parameter;
  });
}

function resolve(api: OpenapiDocument, entry: Parameter | Ref): Parameter {
  if (!('$ref' in entry)) return entry;
  const found = api.components.parameters[entry.$ref.replace('#/components/parameters/', '')];
  if (found === undefined) throw new Error(`openapi.yaml: ${entry.$ref} is missing`);
  return found;
}
