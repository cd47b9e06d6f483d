import { describe } from '@jest/globals';
import { testLevels } from './judging.ts';

describe('exclusions', () => {
  const paths = (...exclude_paths: string[]) => ({ exclude_paths });
  testLevels([
    ['acme_scanner', paths(), paths('**'), 'high', 'R-VAL-EXCLUDE'],
    ['acme_backup_plan', { excluded: ['tmp/'] }, { excluded: ['tmp/', '/'] }, 'high', 'R-VAL-EXCLUDE'],
    ['acme_audit_log', { ignored_users: ['bot'] }, { ignored_users: ['bot', '*'] }, 'high', 'R-VAL-EXCLUDE'],
    ['acme_job', { skip_pattern: 'a' }, { skip_pattern: '.*' }, 'medium', 'R-VAL-EXCLUDE'],
    ['acme_scanner', paths('**'), paths('docs/**'), 'low'],
    ['acme_scanner', paths('docs/**'), paths('docs/**', 'test/**'), 'low'],
    ['acme_scanner', { include_paths: ['src/**'] }, { include_paths: ['src/**', '**'] }, 'low'],
  ]);
});

describe('samples', () => {
  testLevels([
    ['acme_tracing', { sample_rate: 1 }, { sample_rate: 0 }, 'medium', 'R-VAL-EXCLUDE'],
    ['acme_tracing', { sampling: [{ percentage: 100 }] }, { sampling: [{ percentage: 0.1 }] }, 'medium'],
    ['acme_tracing', { sample_rate: 0.5 }, { sample_rate: 0.2 }, 'low'],
    ['acme_tracing', { sample_rate: 0 }, { sample_rate: 1 }, 'low'],
  ]);
});

describe('times until which alerts are muted', () => {
  const until = (muted_until: string | null) => ({ muted_until });
  testLevels([
    ['acme_alert', until(null), until('2099-01-01T00:00:00Z'), 'high', 'R-VAL-MUTED'],
    ['acme_alert', until(null), until('2026-03-01T00:00:00Z'), 'medium', 'R-VAL-MUTED'],
    ['acme_alert', until('2026-03-01T00:00:00Z'), until(null), 'low'],
  ]);
});
