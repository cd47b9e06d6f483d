import { loadDocument } from '../../server/http/index.ts';

type Role = 'viewer' | 'member' | 'admin' | 'owner';

export interface Access {
  credential: 'oidc' | 'any' | 'none';
  platform_admin?: 'required' | 'also';
  role?: Role;
  scope?: string;
  key?: 'exempt';
  self?: boolean;
  audit?: string[];
}

export interface Operation {
  id: string;
  method: string;
  /** As in the contract: `/orgs/{id}/scans`. */
  path: string;
  access: Access;
  in_org: boolean;
  /** Path parameters other than the organization. */
  ids: string[];
  /** Query parameters and body fields that contain ids. */
  id_slots: { query: string[]; body: string[] };
  /** The fields of the body in the contract; null if there is no body. */
  body_members: string[] | null;
  /** Accepts an `Idempotency-Key`. */
  takes_key: boolean;
  /** Fields of the success body that are shown only once. */
  secret_fields: string[];
}

interface Schema {
  $ref?: string;
  enum?: string[];
  format?: string;
  properties?: Record<string, Schema>;
  /** Forms that one field selects. */
  oneOf?: Schema[];
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const { api } = loadDocument();

/** Every operation of the contract; new ones are included in every table built from it. */
export const OPERATIONS: Operation[] = Object.entries(api.paths).flatMap(([path, item]) =>
  METHODS.flatMap((method) => {
    const object = item[method];
    if (object === undefined) return [];
    const in_org = path.startsWith('/orgs/{id}');
    const parameters = [...(item.parameters ?? []), ...(object.parameters ?? [])];
    const words = listWords(parameters);
    const names = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']) => (words.includes(name) ? [] : [name]));
    const body = object.requestBody?.content['application/json']?.schema as Schema | undefined;
    return {
      id: object.operationId,
      method: method.toUpperCase(),
      path,
      access: object['x-access'] as Access,
      in_org,
      ids: in_org ? names.slice(1) : names,
      id_slots: { query: queryIds(parameters), body: bodyIds(body) },
      body_members: body === undefined ? null : listMembers(body),
      takes_key: parameters.some((entry) => '$ref' in entry && entry.$ref.endsWith('/IdempotencyKey')),
      secret_fields: object['x-secret-fields'] ?? [],
    };
  }),
);

/** Path parameters that are one of some words, and not the ID of a record. */
function listWords(parameters: readonly object[]): string[] {
  return parameters.flatMap((entry) => {
    const { in: where, name, schema } = resolve(entry, 'parameters') as { in: string; name: string; schema: Schema };
    return where === 'path' && resolveSchema(schema).enum !== undefined ? [name] : [];
  });
}

function queryIds(parameters: readonly object[]): string[] {
  return parameters.flatMap((entry) => {
    const { in: where, name, schema } = resolve(entry, 'parameters') as { in: string; name: string; schema: Schema };
    return where === 'query' && resolveSchema(schema).format === 'uuid' ? [name] : [];
  });
}

function listMembers(schema: Schema): string[] {
  const { properties = {}, oneOf = [] } = resolveSchema(schema);
  return [...new Set([...Object.keys(properties), ...oneOf.flatMap(listMembers)])];
}

function bodyIds(schema: Schema | undefined): string[] {
  const { properties = {} } = resolveSchema(schema ?? {});
  return Object.entries(properties).flatMap(([name, one]) => (resolveSchema(one).format === 'uuid' ? [name] : []));
}

function resolveSchema(schema: Schema): Schema {
  return resolve(schema, 'schemas') as Schema;
}

function resolve(entry: object, kind: 'parameters' | 'schemas'): unknown {
  if (!('$ref' in entry)) return entry;
  const name = String(entry.$ref).split('/').at(-1) ?? '';
  return api.components[kind][name];
}
