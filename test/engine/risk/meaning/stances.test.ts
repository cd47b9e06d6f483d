import { describe } from '@jest/globals';
import { testLevels } from './judging.ts';

describe('values of unknown services that refuse or demand', () => {
  testLevels([
    ['lendery_rule', { on_bureau_timeout: 'refer' }, { on_bureau_timeout: 'approve' }, 'high', 'R-VAL-MODE'],
    ['lendery_rule', { on_bureau_timeout: 'approve' }, { on_bureau_timeout: 'refer' }, 'low'],
    ['lendery_rule', { income_proof: 'required' }, { income_proof: 'optional' }, 'medium', 'R-VAL-MODE'],
    ['skyhatch_alarm', { on_exit: 'return_home' }, { on_exit: 'warn' }, 'high', 'R-VAL-MODE'],
    ['keyturn_lock', { on_power_loss: 'stay_locked' }, { on_power_loss: 'unlock' }, 'high', 'R-VAL-MODE'],
    ['seek_index', { typo_tolerance: 'strict' }, { typo_tolerance: 'off' }, 'low'],
    ['chart_report', { on_empty: 'skip' }, { on_empty: 'send' }, 'low'],
    ['pixel_alarm', { cache_mode: 'strict' }, { cache_mode: 'off' }, 'low'],
    ['promptgate_log', { prompts: 'redacted' }, { prompts: 'full' }, 'high', 'R-VAL-CLASS'],
  ]);
});

describe('numbers of unknown services that move to the other end of their scale', () => {
  testLevels([
    ['aqua_alarm', { max_pressure_bar: 6 }, { max_pressure_bar: 600 }, 'high', 'R-VAL-THRESHOLD'],
    ['aqua_alarm', { max_pressure_bar: 6 }, { max_pressure_bar: 7 }, 'low'],
    ['veriface_check', { match_threshold: 0.92 }, { match_threshold: 0.1 }, 'high', 'R-VAL-THRESHOLD'],
    ['veriface_check', { min_age: 18 }, { min_age: 0 }, 'high', 'R-VAL-THRESHOLD'],
    ['gradeo_policy', { similarity_alert_percent: 30 }, { similarity_alert_percent: 100 }, 'high', 'R-VAL-THRESHOLD'],
    ['keyturn_lock', { code_length: 6 }, { code_length: 1 }, 'high', 'R-VAL-THRESHOLD'],
    ['seek_index', { min_word_length: 3 }, { min_word_length: 1 }, 'low'],
    ['seek_index', { similarity: 0.7 }, { similarity: 0.1 }, 'low'],
    ['job_pool', { max_jobs: 100 }, { max_jobs: 100000 }, 'low'],
    ['share_link_policy', { link_expiry_days: 30 }, { link_expiry_days: 21 }, 'low'],
    ['keyturn_lock', { auto_lock_seconds: 10 }, { auto_lock_seconds: 8 }, 'low'],
  ]);
});
