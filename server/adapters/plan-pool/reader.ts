import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import type { PlanAnalysis } from '../../../engine/index.ts';
import type { RunContext } from '../../../engine/rules/index.ts';
import { errorCode } from '../../lib/error-code.ts';
import type { PlanPool } from './index.ts';
import type { ArchiveOptions, OpenedArchive, OrgJudgement } from './tasks.ts';

const unpack = promisify(brotliDecompress);

/** Of what is read size and number are bounded, so this is only met by what waits for a thread. */
const TIMEOUT_MS = 600_000;
const NOISE_KEY_BYTES = 32;

/** Reads plans for those who have none of an org's rules at hand. */
export function createPlanReader(pool: Pick<PlanPool, 'openArchive' | 'analyze'>) {
  async function openArchive(zip: Uint8Array, options: ArchiveOptions): Promise<OpenedArchive> {
    try {
      return await pool.openArchive(zip, options, AbortSignal.timeout(TIMEOUT_MS));
    } catch (error) {
      if (!hasCostTooMuch(error)) throw error;
      const refused = 'The archive is not read: opening it takes too much memory.';
      return { plans: [], skipped: 0, unpacked_bytes: options.max_bytes, refused };
    }
  }

  async function planText(payload: Uint8Array): Promise<string> {
    return (await unpack(payload)).toString();
  }

  async function judge(
    payload: Uint8Array,
    { repo, branch }: Omit<RunContext, 'now'>,
  ): Promise<PlanAnalysis | { error: string }> {
    const judgement = builtinJudgement({ repo, branch, now: new Date() });
    const options = { judgement, send_values: null, likely_benign: [] };
    try {
      // A copy: the thread keeps what it is given.
      const analyzed = await pool.analyze(Uint8Array.from(payload), options, AbortSignal.timeout(TIMEOUT_MS));
      return 'fault' in analyzed ? { error: analyzed.fault.message } : (JSON.parse(analyzed.text) as PlanAnalysis);
    } catch (error) {
      if (!hasCostTooMuch(error)) throw error;
      return { error: 'The plan is not judged: that takes too much memory.' };
    }
  }

  return { openArchive, planText, judge };
}

/** That of an org which has decided nothing. Fingerprints of values tell nobody anything: the key is kept nowhere. */
function builtinJudgement(context: RunContext): OrgJudgement {
  const rules = {
    noise_rules: [],
    risk_rules: [],
    disabled: { noise: [], risk: [] },
    suppressions: [],
    policy: { version: 0, rules: [] },
  };
  return { noise_key: randomBytes(NOISE_KEY_BYTES), rules, context };
}

function hasCostTooMuch(error: unknown): boolean {
  return errorCode(error) === 'ERR_WORKER_OUT_OF_MEMORY';
}
