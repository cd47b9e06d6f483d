import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { newId } from '../../../server/lib/ids.ts';
import type { Principal } from '../../../server/lib/principal.ts';

export const PERIOD = { period_start: new Date('2026-01-01T00:00:00Z'), period_end: new Date('2026-02-01T00:00:00Z') };
/** Texts that a careless writer of CSV, JSON, ZIP or PDF gets wrong. */
export const HOSTILE = '=HYPERLINK("http://x","a"),\r\n"Größe" – 資源 \u2028';

const at = (text: string) => new Date(`2026-${text}Z`);
const stableKey = (name: string) => createHash('sha256').update(name).digest();

interface Item {
  name: string;
  first: string;
  level?: string;
  suppressed?: boolean;
}

/**
 * An organization with evidence in January 2026: an account with three comparisons, scans, rules, sources and decisions.
 *
 * Findings: `fixed` (critical) from 2 to 3 January, `late` (high) from 2 to 20 January, `open` (medium) from 2 January,
 * `accepted` (low) suppressed, and `before`, which was resolved in December.
 */
export async function insertEvidence(db: Knex, org_id: string, { user }: Principal): Promise<{ account_id: string }> {
  const account_id = newId();
  const created_at = at('01-01T00:00:00');
  await db('cloud_accounts').insert({
    id: account_id,
    org_id,
    provider: 'aws',
    display_name: HOSTILE.slice(0, 40),
    external_account_id: '123456789012',
    credential_type: 'aws_role',
    credentials_ct: Buffer.alloc(1),
    status: 'active',
    regions: [],
    enabled: true,
    created_by: user.id,
    created_at,
    updated_at: created_at,
  });
  const fixed = { name: 'fixed', first: '01-02T00:00:00', level: 'critical' };
  const late = { name: 'late', first: '01-02T00:00:00', level: 'high' };
  const open = { name: 'open', first: '01-02T00:00:00', level: 'medium' };
  const accepted = { name: 'accepted', first: '01-03T06:00:00', level: 'low', suppressed: true };
  const account = { db, org_id, account_id };
  await insertComparison(account, '2025-12-20T00:00:00Z', [{ name: 'before', first: '01-01T00:00:00' }], 70);
  await insertComparison(account, '2025-12-30T00:00:00Z', [], 75);
  await insertComparison(account, '2026-01-02T00:00:00Z', [fixed, late, open], 80);
  await insertComparison(account, '2026-01-03T06:00:00Z', [late, open, accepted], 82.5);
  await insertComparison(account, '2026-01-20T00:00:00Z', [open, accepted], 90);
  await insertConfiguration(db, org_id, user.id);
  return { account_id };
}

interface Account {
  db: Knex;
  org_id: string;
  account_id: string;
}

/** A scan, its drift snapshot, and a set of items of its own. */
async function insertComparison(account: Account, time: string, items: Item[], coverage_pct: number): Promise<void> {
  const { db, org_id, account_id: cloud_account_id } = account;
  const created_at = new Date(time);
  const scan = { id: newId(), org_id, cloud_account_id, created_at };
  const ended = { status: 'done', finished_at: created_at, resource_count: 10 };
  await db('scan_runs').insert({ ...scan, kind: 'cloud', scan_type: 'scheduled', provider: 'aws', ...ended });
  const items_id = newId();
  const set = { id: items_id, org_id, cloud_account_id, content_hash: stableKey(time), item_count: items.length };
  await db('drift_item_sets').insert({ ...set, created_at, last_used_at: created_at });
  for (const [position, item] of items.entries()) await insertItem(db, { org_id, items_id, position }, item);
  const counts = { changed_count: items.length, extra_count: 2, matched_count: 8, missing_count: 0 };
  const others = { parse_failure_count: 0, not_checked_count: 0, excluded_count: 0, ignored_count: 0 };
  await db('drift_snapshots').insert({
    id: newId(),
    org_id,
    scan_run_id: scan.id,
    cloud_account_id,
    items_id,
    created_at,
    drift_status: 'drifted',
    ...counts,
    ...others,
    total_iac: 8,
    total_live: 10,
    coverage_pct,
    risk_level: 'high',
    narrative_status: 'none',
    notes: '[]',
  });
}

async function insertItem(
  db: Knex,
  where: { org_id: string; items_id: string; position: number },
  { name, first, level = 'low', suppressed = false }: Item,
): Promise<void> {
  await db('drift_items').insert({
    ...where,
    id: newId(),
    stable_key: stableKey(name),
    drift_type: 'changed',
    first_detected_at: name === 'before' ? new Date('2025-12-20T00:00:00Z') : at(first),
    resource_address: `aws_s3_bucket.${name}`,
    resource_type: 'aws_s3_bucket',
    normalized_type: 'storage',
    tags: '{}',
    categories: ['storage'],
    certainty: 'confirmed',
    level,
    level_rank: 1,
    reasons: JSON.stringify([{ rule_id: 'R-B' }, { rule_id: 'R-A' }, { rule_id: 'R-B' }]),
    attributes: '[]',
    attributes_total: 0,
    suppressed,
  });
}

async function insertConfiguration(db: Knex, org_id: string, user_id: string): Promise<void> {
  const created_at = at('01-05T00:00:00');
  const rule = { id: newId(), org_id, rule_type: 'risk', name: HOSTILE.slice(0, 60), description: '', config: '{}' };
  await db('custom_rules').insert({ ...rule, created_by: user_id, created_at, updated_at: created_at });
  const source = { id: newId(), org_id, kind: 's3', display_name: '-1+1', config_ct: Buffer.from('config-canary') };
  await db('state_sources').insert({ ...source, location_key: stableKey('source'), created_at });
  const disabled = { id: newId(), org_id, rule_type: 'noise', builtin_rule_id: 'N-1', reason: '@reviewed' };
  await db('disabled_rules').insert({ ...disabled, disabled_by: user_id, created_at });
  await db('risk_policies').insert({ org_id, version: 1, rules: '[]', updated_by: user_id, updated_at: created_at });
  const analysis = { id: newId(), org_id, kind: 'analysis', scan_type: 'webhook', commit_sha: 'abc', pr_number: 7 };
  await db('scan_runs').insert({ ...analysis, status: 'error', created_at, finished_at: created_at });
}
