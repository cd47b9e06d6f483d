import { describe, expect, test } from '@jest/globals';
import { addressForm, armIdForm, endpointForm, hostForm, regionForm } from '../../../engine/canonical/names.ts';
import { same } from './same.ts';

const isSameHost = same(hostForm);
const isSameAddress = same(addressForm);
const isSameArmId = same(armIdForm);

const NETWORK =
  '/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/hub';
const SUBNET = `${NETWORK}/subnets/apps`;

describe('the canonical form of a name', () => {
  test.each([
    ['example.com.', 'example.com'],
    ['Example.com', 'example.COM.'],
    ['*.example.com', '*.example.com.'],
  ])('is the same for the hosts %s and %s', (before, after) => {
    expect(isSameHost(before, after)).toBe(true);
  });

  test.each([
    ['example.com..', 'example.com'],
    ['.', ''],
    ['example.com', 'example.org'],
    ['a.example.com', 'example.com'],
    ['ex ample.com', 'ex ample.com.'],
  ])('differs for the hosts %s and %s', (before, after) => {
    expect(isSameHost(before, after)).toBe(false);
  });

  test.each([
    ['2001:DB8::1', '2001:db8:0:0:0:0:0:1'],
    ['::/0', '0:0::/0'],
    ['2001:db8::/32', '2001:0db8::/32'],
  ])('is the same for the addresses %s and %s', (before, after) => {
    expect(isSameAddress(before, after)).toBe(true);
  });

  test.each([
    ['2001:db8::1', '2001:db8::2'],
    ['2001:db8::/32', '2001:db8::/33'],
    ['2001:db8::1/32', '2001:db8::/32'],
    ['2001:db8::', '2001:db8::/128'],
    ['67.221.169.243/0', '0.0.0.0/0'],
    ['10.0.0.1', '10.0.0.01'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['x', 'X'],
  ])('is not the same for the addresses %s and %s', (before, after) => {
    expect(isSameAddress(before, after)).toBe(false);
  });

  test('ignores the case of an Azure id up to the resource and in its types', () => {
    const other = SUBNET.replace('resourceGroups/net', 'resourcegroups/NET')
      .replace('Microsoft.Network/virtualNetworks/hub', 'microsoft.network/virtualnetworks/Hub')
      .replace('/subnets/', '/Subnets/');

    expect(isSameArmId(SUBNET, other)).toBe(true);
    expect(isSameArmId(NETWORK, NETWORK.toUpperCase())).toBe(true);
  });

  test.each([
    ['names another subnet', SUBNET.replace('apps', 'data')],
    ['names another group', SUBNET.replace('/net/', '/nat/')],
    ['names only the network', SUBNET.replace('/subnets/apps', '')],
    ['contains a letter outside ASCII', SUBNET.replace('hub', 'hu\u212a')],
  ])('differs for an Azure id that %s', (_what, other) => {
    expect(isSameArmId(SUBNET, other)).toBe(false);
  });

  test('ignores the case of child names where the service does', () => {
    const database = SUBNET.replace('Microsoft.Network/virtualNetworks', 'Microsoft.DocumentDB/databaseAccounts');

    expect(isSameArmId(SUBNET, SUBNET.replace('apps', 'Apps'))).toBe(true);
    expect(isSameArmId(database, database.replace('apps', 'Apps'))).toBe(false);
  });

  test('does not exist for text that is not an Azure id', () => {
    expect(isSameArmId('/var/lib/Data', '/var/lib/data')).toBe(false);
    expect(isSameArmId('arn:aws:iam::1:Role/a', 'arn:aws:iam::1:role/a')).toBe(false);
  });

  test('is the same for the name and the display name of an Azure region', () => {
    expect(same(regionForm)('West Europe', 'westeurope')).toBe(true);
    expect(same(regionForm)('West Europe', 'westeurope2')).toBe(false);
    expect(same(regionForm)('West-Europe', 'westeurope')).toBe(false);
  });

  test.each([
    ['https://kv.vault.azure.net/', 'https://KV.vault.azure.net', true],
    ['https://kv.vault.azure.net/', 'https://kv2.vault.azure.net/', false],
    ['https://kv.vault.azure.net/', 'http://kv.vault.azure.net/', false],
    ['https://kv.vault.azure.net/keys/', 'https://kv.vault.azure.net/keys', false],
  ])('of the URLs %s and %s is the same: %s', (before, after, expected) => {
    expect(same(endpointForm)(before, after)).toBe(expected);
  });
});
