import { createHash } from 'node:crypto';
import type { NoiseOccurrence } from '../../../engine/index.ts';
import { createNoise } from '../../../server/domains/noise/index.ts';
import { newId } from '../../../server/lib/ids.ts';
import type { TestDatabase } from '../../helpers/database.ts';
import { recordedAudit } from '../../helpers/recorded-audit.ts';

export const DAY_MS = 86_400_000;

export interface RunInput {
  at?: Date;
  commit?: string | null;
  pull?: number | null;
  repo?: readonly [owner: string, name: string] | null;
  scan_run_id?: string;
}

/** Plan noise on a clock that the test moves, with its audit rows and log lines. */
export function noiseSetup(database: TestDatabase) {
  const audit = recordedAudit();
  const warnings: unknown[] = [];
  const clock = { now: new Date('2026-05-01T12:00:00.000Z') };
  const noise = createNoise({
    db: database.db,
    sweep_db: database.sweeper_db,
    audit,
    log: { warn: (...args: unknown[]) => warnings.push(args) },
    now: () => clock.now,
  });

  /** An analysis with these occurrences that ends now, or at the given time. */
  async function analyze(
    org_id: string,
    occurrences: readonly NoiseOccurrence[],
    input: RunInput = {},
  ): Promise<string> {
    const { at = clock.now, commit = null, pull = null, repo = ['acme', 'infra'], scan_run_id = newId() } = input;
    await database
      .admin_db('scan_runs')
      .insert({ id: scan_run_id, org_id, kind: 'analysis', scan_type: 'manual' })
      .onConflict('id')
      .ignore();
    const [repo_owner, repo_name] = repo ?? [null, null];
    const run = { scan_run_id, repo_owner, repo_name, commit_sha: commit, pr_number: pull, seen_at: at };
    await database.db.inOrg(org_id, (trx) => noise.record(trx, org_id, run, occurrences));
    return scan_run_id;
  }

  /** The patterns as the API lists them. */
  async function list(org_id: string, filter: Parameters<typeof noise.patterns.list>[1]) {
    await noise.patterns.settlePending(org_id);
    return noise.patterns.list(org_id, filter);
  }

  return { noise, audit, warnings, clock, analyze, list };
}

export type NoiseSetup = ReturnType<typeof noiseSetup>;

/** The same name gives the same fingerprint. */
export function hashFingerprint(name: string): string {
  return createHash('md5').update(name).digest('hex');
}

export function occurrence(name: string, fields: Partial<NoiseOccurrence> = {}): NoiseOccurrence {
  return {
    fingerprint: hashFingerprint(name),
    address: `aws_ecs_service.${name}`,
    resource_type: 'aws_ecs_service',
    attribute: 'desired_count',
    action: 'update',
    classification: 'novel',
    matched_rule_id: null,
    matched_custom_rule_id: null,
    ...fields,
  };
}
