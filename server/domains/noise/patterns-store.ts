import type { Db } from '../../db/index.ts';
import { repoKey } from './keys.ts';
import type { NoiseSettings, Pattern, PatternFilter } from './types.ts';

/** Settings of an organization that never changed them. */
const DEFAULT_SETTINGS: NoiseSettings = { recurrence_threshold: 3, window_days: 30 };
const MOST_PATTERNS = 500;

/** Whether sightings must be counted or removed. */
export async function isUnsettled(db: Db, orgId: string, now: Date): Promise<boolean> {
  const { rows } = await db.raw(
    `select exists (select from noise_inbox where org_id = :org_id)
       or exists (select from noise_sightings where org_id = :org_id and counted_until <= :now) as unsettled`,
    { org_id: orgId, now },
  );
  return rows[0].unsettled;
}

export async function getSettings(db: Db, orgId: string): Promise<NoiseSettings> {
  const row = await db('noise_settings').where({ org_id: orgId }).first('recurrence_threshold', 'window_days');
  return row ?? DEFAULT_SETTINGS;
}

/**
 * Locks the settings until the transaction ends, so that counting is serialized per organization. Taken before any
 * counting.
 */
export async function lockSettings(db: Db, orgId: string): Promise<NoiseSettings> {
  const [row] = await db('noise_settings')
    .insert({ org_id: orgId, ...DEFAULT_SETTINGS })
    .onConflict('org_id')
    .merge(['org_id'])
    .returning(['recurrence_threshold', 'window_days']);
  return row as NoiseSettings;
}

export async function setSettings(db: Db, orgId: string, settings: NoiseSettings): Promise<void> {
  await db('noise_settings').where({ org_id: orgId }).update(settings);
}

/** Up to 500 patterns above the threshold, most frequent first. */
export async function listPatterns(
  db: Db,
  orgId: string,
  filter: PatternFilter & { recurrence_threshold: number; now: Date },
): Promise<Pattern[]> {
  const { repo_owner, repo_name, include_suppressed, recurrence_threshold, now } = filter;
  // Read once and hashed, because an organization has a limited number. For a join or a lookup per row, the planner
  // uses outdated statistics and is wrong by a factor of thousands after many insertions.
  const suppressed = db.raw(
    `p.pair_id in (select s.pair_id from noise_suppressions s
       where s.org_id = ? and s.deleted_at is null and coalesce(s.expires_at, 'infinity') > ?)`,
    [orgId, now],
  );
  const query = db('noise_patterns as p')
    .where('p.org_id', orgId)
    // Repeats the threshold as a constant, so that the partial index on counts of two or more can be used.
    .whereRaw('p.window_count > 1')
    .where('p.window_count', '>', recurrence_threshold);
  if (repo_owner !== undefined && repo_name !== undefined) {
    const key = repoKey('cast(? as text)', 'cast(? as text)');
    query.whereRaw(`p.repo_key = (select ${key})`, [repo_owner, repo_name]);
  } else {
    if (repo_owner !== undefined) query.where('p.repo_owner', repo_owner);
    if (repo_name !== undefined) query.where('p.repo_name', repo_name);
  }
  if (!include_suppressed) query.whereRaw('not ?', [suppressed]);
  return query
    .orderBy(['p.window_count', 'p.last_seen', 'p.pair_id', 'p.repo_key'].map((column) => ({ column, order: 'desc' })))
    .limit(MOST_PATTERNS)
    .select(
      'p.fingerprint',
      'p.resource_address',
      'p.resource_type',
      'p.attribute',
      'p.action',
      'p.classification',
      'p.matched_rule_id',
      'p.matched_custom_rule_id',
      'p.repo_owner',
      'p.repo_name',
      'p.first_seen',
      'p.last_seen',
      'p.window_count as occurrence_count',
      include_suppressed ? db.raw('? as suppressed', [suppressed]) : db.raw('false as suppressed'),
    );
}

/** The pattern at its most frequent address; the latest if several are equal. */
export async function findPattern(db: Db, orgId: string, fingerprint: string): Promise<Pattern | undefined> {
  return db('noise_patterns')
    .where({ org_id: orgId, fingerprint })
    .orderBy(['window_count', 'last_seen', 'resource_address'].map((column) => ({ column, order: 'desc' })))
    .first(
      'fingerprint',
      'resource_address',
      'resource_type',
      'attribute',
      'action',
      'classification',
      'matched_rule_id',
      'matched_custom_rule_id',
      'repo_owner',
      'repo_name',
      'first_seen',
      'last_seen',
      'window_count as occurrence_count',
      db.raw('false as suppressed'),
    );
}

/** At how many addresses of any repository the pattern occurs; at most `most`. */
export async function countAddresses(db: Db, orgId: string, fingerprint: string, most: number): Promise<number> {
  const { rows } = await db.raw(
    `select count(*)::int as count
     from (select from noise_patterns where org_id = ? and fingerprint = ? limit ?) as known`,
    [orgId, fingerprint, most],
  );
  return rows[0].count;
}
