import { buildPrompt } from '../../../engine/explain/index.ts';
import {
  createAnalysis,
  type PlanAnalysis,
  PlanError,
  renderMarkdown,
  renderText,
  toSnapshot,
} from '../../../engine/index.ts';
import { compileRules, NO_ORG_RULES, type OrgRules } from '../../../engine/rules/index.ts';
import { HTTP_LIMITS, intake } from '../../../server/adapters/plan-pool/intake.ts';
import { measureThreadMs } from '../../lib/time.ts';

const CONTEXT = { repo: 'acme/shop', branch: 'main', now: new Date('2026-01-01T00:00:00Z') };
const NOISE_KEY = Buffer.alloc(32, 7);

/** CPU time in ms for which each operation blocks its thread. */
export interface Times {
  parse: number;
  intake: number;
  analyze: number;
  render: number;
}

/** Processes a plan as the service does, on the plan thread and after it. */
export function measurePlan(text: string, rules = NO_ORG_RULES): Times {
  const bytes = Buffer.from(text);
  const body = Buffer.from(JSON.stringify({ plan_json: text }));
  const parse = measureThreadMs(() => JSON.parse(text)).ms;
  const taken = measureThreadMs(() => intake(body)).ms;
  const { ms: analyze, result } = measureThreadMs(() => analyzeAsService(bytes, rules));
  const render = result === null ? 0 : measureThreadMs(() => renderAll(result)).ms;
  return { parse, intake: taken, analyze, render };
}

/** As the worker of the plan pool does; null for a rejected plan. */
function analyzeAsService(bytes: Buffer, rules: OrgRules): PlanAnalysis | null {
  const book = compileRules(rules, CONTEXT);
  const analysis = createAnalysis({ noise_key: NOISE_KEY, book, likely_benign: new Set(), limits: HTTP_LIMITS });
  try {
    analysis.write(bytes);
    const result = analysis.end();
    JSON.stringify(result);
    analysis.occurrences();
    analysis.unknownPatterns();
    buildPrompt(result, { send_values: 'redacted' });
    buildPrompt(result, { send_values: 'names_only' });
    return result;
  } catch (error) {
    if (error instanceof PlanError) return null;
    throw error;
  }
}

function renderAll(result: PlanAnalysis): void {
  renderMarkdown(result, { top: 25 });
  renderText(result, { color: false, top: 10 });
  toSnapshot(result);
}
