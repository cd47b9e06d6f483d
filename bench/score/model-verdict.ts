/** The verdict of our engine together with the configured model, whose concerns count. */
import { addConcerns, addExplanation, applyProposals, buildPrompt, readAnswer } from '../../engine/explain/index.ts';
import type { PlanAnalysis } from '../../engine/index.ts';
import { compareLevels, maxLevel } from '../../engine/model/levels.ts';
import { analyze, toVerdict } from './engine-verdict.ts';
import { askModel, type Client } from './platform-model.ts';
import type { RatedChange, Verdict } from './verdict.ts';

/**
 * Rates a plan as an organization sees it that sends redacted values to its model and lets concerns count. Without a
 * usable answer, the verdict is that of the rules alone, and its reasons say why.
 */
export async function rateWithModel(bytes: Buffer, client: Client): Promise<Verdict> {
  const analysis = analyze(bytes);
  if ('refusal' in analysis) return analysis;
  const { known, ...prompt } = buildPrompt(analysis, { send_values: 'redacted' });
  const { answer, error } = await askModel(client, prompt);
  if (answer === null) return withoutModel(analysis, error);
  const reading = readAnswer(answer, analysis, known);
  if ('unusable' in reading) return withoutModel(analysis, reading.unusable);
  const { proposals, overall, concerns = [], dropped } = reading;
  const raised = applyProposals(analysis, proposals, overall);
  const explained = addExplanation(
    addConcerns(raised, concerns, (_, level) => ({ level, reasons: [] })),
    reading,
  );
  const verdict = toVerdict(explained);
  const left_out = dropped.map(({ what, why }) => `left out: ${what} ${why}`);
  return { ...verdict, changes: countConcerns(verdict.changes, explained), reasons: [...verdict.reasons, ...left_out] };
}

function withoutModel(analysis: PlanAnalysis, why: string): Verdict {
  const verdict = toVerdict(analysis);
  return { ...verdict, reasons: [`without the model: ${why}`, ...verdict.reasons] };
}

/** A concern counts for the change that it is about. */
function countConcerns(changes: Verdict['changes'], { concerns = [] }: PlanAnalysis): Verdict['changes'] {
  const counted = new Map<string, RatedChange>(changes);
  for (const { address, level } of concerns) {
    const change = counted.get(address);
    if (change === undefined || compareLevels(level, change.level) <= 0) continue;
    counted.set(address, { ...change, level: maxLevel(level, change.level) });
  }
  return counted;
}
