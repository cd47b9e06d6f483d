import { rememberedOf } from '../narrative.ts';
import type { PlanAnalysis } from '../result.ts';
import { plural } from './view.ts';

const UNKNOWN = 'Unknown until apply: ';

/** What no rule could judge, as parts of a sentence in Markdown; empty when everything was judged. */
export function listNotEvaluated({ narrative, summary }: PlanAnalysis): string[] {
  const { unknown, withheld } = rememberedOf(narrative);
  const known_later = unknown.slice(UNKNOWN.length).replace(/\.$/, '');
  // Every new resource has an id that only apply will tell: what no rule asks for is no gap.
  return [
    !unknown.includes(', among them ') ? '' : `${known_later} (known only after apply)`,
    summary.checks.unknown > 0 ? `${plural(summary.checks.unknown, 'check')} of the configuration` : '',
    withheld === '' ? '' : 'values, which were withheld where the plan was made',
  ].filter((part) => part !== '');
}
