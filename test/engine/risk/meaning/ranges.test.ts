import { describe } from '@jest/globals';
import { testLevels } from './judging.ts';

describe('addresses that may connect', () => {
  testLevels([
    ['acme_database', { allowed_ips: ['203.0.113.7/32'] }, { allowed_ips: ['203.0.113.7/3'] }, 'high', 'R-VAL-RANGE'],
    [
      'acme_zone',
      { trusted_networks: ['198.51.100.0/24'] },
      { trusted_networks: ['192.0.0.0/5'] },
      'high',
      'R-VAL-RANGE',
    ],
    ['acme_access_list', { cidr: '198.51.100.9/32' }, { cidr: '198.51.100.9/12' }, 'medium'],
    [
      'okta_network_zone',
      { gateways: ['198.51.100.0/24'] },
      { gateways: ['198.51.100.0/24', '8.0.0.0/5'] },
      'high',
      'R-VAL-RANGE',
    ],
    ['acme_zone', { source_ranges: ['172.16.0.0/12'] }, { source_ranges: ['172.0.0.0/8'] }, 'high', 'R-VAL-RANGE'],
    [
      'acme_ip_set',
      { name: 'partners', addresses: ['2001:db8::/48'] },
      { name: 'partners', addresses: ['2001:db8::/8'] },
      'high',
      'R-VAL-RANGE',
    ],
    ['acme_zone', { trusted_networks: ['10.0.0.0/16'] }, { trusted_networks: ['10.0.0.0/8'] }, 'medium'],
    [
      'acme_ip_set',
      { name: 'blocked', addresses: ['198.51.100.0/24'] },
      { name: 'blocked', addresses: ['198.51.100.0/24', '203.0.113.0/24'] },
      'low',
    ],
    ['acme_waf', { blocked_ips: ['198.51.100.0/24'] }, { blocked_ips: ['192.0.0.0/4'] }, 'low'],
    ['acme_route', { destination_cidr: '203.0.113.0/24' }, { destination_cidr: '192.0.0.0/6' }, 'low'],
  ]);
});
