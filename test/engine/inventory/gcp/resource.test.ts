import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { toGoogleResource } from '../../../../engine/inventory/index.ts';

const INSTANCE = {
  name: '//compute.googleapis.com/projects/shop/zones/europe-west1-b/instances/web',
  assetType: 'compute.googleapis.com/Instance',
  project: 'projects/481516234200',
  displayName: 'web',
  location: 'europe-west1-b',
};
const withResource = (resource: unknown, version = 'v1') => ({
  ...INSTANCE,
  versionedResources: [{ version, resource }],
});

describe('resources of Google Cloud', () => {
  test('a self link is an alias, with and without its host', () => {
    const selfLink = 'https://www.googleapis.com/compute/v1/projects/shop/zones/europe-west1-b/instances/web';

    const found = toGoogleResource(withResource({ name: 'web', selfLink }), 'shop');

    expect(found?.aliases).toEqual([
      'projects/shop/zones/europe-west1-b/instances/web',
      selfLink,
      'compute/v1/projects/shop/zones/europe-west1-b/instances/web',
    ]);
  });

  test('a name with the number of the project has aliases with its ID', () => {
    const name = '//run.googleapis.com/projects/481516234200/locations/europe-west1/services/api';

    const found = toGoogleResource({ ...INSTANCE, name }, 'shop');

    expect(found?.aliases).toEqual([
      'projects/481516234200/locations/europe-west1/services/api',
      '//run.googleapis.com/projects/shop/locations/europe-west1/services/api',
      'projects/shop/locations/europe-west1/services/api',
    ]);
  });

  test('the stable version of a resource comes first', () => {
    const versionedResources = [
      { version: 'v1beta1', resource: { from: 'beta' } },
      { version: 'v1', resource: { from: 'stable' } },
    ];

    expect(toGoogleResource({ ...INSTANCE, versionedResources }, 'shop')?.properties).toEqual({ from: 'stable' });
  });

  test('without the resource, the attributes of the search are the properties', () => {
    const additionalAttributes = { machineType: 'e2-small' };

    expect(toGoogleResource({ ...INSTANCE, additionalAttributes }, 'shop')?.properties).toEqual(additionalAttributes);
    expect(toGoogleResource(INSTANCE, 'shop')?.properties).toBeNull();
  });

  test('secrets are removed from properties and labels', () => {
    const items = [{ key: 'startup-script', value: 'export TOKEN=canary' }];
    const resource = { metadata: { items }, rootPassword: 'canary-password', machineType: 'e2-small' };
    const row = { ...withResource(resource), labels: { team: 'shop', api_token: 'canary-label' } };

    const found = toGoogleResource(row, 'shop');

    expect(JSON.stringify(found)).not.toContain('canary');
    expect(found).toMatchObject({ properties: { machineType: 'e2-small' }, tags: { team: 'shop' } });
  });

  test('any JSON is either a resource or left out', () => {
    const row = fc.record(
      { name: fc.anything(), assetType: fc.anything(), location: fc.anything(), labels: fc.anything() },
      { requiredKeys: [] },
    );

    fc.assert(
      fc.property(fc.oneof(row, fc.jsonValue()), (value) => {
        const found = toGoogleResource(JSON.parse(JSON.stringify(value) ?? 'null'), 'shop');
        return found === undefined || (found.provider_resource_id !== '' && found.provider_type !== '');
      }),
    );
  });
});
