/** Rules that hold for the whole of `openapi.yaml`, beyond what the linter knows. */
import { describe, expect, test } from '@jest/globals';
import type { Header, OperationObject, Parameter, Response, Schema } from '../../server/http/openapi-types.ts';
import { compileOperations } from '../../server/http/operations.ts';
import { ROLES } from '../../server/lib/principal.ts';
import { document } from '../http/harness.ts';

const { api } = document;

/** Every schema with the place where it stands; references are followed at their own place only. */
const schemas = collectSchemas();
const operations = Object.entries(api.paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([method]) => method !== 'parameters')
    .map(([method, object]) => ({
      name: `${method.toUpperCase()} ${path}`,
      path,
      method,
      operation: object as OperationObject,
      parameters: [...(item.parameters ?? []), ...((object as OperationObject).parameters ?? [])].map(resolveParameter),
    })),
);

describe.each(schemas)('$at', ({ schema }) => {
  test('is described, and bounded', () => {
    if (schema.$ref !== undefined) return;
    expect(schema.description).toMatch(/\S/);
    if (types(schema).includes('array')) expect(schema.maxItems).toBeGreaterThan(0);
    if (types(schema).includes('array')) expect(schema.items).toBeDefined();
  });
});

test('every integer has a maximum, except limit, which is clamped', () => {
  const unbounded = schemas.filter(({ schema }) => types(schema).includes('integer') && schema.maximum === undefined);
  const limits = Object.entries(api.components.parameters).filter(([, { 'x-clamp': clamp }]) => clamp !== undefined);

  expect(unbounded.map(({ at }) => at).sort()).toEqual(limits.map(([name]) => `parameters.${name}`).sort());
  expect(limits.every(([, { name }]) => name === 'limit')).toBe(true);
});

test('every object in a request body is closed, and every text in it is bounded but the plan', () => {
  const bodies = operations.flatMap(({ operation }) => operation.requestBody?.content['application/json'] ?? []);
  const reached = bodies.flatMap(({ schema }) => reach(schema));

  const objects = reached.filter((schema) => types(schema).includes('object'));
  expect(objects.length).toBeGreaterThan(0);
  expect(objects.every(({ additionalProperties }) => additionalProperties === false)).toBe(true);
  const texts = reached.filter(
    (schema) => types(schema).includes('string') && !schema.enum && schema.maxLength === undefined,
  );
  expect(texts.map((schema) => schema['x-verbatim'])).toEqual([true]);
});

test('what a schema requires it also declares', () => {
  for (const { at, schema } of schemas) {
    const { required = [], properties = {} } = schema as Schema & { required?: string[] };
    expect([at, required.filter((name) => !Object.hasOwn(properties, name))]).toEqual([at, []]);
  }
});

describe.each(operations)('$name', ({ path, method, operation, parameters }) => {
  const { responses, 'x-access': access } = operation;
  const takes_body = operation.requestBody !== undefined;
  const statuses = Object.keys(responses);

  test('says who may call it', () => {
    const known = ['credential', 'role', 'scope', 'rate_limit'];
    expect(Object.keys(access).filter((name) => !known.includes(name))).toEqual([]);
    expect(['oidc', 'any', 'none']).toContain(access.credential);
    expect(access.role === undefined || ROLES.includes(access.role)).toBe(true);
    expect(path.startsWith('/orgs/{id}')).toBe(access.role !== undefined);
  });

  test('is named by a verb and a noun, and summed up', () => {
    expect(operation.operationId).toMatch(/^(get|list|create|analyze)[A-Z]\w+$/);
    expect(operation.summary).toMatch(/^[A-Z].*[^.]$/);
  });

  test('declares every error that it can answer', () => {
    const expected = [
      '429',
      '500',
      '503',
      ...(access.credential === 'none' ? [] : ['400', '401', '403']),
      ...(path.includes('{') ? ['404'] : []),
      ...(takes_body ? ['413', '415'] : []),
      ...(parameters.some(({ name }) => name === 'Idempotency-Key') ? ['409', '422'] : []),
      ...(parameters.some(({ name }) => name === 'If-None-Match') ? ['304'] : []),
    ];
    expect(statuses).toEqual(expect.arrayContaining(expected));
    expect(statuses.filter((status) => status.startsWith('2'))).toHaveLength(1);
  });

  test('gives every error the one shape, and every answer its headers', () => {
    for (const [status, entry] of Object.entries(responses)) {
      const response = resolveResponse(entry);
      const headers = Object.keys(response.headers ?? {});
      expect(headers).toContain('X-Request-Id');
      if (Number(status) >= 400) {
        expect(response.content?.['application/json']?.schema.$ref).toBe('#/components/schemas/Error');
      }
      if (['429', '503'].includes(status)) expect(headers).toContain('Retry-After');
      if (status.startsWith('2') && access.credential !== 'none') expect(headers).toContain('X-RateLimit-Remaining');
      if (status.startsWith('2') && statuses.includes('304')) expect(headers).toContain('ETag');
    }
  });

  test('has parameters that are described, ids that the access check reads, and pages with both bounds', () => {
    for (const parameter of parameters) {
      expect(parameter.description).toMatch(/\S/);
      if (parameter.in === 'path') expect([parameter.required, parameter['x-id']]).toEqual([true, 'uuid']);
    }
    const names = parameters.map(({ name }) => name);
    expect(names.includes('limit')).toBe(names.includes('offset'));
    expect(operation.operationId.startsWith('list')).toBe(names.includes('limit'));
    expect(method === 'post').toBe(names.includes('Idempotency-Key'));
  });
});

