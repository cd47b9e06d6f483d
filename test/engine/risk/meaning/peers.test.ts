import { describe } from '@jest/globals';
import { testLevels } from './judging.ts';

describe('allow lists of hosts', () => {
  const hosts = (...destination_hosts: string[]) => ({ destination_hosts });
  testLevels([
    ['acme_egress_rule', hosts('api.example.com'), hosts('api.example.com', '*'), 'high', 'R-VAL-PEERS'],
    ['acme_outbound_policy', hosts('api.example.com'), hosts('0.0.0.0/0'), 'high', 'R-VAL-PEERS'],
    ['acme_proxy', { allowed_domains: ['example.com'] }, { allowed_domains: ['any'] }, 'high', 'R-VAL-PEERS'],
    ['acme_proxy', { trusted_hosts: ['a.example.com'] }, { trusted_hosts: ['*:443'] }, 'high', 'R-VAL-PEERS'],
    ['acme_proxy', { permitted_urls: ['https://a.example.com/'] }, { permitted_urls: ['https://*/*'] }, 'high'],
    ['acme_egress_rule', hosts('api.example.com'), hosts('api.example.com', '*.example.com'), 'medium'],
    ['acme_egress_rule', hosts('api.bank-a.example'), hosts('api.bank-a.example', 'api.bank-b.example'), 'medium'],
    ['acme_login', { allowed_domains: ['example.com'] }, { allowed_domains: [] }, 'medium', 'R-VAL-PEERS'],
    ['acme_egress_rule', hosts('*'), hosts('api.example.com'), 'low'],
    ['acme_egress_rule', hosts('a.example.com', 'b.example.com'), hosts('a.example.com'), 'low'],
  ]);
});

describe('lists of hosts that let nobody in', () => {
  testLevels([
    ['acme_egress_policy', { denied_hosts: ['a.example.com'] }, { denied_hosts: ['*'] }, 'low'],
    [
      'acme_egress_rule',
      { action: 'deny', destination_hosts: ['a.example.com'] },
      { action: 'deny', destination_hosts: ['*'] },
      'low',
    ],
    ['acme_page', { cors_allowed_hosts: ['a.example.com'] }, { cors_allowed_hosts: ['*'] }, 'medium'],
  ]);
});
