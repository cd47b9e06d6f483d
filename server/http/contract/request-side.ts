import type { HttpMethod, OpenapiDocument, OperationObject, PathItem, Schema } from './openapi-types.ts';

const METHODS: HttpMethod[] = ['get', 'put', 'post', 'delete', 'patch'];
const SCHEMA_REF = '#/components/schemas/';

/** The contract with every `x-checked-as` applied: only that type, without the schema next to it. */
export function relaxCheckedTypes<T>(node: T): T {
  if (Array.isArray(node)) return node.map(relaxCheckedTypes) as T;
  if (typeof node !== 'object' || node === null) return node;
  const type = (node as Schema)['x-checked-as'];
  if (type !== undefined) return { type, description: (node as Schema).description } as T;
  return Object.fromEntries(Object.entries(node).map(([name, member]) => [name, relaxCheckedTypes(member)])) as T;
}

/**
 * Splits the contract into self-contained parts of a few paths. The validator walks its whole input once for each
 * operation, so the startup time would grow with the square of the contract.
 */
export function splitContract(api: OpenapiDocument, paths_at_once: number): OpenapiDocument[] {
  const paths = Object.entries(api.paths);
  const parts: OpenapiDocument[] = [];
  for (let from = 0; from < paths.length; from += paths_at_once) {
    const few = Object.fromEntries(paths.slice(from, from + paths_at_once));
    const { parameters, headers, responses } = api.components;
    const schemas = collectReachable([few, parameters, headers, responses], api.components.schemas);
    parts.push({ ...api, webhooks: {}, paths: few, components: { ...api.components, schemas } });
  }
  return parts;
}

/** The part of the contract that describes requests to this service, and not the events that it sends. */
export function requestSide(api: OpenapiDocument): OpenapiDocument {
  const paths = Object.fromEntries(Object.entries(api.paths).map(([path, item]) => [path, requestItem(item)]));
  const { parameters, securitySchemes } = api.components;
  const schemas = collectReachable([paths, parameters], api.components.schemas);
  const components = { securitySchemes, parameters, schemas, headers: {}, responses: {} };
  return { ...api, webhooks: {}, paths, components };
}

function requestItem(item: PathItem): PathItem {
  const kept: PathItem = item.parameters === undefined ? {} : { parameters: item.parameters };
  for (const method of METHODS) {
    const operation = item[method];
    if (operation !== undefined) kept[method] = requestOperation(operation);
  }
  return kept;
}

function requestOperation(operation: OperationObject): OperationObject {
  return { ...operation, responses: { default: { description: 'not parsed' } } };
}

/** The schemas that `roots` refer to, directly or indirectly. */
function collectReachable<T>(roots: unknown, schemas: Record<string, T>): Record<string, T> {
  const found: Record<string, T> = {};
  const waiting: unknown[] = [roots];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (typeof node !== 'object' || node === null) continue;
    for (const [key, value] of Object.entries(node)) {
      if (key !== '$ref' || typeof value !== 'string' || !value.startsWith(SCHEMA_REF)) {
        waiting.push(value);
        continue;
      }
      const name = value.slice(SCHEMA_REF.length);
      const schema = schemas[name];
      if (schema === undefined || Object.hasOwn(found, name)) continue;
      found[name] = schema;
      waiting.push(schema);
    }
  }
  return found;
}
