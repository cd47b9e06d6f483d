import { describe } from '@jest/globals';
import { testLevels } from './judging.ts';

describe('operations of services that nobody has cataloged', () => {
  testLevels([
    ['lantern_domain', { auto_renew: true }, { auto_renew: false }, 'high', 'R-VAL-WORDS'],
    ['lantern_domain', { auto_renew: false }, { auto_renew: true }, 'low'],
    ['doorway_zone', { alarm_on_forced_open: true }, { alarm_on_forced_open: false }, 'high', 'R-VAL-WORDS'],
    ['stripely_payout', { iban: 'FI2112345600000785' }, { iban: 'LT601010012345678901' }, 'high', 'R-VAL-WORDS'],
    ['stripely_payout', { statement: 'ACME' }, { statement: 'ACME SHOP' }, 'low'],
    ['shieldpay_fraud_policy', { score_threshold: 75 }, { score_threshold: 1000 }, 'high', 'R-VAL-WORDS'],
    ['shieldpay_fraud_policy', { score_threshold: 75 }, { score_threshold: 70 }, 'low'],
    ['harbor_replication', { target_regions: ['south', 'west'] }, { target_regions: [] }, 'high', 'R-VAL-WORDS'],
    ['harbor_replication', { target_regions: ['south'] }, { target_regions: ['south', 'west'] }, 'low'],
    ['harbor_replication', { rpo_seconds: 30 }, { rpo_seconds: 30000 }, 'high', 'R-VAL-WORDS'],
    ['harbor_replication', { rpo_seconds: 30 }, { rpo_seconds: 20 }, 'low'],
    ['ferry_release', { checks: ['unit', 'security-scan'] }, { checks: ['unit'] }, 'high', 'R-VAL-WORDS'],
    ['ferry_release', { checks: ['unit', 'smoke'] }, { checks: ['unit'] }, 'medium', 'R-VAL-WORDS'],
    ['ferry_release', { checks: ['unit'] }, { checks: ['unit', 'smoke'] }, 'low'],
    ['ferry_release', { freeze_calendar: 'holidays' }, { freeze_calendar: '' }, 'medium', 'R-VAL-WORDS'],
    ['doorway_zone', { access_hours: '7-19' }, { access_hours: 'always' }, 'medium', 'R-VAL-WORDS'],
    ['inkwell_pipeline', { pii_redaction: ['email', 'card_number'] }, { pii_redaction: [] }, 'high', 'R-VAL-WORDS'],
    ['inkwell_pipeline', { pii_redaction: ['email'] }, { pii_redaction: ['email', 'iban'] }, 'low'],
    ['inkwell_log_pipeline', { drop_filters: ['a'] }, { drop_filters: ['a', 'level != "debug"'] }, 'high'],
    ['lantern_zone', { transfer_allow: ['198.51.100.4'] }, { transfer_allow: ['any'] }, 'high', 'R-VAL-WORDS'],
    ['ping_uptime_check', { contact_groups: ['118'] }, { contact_groups: [] }, 'high', 'R-VAL-WORDS'],
    ['ping_uptime_check', { contact_groups: ['118'] }, { contact_groups: ['118', '119'] }, 'low'],
    ['sealwright_issuer', { path_length: 0 }, { path_length: -1 }, 'high', 'R-VAL-WORDS'],
    ['sealwright_issuer', { crl_interval: '6h' }, { crl_interval: '0' }, 'high', 'R-VAL-WORDS'],
    ['parcel_channel', { poison_channel: 'orders-poison' }, { poison_channel: '' }, 'high', 'R-VAL-WORDS'],
    ['archivum_legal_hold', { status: 'active' }, { status: 'released' }, 'high', 'R-VAL-WORDS'],
    ['vaultspan_wallet', { withdrawal_delay_hours: 48 }, { withdrawal_delay_hours: 0 }, 'high', 'R-VAL-WORDS'],
    ['promptgate_agent', { tools_allowed: ['search'] }, { tools_allowed: ['search', 'shell'] }, 'high', 'R-VAL-WORDS'],
    ['promptgate_agent', { tools_allowed: ['search', 'shell'] }, { tools_allowed: ['search'] }, 'low'],
  ]);
});

describe('groups to which everybody belongs', () => {
  testLevels([
    ['ferry_guard', { break_glass_group: 'sre-leads' }, { break_glass_group: 'all-staff' }, 'high', 'R-VAL-WILDCARD'],
    ['doorway_access', { groups: ['ops'] }, { groups: ['ops', 'all-badges'] }, 'high', 'R-VAL-WILDCARD'],
    ['doorway_access', { groups: ['ops'] }, { groups: ['ops', 'night-staff'] }, 'medium'],
  ]);
});
