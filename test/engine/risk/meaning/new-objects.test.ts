import { describe, expect, test } from '@jest/globals';
import type { JsonObject, RiskLevel } from '../../../../engine/model/result.ts';
import { judgeAlone, makeChange } from '../helpers.ts';

type NewCase = [type: string, after: JsonObject, level: RiskLevel];

describe('new objects of types that nobody has documented', () => {
  test.each<NewCase>([
    ['acme_grant', { subject: 'contractor:kim', role: 'superuser', expires_at: 'never' }, 'high'],
    ['acme_membership', { subject: 'vendor:lee', role: 'owner', ends_at: '9999-12-31T00:00:00Z' }, 'high'],
    ['acme_grant', { subject: 'contractor:kim', role: 'superuser', expires_at: '2026-11-20T18:00:00Z' }, 'low'],
    ['acme_silence', { matchers: ['env=prod'], ends_at: null }, 'high'],
    ['acme_silence', { matchers: ['service=search'], ends_at: null }, 'medium'],
    ['acme_silence', { matchers: ['env=prod'], ends_at: '2026-11-20T12:00:00Z' }, 'low'],
    ['acme_drop_rule', { pattern: '.*', enabled: true }, 'high'],
    ['acme_drop_rule', { pattern: '^test-[0-9]+$', enabled: true }, 'low'],
    ['acme_event_filter', { pattern: '*', action: 'archive' }, 'high'],
    ['acme_finding_suppression', { severity: ['critical'], action: 'suppress' }, 'high'],
    ['acme_bucket', { name: 'exports', visibility: 'public' }, 'high'],
    ['acme_bucket', { name: 'exports', visibility: 'private' }, 'low'],
    ['acme_token', { scopes: ['*'], expires_in: 'never' }, 'high'],
    ['acme_scaling_schedule', { max_size: 0, recurrence: '0 20 * * 5' }, 'high'],
    ['acme_route', { host: '*', priority: 1 }, 'medium'],
    ['acme_route', { host: 'preview.acme.example', priority: 1 }, 'low'],
  ])('%s with %j is %s', (type, after, level) => {
    expect(judgeAlone(makeChange(type, 'create', [null, after])).level).toBe(level);
  });

  test('say which argument is the reason, without a secret', () => {
    const after = { scopes: ['*'], expires_in: 'never' };
    const change = makeChange('acme_token', 'create', [null, after], { after_sensitive: { expires_in: true } });
    const [reason] = judgeAlone(change).reasons.filter(({ rule_id }) => rule_id === 'R-VAL-NEW');
    expect(reason).toMatchObject({ path: 'expires_in' });
    expect(reason?.message).toContain('value withheld');
  });
});
