import { describe, expect, test } from '@jest/globals';
import { findSchemaDefaults } from '../../../engine/equivalence/schema-defaults.ts';
import type { JsonObject } from '../../../engine/model/result.ts';
import { classifyNoise } from '../../../engine/noise/classify.ts';
import { aDiff, anUpdate } from '../noise/builders.ts';

function classify(type: string, path: string, before: JsonObject, after: JsonObject) {
  const diff = aDiff(path, before[path] ?? null, after[path] ?? null);
  return classifyNoise(anUpdate(type, [diff], { before, after }), {}).classification;
}

describe('defaults that the documentation of a provider gives', () => {
  test.each([
    ['aws_lb', 'enable_http2', true],
    ['aws_lb', 'idle_timeout', 60],
    ['azurerm_network_interface', 'ip_forwarding_enabled', false],
    ['github_branch', 'source_branch', 'main'],
    ['keycloak_ldap_user_federation', 'pagination', true],
  ])('%s.%s is the same unset and %p', (type, path, value) => {
    expect(findSchemaDefaults(type).get(path)).toBe(value);
    expect(classify(type, path, { [path]: null }, { [path]: value })).toBe('likely_benign');
    expect(classify(type, path, { [path]: value }, { [path]: null })).toBe('likely_benign');
  });

  test.each([
    ['aws_lb', 'enable_http2', false],
    ['aws_lb', 'idle_timeout', 61],
    ['acme_lb', 'enable_http2', true],
    ['github_branch', 'source_branch', 'master'],
  ])('%s.%s is not the same unset and %p', (type, path, value) => {
    expect(classify(type, path, { [path]: null }, { [path]: value })).toBe('novel');
  });

  test('are not known of types whose name is a member of every object', () => {
    expect(findSchemaDefaults('constructor').size).toBe(0);
    expect(findSchemaDefaults('aws_constructor').size).toBe(0);
  });
});
