import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import type { PlanAnalysis } from '../../../engine/index.ts';
import { NO_ORG_RULES, type OrgRules, type RunContext } from '../../../engine/rules/index.ts';
import { errorCode } from '../../lib/error-code.ts';
import { LARGEST_REQUEST_BYTES } from './budgets.ts';
import type { PlanPool } from './index.ts';
import type { ArchiveOptions, OpenedArchive, OrgJudgement } from './tasks.ts';

const unpack = promisify(brotliDecompress);

/** Longer than any task can run, so it affects only tasks that wait for a thread. */
const MAX_WAIT_MS = 600_000;
const NOISE_KEY_BYTES = 32;
/** Size that is parsed within a few milliseconds. */
const PARSED_AT_ONCE_BYTES = 262_144;
const NO_PAYLOAD = 'null';

/** Reads and evaluates plans for callers outside of the worker. */
export function createPlanReader(pool: Pick<PlanPool, 'openArchive' | 'analyze' | 'trimJson'>) {
  function openArchive(org_id: string, zip: Uint8Array, options: ArchiveOptions): Promise<OpenedArchive> {
    return pool.openArchive(org_id, zip, options, AbortSignal.timeout(MAX_WAIT_MS));
  }

  async function judge(
    org_id: string,
    payload: Uint8Array,
    { book, repo, branch }: { book: RuleBookBody | null } & Omit<RunContext, 'now'>,
  ): Promise<PlanAnalysis | { error: string }> {
    const judgement = toJudgement(book, { repo, branch, now: new Date() });
    const options = { judgement, send_values: null, likely_benign: [], from_archive: true };
    // A copy, because the thread keeps its input.
    const analyzed = await pool.analyze(org_id, Uint8Array.from(payload), options, AbortSignal.timeout(MAX_WAIT_MS));
    return 'fault' in analyzed ? { error: analyzed.fault.message } : (JSON.parse(analyzed.text) as PlanAnalysis);
  }

  /** The payload of a delivery, small enough to be parsed on an event loop. */
  async function readPayload(org_id: string, raw: Buffer): Promise<Buffer> {
    if (raw.length <= PARSED_AT_ONCE_BYTES) return raw;
    return Buffer.from((await pool.trimJson(org_id, raw)) ?? NO_PAYLOAD);
  }

  return { openArchive, judge, readPayload };
}

/** Whether a pruned and compressed plan is no larger than a plan that a request can contain. */
export async function fitsAnalysis(payload: Uint8Array): Promise<boolean> {
  try {
    await unpack(payload, { maxOutputLength: LARGEST_REQUEST_BYTES });
    return true;
  } catch (error) {
    if (errorCode(error) === 'ERR_BUFFER_TOO_LARGE') return false;
    throw error;
  }
}

/** The contract's RuleBook. */
type RuleBookBody = { fingerprint_key: string } & Record<keyof OrgRules, unknown>;

function toJudgement(book: RuleBookBody | null, context: RunContext): OrgJudgement {
  if (book === null) return builtinJudgement(context);
  const { fingerprint_key, ...rules } = book;
  return { noise_key: Buffer.from(fingerprint_key, 'base64'), rules: rules as OrgRules, context };
}

/**
 * The rule book of an organization without rules. Fingerprints of values are useless outside, because the key is not
 * stored.
 */
function builtinJudgement(context: RunContext): OrgJudgement {
  return { noise_key: randomBytes(NOISE_KEY_BYTES), rules: NO_ORG_RULES, context };
}
