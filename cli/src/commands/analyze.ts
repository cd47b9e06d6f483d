import { setFlagsFromString } from 'node:v8';
import {
  compareLevels,
  createAnalysis,
  type PlanAnalysis,
  type RiskLevel,
  renderMarkdown,
  renderText,
} from '../../../engine/index.ts';
import { readInput } from '../input.ts';
import { wantsColor } from '../terminal.ts';

export interface AnalyzeCommandOptions {
  format: 'text' | 'json' | 'markdown';
  failOn?: RiskLevel;
  top: number;
}

/** Exit code when the plan's risk reaches `--fail-on`; 1 is for a plan that could not be judged. */
const EXIT_TOO_RISKY = 2;

/** Judges one plan, prints the result and sets the exit code. */
export async function analyze(path: string, options: AnalyzeCommandOptions): Promise<void> {
  // By default the heap may grow to four times of what lives; a CI runner has better use for that memory.
  setFlagsFromString('--heap-growing-percent=30');
  const analysis = createAnalysis();
  for await (const chunk of readInput(path)) analysis.write(chunk);
  const result = analysis.end();
  const { failOn } = options;
  if (failOn !== undefined && compareLevels(result.risk_level, failOn) >= 0) process.exitCode = EXIT_TOO_RISKY;
  process.stdout.write(render(result, options));
}

function render(result: PlanAnalysis, { format, top }: AnalyzeCommandOptions): string {
  if (format === 'json') return `${JSON.stringify(result, null, 2)}\n`;
  if (format === 'markdown') return renderMarkdown(result, { top });
  return renderText(result, { color: wantsColor(process.stdout), top, width: process.stdout.columns ?? 100 });
}
