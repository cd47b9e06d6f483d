import { describe } from '@jest/globals';
import { testLevels } from './judging.ts';

describe('paths that a login or an inspection leaves out', () => {
  testLevels([
    [
      'azurerm_linux_web_app',
      { auth_settings_v2: [{ auth_enabled: true, excluded_paths: [] }] },
      { auth_settings_v2: [{ auth_enabled: true, excluded_paths: ['/api/payslips'] }] },
      'high',
      'R-VAL-EXCLUDE',
    ],
    [
      'azurerm_linux_web_app',
      { auth_settings_v2: [{ auth_enabled: true, excluded_paths: [] }] },
      { auth_settings_v2: [{ auth_enabled: true, excluded_paths: ['/healthz'] }] },
      'low',
    ],
    [
      'portal_sso',
      { skip_auth_routes: ['/ping'] },
      { skip_auth_routes: ['/ping', '/export'] },
      'high',
      'R-VAL-EXCLUDE',
    ],
    ['portal_sso', { skip_auth_routes: ['/ping', '/export'] }, { skip_auth_routes: ['/ping'] }, 'low'],
    ['portal_sso', { skip_auth_routes: ['/ping'] }, { skip_auth_routes: ['/ping', '/.well-known/jwks.json'] }, 'low'],
    ['edge_waf', { bypass_paths: [] }, { bypass_paths: ['/**'] }, 'high', 'R-VAL-EXCLUDE'],
    ['edge_session', { public_endpoints: ['/login'] }, { public_endpoints: ['/login', '/admin'] }, 'high'],
    ['edge_cache', { excluded_paths: [] }, { excluded_paths: ['/cart'] }, 'low'],
    ['page_crawler', { ignored_paths: [] }, { ignored_paths: ['/archive'] }, 'low'],
  ]);
});

describe('protections that only report', () => {
  testLevels([
    ['grid_feeder_protection', { earth_fault: [{ mode: 'trip' }] }, { earth_fault: [{ mode: 'report_only' }] }, 'high'],
    ['grid_feeder_protection', { earth_fault: [{ mode: 'report_only' }] }, { earth_fault: [{ mode: 'trip' }] }, 'low'],
    ['press_guard', { action: 'stop_press' }, { action: 'log_only' }, 'high', 'R-VAL-MODE'],
    ['press_report', { mode: 'weekly' }, { mode: 'summary_only' }, 'low'],
  ]);
});
