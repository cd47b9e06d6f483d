import { setFlagsFromString } from 'node:v8';
import {
  createAnalysis,
  type PlanAnalysis,
  type RiskLevel,
  type RuleBook,
  renderMarkdown,
  renderText,
} from '../../../engine/index.ts';
import { EXIT_TOO_RISKY, isRefused } from '../gate.ts';
import { readInput } from '../input.ts';
import { wantsColor } from '../terminal.ts';

export interface AnalyzeCommandOptions {
  format: 'text' | 'json' | 'markdown';
  failOn?: RiskLevel;
  top: number;
  /** File with the rules of the org. */
  rules?: string;
  /** What rules about repository and branch are asked of. */
  repo?: string;
  branch?: string;
}

/** Judges one plan, prints the result and sets the exit code. */
export async function analyze(path: string, options: AnalyzeCommandOptions): Promise<void> {
  // By default the heap may grow to four times of what lives; a CI runner has better use for that memory.
  setFlagsFromString('--heap-growing-percent=30');
  const analysis = createAnalysis(await rulesOf(options));
  for await (const chunk of readInput(path)) analysis.write(chunk);
  const result = analysis.end();
  if (isRefused(result, options.failOn)) process.exitCode = EXIT_TOO_RISKY;
  process.stdout.write(render(result, options));
}

/** The language of rules is loaded only where there are some. */
async function rulesOf({ rules, repo, branch }: AnalyzeCommandOptions): Promise<{ book?: RuleBook }> {
  if (rules === undefined) return {};
  const { readRules } = await import('../rules-file.ts');
  return { book: await readRules(rules, { repo: repo ?? null, branch: branch ?? null, now: new Date() }) };
}

function render(result: PlanAnalysis, { format, top }: AnalyzeCommandOptions): string {
  if (format === 'json') return `${JSON.stringify(result, null, 2)}\n`;
  if (format === 'markdown') return renderMarkdown(result, { top });
  return renderText(result, { color: wantsColor(process.stdout), top, width: process.stdout.columns ?? 100 });
}
