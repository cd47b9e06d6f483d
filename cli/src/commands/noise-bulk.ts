import { isGuardedPath } from '../../../engine/index.ts';
import type { Schemas } from '../../../sdk/src/index.ts';
import { splitRepo } from '../ci-context.ts';
import { type Connection, openConnection } from '../connection.ts';
import { Failure } from '../failure.ts';
import type { NoiseOptions } from './noise.ts';
import { writeBulk } from './noise-text.ts';

export interface BulkOptions extends NoiseOptions {
  for: Schemas['SuppressionDuration'];
  reason: string;
  repo?: string;
  /** Fingerprints to accept although they would be left out. */
  also: string[];
  apply?: boolean;
}

type Pattern = Schemas['NoisePattern'];

/** Patterns of one attribute of one resource type. */
export interface PatternGroup {
  resource_type: string;
  attribute: string;
  patterns: Pattern[];
}

export interface Bulk {
  /** The patterns that are accepted, or would be with `--apply`. */
  taken: PatternGroup[];
  /** The patterns that need `--also`, and why. */
  left_out: { pattern: Pattern; why: 'guarded' | 'caution' | 'novel' }[];
  applied: boolean;
}

/** openapi.yaml, SuppressionCreate */
const MAX_PAIRS = 100;
const FINGERPRINT = /^[0-9a-f]{32}$/;

/**
 * Accepts all recurring patterns that are known to have no effect; without `--apply`, only prints them. Leaves out, unless
 * `--also` selects them: patterns that no rule knows, patterns of caution rules, and paths of security, identity,
 * encryption or networks.
 */
export async function suppressRecurring(options: BulkOptions): Promise<void> {
  const invalid = options.also.find((fingerprint) => !FINGERPRINT.test(fingerprint));
  if (invalid !== undefined) throw new Failure(`--also ${invalid}: use the full fingerprint of 32 hexadecimal digits`);
  const connection = await openConnection(options);
  const bulk = groupPatterns(
    await listRecurring(connection, options.repo),
    new Set(options.also),
    options.apply === true,
  );
  if (bulk.applied) await suppressTaken(connection, bulk, options);
  process.stdout.write(options.format === 'json' ? `${JSON.stringify(bulk, null, 2)}\n` : writeBulk(bulk));
}

async function listRecurring({ dpa, org_id }: Connection, repo: string | undefined): Promise<Pattern[]> {
  const query = { ...splitRepo(repo), include_suppressed: false };
  return (await dpa.call('listPlanNoise', { path: { id: org_id }, query })).patterns;
}

function groupPatterns(patterns: readonly Pattern[], also: ReadonlySet<string>, applied: boolean): Bulk {
  const groups = new Map<string, PatternGroup>();
  const left_out: Bulk['left_out'] = [];
  for (const pattern of patterns) {
    const why = also.has(pattern.fingerprint) ? null : findExclusionReason(pattern);
    if (why !== null) {
      left_out.push({ pattern, why });
      continue;
    }
    const { resource_type, attribute } = pattern;
    const key = `${resource_type} ${attribute}`;
    const group = groups.get(key) ?? { resource_type, attribute, patterns: [] };
    group.patterns.push(pattern);
    groups.set(key, group);
  }
  return { taken: [...groups.values()], left_out, applied };
}

function findExclusionReason({
  resource_type,
  attribute,
  classification,
  matched_rule,
}: Pattern): 'guarded' | 'caution' | 'novel' | null {
  if (isGuardedPath(resource_type, attribute)) return 'guarded';
  if (matched_rule?.severity === 'caution') return 'caution';
  return classification === 'novel' ? 'novel' : null;
}

async function suppressTaken({ dpa, org_id }: Connection, { taken }: Bulk, options: BulkOptions): Promise<void> {
  const patterns = taken.flatMap((group) => group.patterns);
  for (let from = 0; from < patterns.length; from += MAX_PAIRS) {
    const batch = patterns.slice(from, from + MAX_PAIRS);
    await dpa.call('suppressPlanNoise', {
      path: { id: org_id },
      body: {
        fingerprints: batch.map(({ fingerprint }) => fingerprint),
        resource_addresses: batch.map(({ resource_address }) => resource_address),
        reason: options.reason,
        duration: options.for,
      },
    });
  }
}
