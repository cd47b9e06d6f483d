import { describe } from '@jest/globals';
import { testLevels } from './judging.ts';

describe('lists of rights', () => {
  testLevels([
    ['acme_api_token', { scopes: ['orders:read'] }, { scopes: ['orders:read', '*'] }, 'high', 'R-VAL-RIGHTS'],
    ['acme_api_token', { scopes: ['ships:read'] }, { scopes: ['ships:read', 'ships:write'] }, 'medium', 'R-VAL-RIGHTS'],
    [
      'acme_partner_grant',
      { scopes: ['ships:read'] },
      { scopes: ['ships:read', 'customers:read'] },
      'medium',
      'R-VAL-RIGHTS',
    ],
    ['acme_partner_grant', { scopes: ['ships:read'] }, { scopes: ['ships:read', 'ports:list'] }, 'low'],
    ['acme_role', { permissions: ['a.view', 'a.admin'] }, { permissions: ['a.view'] }, 'low'],
    [
      'acme_route',
      { auth: [{ algorithms: ['RS256'] }] },
      { auth: [{ algorithms: ['RS256', 'none'] }] },
      'critical',
      'R-VAL-RIGHTS',
    ],
    [
      'acme_route',
      { auth: [{ algorithms: ['RS256'] }] },
      { auth: [{ algorithms: ['RS256', 'HS256'] }] },
      'medium',
      'R-VAL-RIGHTS',
    ],
  ]);
});

describe('names of callers', () => {
  testLevels([
    [
      'acme_mesh_policy',
      { allow: [{ principal: 'spiffe://a/ns/pay/sa/api' }] },
      { allow: [{ principal: 'spiffe://a/ns/*/sa/api' }] },
      'high',
      'R-VAL-WILDCARD',
    ],
    [
      'acme_trust_binding',
      { subject: 'repo:acme/shop:ref:main' },
      { subject: 'repo:acme/shop:*' },
      'high',
      'R-VAL-WILDCARD',
    ],
    ['acme_role', { principal_ids: ['g_1'] }, { principal_ids: ['u_anon'] }, 'high', 'R-VAL-WILDCARD'],
    ['acme_trust_binding', { subject: 'repo:acme/*' }, { subject: 'repo:acme/shop' }, 'low'],
    ['acme_network', { blocked_clients: ['a'] }, { blocked_clients: ['*'] }, 'low'],
  ]);
});

describe('what counts as healthy', () => {
  testLevels([
    ['acme_probe', { success: [{ status: [200] }] }, { success: [{ status: [200, 503] }] }, 'high', 'R-VAL-PROBE'],
    ['acme_health_check', { expected_codes: '200' }, { expected_codes: '200-499' }, 'medium', 'R-VAL-PROBE'],
    ['acme_health_check', { expected_codes: '200-599' }, { expected_codes: '200' }, 'low'],
    [
      'acme_probe',
      { success: [{ body_contains: 'ok' }] },
      { success: [{ body_contains: '' }] },
      'medium',
      'R-VAL-PROBE',
    ],
    ['acme_probe', { success: [{ status: [200] }] }, { success: [{ status: [200, 204] }] }, 'low'],
  ]);
});

describe('an empty list of addresses', () => {
  testLevels([
    ['acme_ip_restrictions', { ips: ['203.0.113.0/24'] }, { ips: [] }, 'high', 'R-VAL-RANGE'],
    ['acme_cluster', { allowed_cidrs: ['203.0.113.0/24'] }, { allowed_cidrs: [] }, 'high'],
    ['acme_cluster', { blocked_cidrs: ['203.0.113.0/24'] }, { blocked_cidrs: [] }, 'medium'],
  ]);
});
