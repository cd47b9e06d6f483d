import { describe, expect, test } from '@jest/globals';
import { relaxCheckedTypes, requestSide, splitContract } from '../../server/http/contract/request-side.ts';
import { loadDocument } from '../../server/http/index.ts';

const { api } = loadDocument();
const side = requestSide(api);

function collectRefs(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => (key === '$ref' ? [String(value)] : collectRefs(value)));
}

test('every reference of a request resolves', () => {
  const refs = new Set(collectRefs(side));

  expect(refs.size).toBeGreaterThan(20);
  for (const ref of refs) {
    const found = ref
      .slice(2)
      .split('/')
      .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], side);
    expect({ ref, found: found !== undefined }).toEqual({ ref, found: true });
  }
});

test('every operation keeps its parameters and body, and responses are left out', () => {
  for (const [path, item] of Object.entries(api.paths)) {
    for (const method of ['get', 'post', 'put', 'patch', 'delete'] as const) {
      expect(side.paths[path]?.[method]?.parameters).toEqual(item[method]?.parameters);
      expect(side.paths[path]?.[method]?.requestBody).toEqual(item[method]?.requestBody);
    }
  }
  expect(Object.keys(side.components.schemas)).toEqual(expect.arrayContaining(['OrgCreate', 'AnalyzeRequest']));
  for (const name of ['Org', 'AuditEntry', 'AnalyzeResult']) expect(side.components.schemas).not.toHaveProperty(name);
});

test('parts that a domain validates are plain objects or lists here, and all other parts are unchanged', () => {
  const relaxedSchemas = relaxCheckedTypes(side.components.schemas);
  const { CustomRuleCreate, RiskPolicyPreview, OrgCreate } = relaxedSchemas;
  const config = { type: 'object', description: expect.any(String) };

  expect(CustomRuleCreate?.properties?.['config']).toEqual(config);
  expect(RiskPolicyPreview?.properties?.['rules']).toEqual({ type: 'array', description: expect.any(String) });
  expect(RiskPolicyPreview?.properties?.['custom_rules']?.items?.properties?.['config']).toEqual(config);
  expect(OrgCreate).toEqual(side.components.schemas['OrgCreate']);
  expect(JSON.stringify(relaxedSchemas)).not.toContain('x-checked-as');
});

describe('the contract in parts', () => {
  const parts = splitContract(api, 8);

  test('every path is in exactly one part', () => {
    const paths = parts.flatMap((part) => Object.keys(part.paths));
    expect(paths).toEqual(Object.keys(api.paths));
    expect(Math.max(...parts.map((part) => Object.keys(part.paths).length))).toBe(8);
  });

  test('every part contains all schemas it refers to', () => {
    for (const { paths, components } of parts) {
      const refs = [...JSON.stringify({ paths, components }).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)];
      const missing = refs.filter(([, kind, name]) => !Object.hasOwn(components[kind as 'schemas'], name!));
      expect([refs.length > 0, missing.map(([ref]) => ref)]).toEqual([true, []]);
    }
  });

  test('every part leaves out schemas that none of its paths uses', () => {
    const most = Math.max(...parts.map((part) => Object.keys(part.components.schemas).length));
    expect(most).toBeLessThan(Object.keys(api.components.schemas).length);
  });
});
