import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { compactPlan, type PlanLimits } from '../../../engine/index.ts';
import { InvalidInput } from '../../lib/errors.ts';
import { isObject } from '../../lib/is-object.ts';
import { parseStrictJson } from '../../lib/strict-json.ts';
import { toPlanFault } from './fault.ts';
import type { IntakeReply } from './tasks.ts';

/** Limit over HTTP; the CLI has none. */
export const HTTP_LIMITS: PlanLimits = { max_resource_changes: 20_000 };

/** Members of the body that the contract validation sees; a body with more is invalid anyway. */
const MAX_MEMBERS = 50;
const MAX_CI_CHARS = 32_768;
/** For plans, Brotli at this quality is faster than the fastest gzip, and smaller. */
const QUICK = 1;

/**
 * Reads the body of an analyze request: verifies that `plan_json` is a plan, removes what is never read, and compresses
 * it.
 */
export function intake(raw: Uint8Array): IntakeReply {
  let parsed: unknown;
  try {
    parsed = parseStrictJson(raw);
  } catch (error) {
    if (error instanceof InvalidInput) return { refused: { error_class: error.error_class, message: error.message } };
    throw error;
  }
  const body = outline(parsed);
  const plan_json = isObject(parsed) && Object.hasOwn(parsed, 'plan_json') ? parsed['plan_json'] : undefined;
  return { body, plan: typeof plan_json === 'string' ? readPlan(plan_json) : null };
}

function readPlan(plan_json: string): { payload: Uint8Array } | { fault: NonNullable<ReturnType<typeof toPlanFault>> } {
  const bytes = Buffer.from(plan_json);
  try {
    return { payload: pack(compactPlan(bytes, HTTP_LIMITS)) };
  } catch (error) {
    const fault = toPlanFault(error);
    if (fault === undefined) throw error;
    return { fault };
  }
}

export function pack(plan: Uint8Array): Uint8Array {
  return brotliCompressSync(plan, { params: { [constants.BROTLI_PARAM_QUALITY]: QUICK } });
}

export function unpack(payload: Uint8Array): Uint8Array {
  return brotliDecompressSync(payload);
}

/**
 * The body with every large value replaced by a placeholder of its JSON type, so that it can be passed between threads
 * cheaply.
 */
function outline(parsed: unknown): unknown {
  if (!isObject(parsed)) return standIn(parsed);
  const members = Object.entries(parsed).slice(0, MAX_MEMBERS);
  return Object.fromEntries(
    members.map(([name, value]) => [name.slice(0, 200), keeps(name, value) ? value : standIn(value)]),
  );
}

function keeps(name: string, value: unknown): boolean {
  return name === 'ci' && JSON.stringify(value).length <= MAX_CI_CHARS;
}

function standIn(value: unknown): unknown {
  if (typeof value === 'string') return 'text';
  if (Array.isArray(value)) return [];
  return isObject(value) ? {} : value;
}