test('each operation is found by its own path, and its names are unique', () => {
  const { all, match } = compileOperations(api);
  for (const { method, template, id } of all) {
    const path = `/api/v2${template.replaceAll(/\{[^}]+\}/g, 'x')}`;
    expect(match(method, path)).toMatchObject({ found: 'operation', operation: { id } });
  }
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
});

test('no component is left over', () => {
  const text = JSON.stringify(api);
  const names = Object.entries(api.components).flatMap(([kind, entries]) =>
    kind === 'securitySchemes' ? [] : Object.keys(entries).map((name) => `#/components/${kind}/${name}`),
  );

  expect(names.filter((name) => !text.includes(`"${name}"`))).toEqual([]);
});

function types({ type }: Schema): string[] {
  return type === undefined ? [] : [type].flat();
}

function collectSchemas(): { at: string; schema: Schema }[] {
  const found: { at: string; schema: Schema }[] = [];
  const visit = (at: string, schema: Schema): void => {
    found.push({ at, schema });
    for (const [name, member] of Object.entries(schema.properties ?? {})) visit(`${at}.${name}`, member);
    if (schema.items) visit(`${at}[]`, schema.items);
    if (typeof schema.additionalProperties === 'object') visit(`${at}.*`, schema.additionalProperties);
    for (const part of [...(schema.allOf ?? []), ...(schema.oneOf ?? [])]) visit(`${at}|`, part);
  };
  for (const [name, schema] of Object.entries(api.components.schemas)) visit(`schemas.${name}`, schema);
  for (const [name, { schema }] of Object.entries(api.components.headers)) visit(`headers.${name}`, schema);
  for (const [name, { schema }] of Object.entries(api.components.parameters)) visit(`parameters.${name}`, schema);
  for (const [path, item] of Object.entries(api.paths)) {
    for (const object of Object.values(item) as OperationObject[]) {
      for (const parameter of object.parameters ?? []) {
        if ('schema' in parameter) visit(`${path}?${parameter.name}`, parameter.schema);
      }
      for (const [status, response] of Object.entries(object.responses ?? {})) {
        for (const [name, header] of Object.entries(('headers' in response && response.headers) || {})) {
          if ('schema' in header) visit(`${path} ${status} ${name}`, (header as Header).schema);
        }
      }
    }
  }
  return found;
}

function reach(schema: Schema): Schema[] {
  if (schema.$ref !== undefined) return reach(api.components.schemas[schema.$ref.split('/').at(-1)!]!);
  const members = [...Object.values(schema.properties ?? {}), ...(schema.items ? [schema.items] : [])];
  return [schema, ...members.flatMap(reach)];
}

function resolveParameter(entry: Parameter | { $ref: string }): Parameter {
  return '$ref' in entry ? api.components.parameters[entry.$ref.split('/').at(-1)!]! : entry;
}

function resolveResponse(entry: Response | { $ref: string }): Response {
  return '$ref' in entry ? api.components.responses[entry.$ref.split('/').at(-1)!]! : entry;
}
