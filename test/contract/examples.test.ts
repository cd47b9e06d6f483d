import { beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { assertBodyShape, bodyShape } from '../../server/http/contract/body-shape.ts';
import type { Schema } from '../../server/http/contract/openapi-types.ts';
import { document } from '../http/harness.ts';

const { api } = document;
const examples = collectExamples();

let validate: (schema: Schema) => ValidateFunction;
beforeAll(() => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'https://contract/', components: api.components });
  validate = (schema) => ajv.compile(rebaseRefs(schema));
});

test('every body and every header has an example', () => {
  expect(examples.length).toBeGreaterThan(40);
  expect(examples.filter(({ value }) => value === undefined).map(({ at }) => at)).toEqual([]);
});

describe('every example matches its schema', () => {
  test.each(examples)('$at', ({ schema, value }) => {
    const check = validate(schema);

    check(value);

    expect(check.errors ?? []).toEqual([]);
    expect(() => assertBodyShape(bodyShape(api, schema), value)).not.toThrow();
  });
});

interface Example {
  at: string;
  schema: Schema;
  value: unknown;
}

/** All places where a `schema` has an `example` or `examples`, or should have. */
function collectExamples(): Example[] {
  const found: Example[] = [];
  const visit = (at: string, node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { schema, example, examples: several } = node as { schema?: Schema; example?: unknown; examples?: object };
    if (schema !== undefined && !('in' in node)) {
      const values = several === undefined ? [['', { value: example }]] : Object.entries(several);
      for (const [name, entry] of values as [string, { value: unknown }][]) {
        found.push({ at: `${at} ${name}`, schema, value: entry.value });
      }
      return;
    }
    for (const [name, child] of Object.entries(node)) visit(`${at}/${name}`, child);
  };
  visit('paths', api.paths);
  visit('responses', api.components.responses);
  visit('headers', api.components.headers);
  return found;
}

function rebaseRefs(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"https://contract/#/components')) as Schema;
}
