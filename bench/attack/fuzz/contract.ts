import type {
  Access,
  Header,
  HttpMethod,
  OpenapiDocument,
  Parameter,
  Ref,
  Response,
  Schema,
} from '../../../server/http/contract/openapi-types.ts';
import { loadDocument } from '../../../server/http/index.ts';

export type { Schema } from '../../../server/http/contract/openapi-types.ts';

const METHODS: HttpMethod[] = ['get', 'put', 'post', 'delete', 'patch'];

export interface DeclaredResponse {
  /** Names as spelled in the contract. */
  headers: { name: string; header: Header }[];
  /** By content type. */
  content: Record<string, { schema: Schema }>;
}

export interface FuzzOperation {
  id: string;
  method: string;
  /** `/orgs/{id}/scans` */
  template: string;
  access: Access;
  in_org: boolean;
  /** Names of the path parameters after the organization. */
  path_params: string[];
  query_params: Parameter[];
  header_params: Parameter[];
  body: { schema: Schema; examples: unknown[]; takes_form: boolean } | null;
  responses: Map<number, DeclaredResponse>;
  is_paged: boolean;
  error_form: 'oauth' | 'own';
}

export interface Contract {
  api: OpenapiDocument;
  operations: FuzzOperation[];
  resolve(schema: Schema): Schema;
}

/** Every operation of openapi.yaml, with the parts that the generator and the judge need. */
export function readContract(): Contract {
  const { api } = loadDocument();
  const operations = Object.entries(api.paths).flatMap(([template, item]) =>
    METHODS.flatMap((method) => (item[method] === undefined ? [] : [readOperation(api, template, method)])),
  );
  const resolve = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : resolve(follow<Schema>(api, schema.$ref));
  return { api, operations, resolve };
}

function readOperation(api: OpenapiDocument, template: string, method: HttpMethod): FuzzOperation {
  const item = api.paths[template] ?? {};
  const object = item[method];
  if (object === undefined) throw new Error(`${method} ${template} is missing`);
  const parameters = [...(item.parameters ?? []), ...(object.parameters ?? [])].map((one) =>
    deref<Parameter>(api, one),
  );
  const located = (where: Parameter['in']) => parameters.filter((one) => one.in === where);
  const in_org = template.startsWith('/orgs/{id}');
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  const media = object.requestBody?.content ?? {};
  const json = media['application/json'];
  return {
    id: object.operationId,
    method: method.toUpperCase(),
    template,
    access: object['x-access'],
    in_org,
    path_params: in_org ? names.slice(1) : names,
    query_params: located('query'),
    header_params: located('header'),
    body:
      json === undefined
        ? null
        : {
            schema: json.schema,
            examples: [json.example, ...Object.values(json.examples ?? {}).map(({ value }) => value)].filter(Boolean),
            takes_form: media['application/x-www-form-urlencoded'] !== undefined,
          },
    responses: new Map(
      Object.entries(object.responses).map(([status, one]) => [Number(status), readResponse(api, one)]),
    ),
    is_paged: parameters.some(({ name }) => name === 'offset'),
    error_form: object['x-error-form'] ?? 'own',
  };
}

function readResponse(api: OpenapiDocument, entry: Response | Ref): DeclaredResponse {
  const { headers = {}, content = {} } = deref<Response>(api, entry);
  return {
    headers: Object.entries(headers).map(([name, header]) => ({ name, header: deref<Header>(api, header) })),
    content,
  };
}

function deref<T extends object>(api: OpenapiDocument, entry: T | Ref): T {
  return '$ref' in entry && typeof entry.$ref === 'string' ? deref<T>(api, follow<T>(api, entry.$ref)) : (entry as T);
}

/** Resolves a reference such as `#/components/schemas/Id`. */
function follow<T>(api: OpenapiDocument, ref: string): T {
  let found: unknown = api;
  for (const part of ref.split('/').slice(1)) found = (found as Record<string, unknown>)[part];
  if (found === undefined) throw new Error(`openapi.yaml: ${ref} is missing`);
  return found as T;
}
