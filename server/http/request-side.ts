import type { HttpMethod, OpenapiDocument, OperationObject, PathItem, Schema } from './openapi-types.ts';

const METHODS: HttpMethod[] = ['get', 'put', 'post', 'delete', 'patch'];
const SCHEMA_REF = '#/components/schemas/';

/** The contract with every `x-checked-as` taken at its word: that type, and nothing of what is described beside it. */
export function relaxed<T>(node: T): T {
  if (Array.isArray(node)) return node.map(relaxed) as T;
  if (typeof node !== 'object' || node === null) return node;
  const type = (node as Schema)['x-checked-as'];
  if (type !== undefined) return { type, description: (node as Schema).description } as T;
  return Object.fromEntries(Object.entries(node).map(([name, member]) => [name, relaxed(member)])) as T;
}

/**
 * The part of the contract that says how requests look. The validator walks all that it is given once for each
 * operation: with the answers and their schemas in it, the start of the service grew with the square of the contract.
 */
export function requestSide(api: OpenapiDocument): OpenapiDocument {
  const paths = Object.fromEntries(Object.entries(api.paths).map(([path, item]) => [path, requestItem(item)]));
  const { parameters, securitySchemes } = api.components;
  const schemas = reachable([paths, parameters], api.components.schemas);
  return { ...api, paths, components: { securitySchemes, parameters, schemas, headers: {}, responses: {} } };
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
  return { ...operation, responses: { default: { description: 'not looked at' } } };
}

/** Those of the schemas to which `roots` refer, directly or by way of others. */
function reachable<T>(roots: unknown, schemas: Record<string, T>): Record<string, T> {
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
