import type { AccountDrift } from '../../../server/domains/notifications/types.ts';

/** The drift of one account, as the examples in the documentation show it. */
export function buildAccount(): AccountDrift {
  return {
    cloud_account_id: '019b7a10-0000-7000-8000-000000000051',
    display_name: 'prod',
    provider: 'aws',
    status: 'open',
    risk_level: 'critical',
    counts: { new: 3, changed: 2, missing: 1 },
    coverage_pct: 91.4,
    delta: { added: 2, removed: 0 },
    top_items: [
      {
        drift_type: 'missing',
        resource_address: 'aws_db_instance.main',
        resource_type: 'aws_db_instance',
        name: 'main',
        risk_level: 'critical',
      },
      {
        drift_type: 'changed',
        resource_address: 'aws_security_group.web',
        resource_type: 'aws_security_group',
        name: 'web',
        risk_level: 'high',
      },
      {
        drift_type: 'new',
        resource_address: null,
        resource_type: 'AWS::IAM::User',
        name: 'deploy-old',
        risk_level: 'high',
      },
    ],
    url: 'https://app.example.com/orgs/acme/scans/019b7a10-0000-7000-8000-000000000052',
    scan_run_id: '019b7a10-0000-7000-8000-000000000052',
    opened_at: '2026-01-02T03:04:05.678Z',
    resolved_at: null,
  };
}
