import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { compactPlan, type PlanLimits } from '../../../engine/index.ts';
import { InvalidInput } from '../../lib/errors.ts';
import { parseStrictJson } from '../../lib/strict-json.ts';
import { toPlanFault } from './fault.ts';
import type { IntakeReply } from './tasks.ts';

/** Over HTTP; the CLI has no limit of this kind. */
export const HTTP_LIMITS: PlanLimits = { max_resource_changes: 20_000 };

/** Members of the body that the contract check still sees; more than these is wrong in any case. */
const MAX_MEMBERS = 50;
const MAX_CI_CHARS = 32_768;
/** Brotli at this quality is quicker than gzip at its quickest, and smaller, on plans. */
const QUICK = 1;

/** Reads an analyze body: proves that `plan_json` is a plan, prunes it to what is read later, and compresses it. */
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

/** The body with everything large replaced by a stand-in of its JSON type, so that it crosses threads cheaply. */
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
