import { describe, expect, test } from '@jest/globals';
import { addressForm, armIdForm, endpointForm, hostForm, regionForm } from '../../../engine/canonical/names.ts';
import { same } from './same.ts';

const isSameHost = same(hostForm);
const isSameAddress = same(addressForm);
const isSameArmId = same(armIdForm);

const NETWORK =
  '/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/hub';
const SUBNET = `${NETWORK}/subnets/apps`;

describe('names of one thing', () => {
  test.each([
    ['example.com.', 'example.com'],
    ['Example.com', 'example.COM.'],
    ['*.example.com', '*.example.com.'],
  ])('the host %s is %s', (before, after) => {
    expect(isSameHost(before, after)).toBe(true);
  });

  test.each([
    ['example.com..', 'example.com'],
    ['.', ''],
    ['example.com', 'example.org'],
    ['a.example.com', 'example.com'],
    ['ex ample.com', 'ex ample.com.'],
  ])('the host %s is not %s', (before, after) => {
    expect(isSameHost(before, after)).toBe(false);
  });

  test.each([
    ['2001:DB8::1', '2001:db8:0:0:0:0:0:1'],
    ['::/0', '0:0::/0'],
    ['2001:db8::/32', '2001:0db8::/32'],
  ])('the address %s is %s', (before, after) => {
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
  ])('the address %s is not proven to be %s', (before, after) => {
    expect(isSameAddress(before, after)).toBe(false);
  });

  test('an Azure id may be cased in any way up to the resource and in its types', () => {
    const other = SUBNET.replace('resourceGroups/net', 'resourcegroups/NET')
      .replace('Microsoft.Network/virtualNetworks/hub', 'microsoft.network/virtualnetworks/Hub')
      .replace('/subnets/', '/Subnets/');

    expect(isSameArmId(SUBNET, other)).toBe(true);
    expect(isSameArmId(NETWORK, NETWORK.toUpperCase())).toBe(true);
  });

  test.each([
    ['another subnet', SUBNET.replace('apps', 'data')],
    ['a child whose name is cased otherwise', SUBNET.replace('apps', 'Apps')],
    ['another group', SUBNET.replace('/net/', '/nat/')],
    ['its network', SUBNET.replace('/subnets/apps', '')],
    ['a letter that no ASCII fold makes', SUBNET.replace('hub', 'hu\u212a')],
  ])('an Azure id is not that of %s', (_what, other) => {
    expect(isSameArmId(SUBNET, other)).toBe(false);
  });

  test('what is no Azure id is no other one', () => {
    expect(isSameArmId('/var/lib/Data', '/var/lib/data')).toBe(false);
    expect(isSameArmId('arn:aws:iam::1:Role/a', 'arn:aws:iam::1:role/a')).toBe(false);
  });

  test('a region may be written as it is displayed', () => {
    expect(same(regionForm)('West Europe', 'westeurope')).toBe(true);
    expect(same(regionForm)('West Europe', 'westeurope2')).toBe(false);
    expect(same(regionForm)('West-Europe', 'westeurope')).toBe(false);
  });

  test.each([
    ['https://kv.vault.azure.net/', 'https://KV.vault.azure.net', true],
    ['https://kv.vault.azure.net/', 'https://kv2.vault.azure.net/', false],
    ['https://kv.vault.azure.net/', 'http://kv.vault.azure.net/', false],
    ['https://kv.vault.azure.net/keys/', 'https://kv.vault.azure.net/keys', false],
  ])('the service %s and %s: %s', (before, after, expected) => {
    expect(same(endpointForm)(before, after)).toBe(expected);
  });
});
