import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { toAzureResource } from '../../../../engine/inventory/index.ts';
import { storage } from '../../../adapters/cloud/azure/setup.ts';

describe('resources of Azure', () => {
  test('empty columns are left out of the properties', () => {
    expect(toAzureResource(storage('one'))?.properties).toEqual({
      location: 'westeurope',
      kind: 'StorageV2',
      sku: { name: 'Standard_LRS', tier: 'Standard' },
      properties: { minimumTlsVersion: 'TLS1_2', supportsHttpsTrafficOnly: true },
    });
  });

  test('the case of an ID does not matter', () => {
    const changeCase = (id: string, upper: readonly boolean[]) =>
      [...id].map((char, index) => (upper[index % upper.length] ? char.toUpperCase() : char)).join('');
    const { id } = storage('one') as { id: string };

    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1 }), (upper) => {
        const found = toAzureResource(storage('one', { id: changeCase(id, upper) }));
        expect(found?.provider_resource_id).toBe(id.toLowerCase());
      }),
    );
  });

  test('secrets are removed from properties and tags', () => {
    const properties = { adminPassword: 'canary-password', accountKey: 'canary-key', tier: 'Basic' };

    const found = toAzureResource(storage('one', { properties, tags: { team: 'shop', client_secret: 'canary-tag' } }));

    expect(JSON.stringify(found)).not.toContain('canary');
    expect(found).toMatchObject({ properties: { properties: { tier: 'Basic' } }, tags: { team: 'shop' } });
  });

  test('any JSON is either a resource or left out', () => {
    const row = fc.record(
      { id: fc.oneof(fc.constant('/x'), fc.anything()), type: fc.anything(), tags: fc.anything() },
      { requiredKeys: [] },
    );

    fc.assert(
      fc.property(fc.oneof(row, fc.jsonValue()), (value) => {
        const found = toAzureResource(JSON.parse(JSON.stringify(value) ?? 'null'));
        return found === undefined || (found.provider_resource_id !== '' && found.provider_type !== '');
      }),
    );
  });
});
