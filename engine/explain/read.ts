import { compareLevels, stepUp } from '../model/levels.ts';
import type { Change, Explanation, PlanAnalysis, RiskLevel } from '../model/result.ts';
import { type Answer, validateAnswer } from './answer.ts';
import type { ClaimContext } from './claims.ts';
import { readConcerns } from './concerns.ts';
import { createDropped } from './dropped.ts';
import { findChangeIndex } from './find-change.ts';
import { createNameFinder } from './names.ts';
import { applyProposals } from './raise.ts';
import { type Reader, readReason, readSentences, takeFitting } from './read-sentences.ts';
import type { PlanFacts, Proposal, Reading, Unusable } from './types.ts';

const MAX_SENTENCES = 5;
const MAX_PARAGRAPH = 900;
const MAX_CHECKS = 5;
const MAX_CHECK = 250;
const MAX_NOTE = 200;
const MAX_NOTES = 60;

/**
 * Reads an answer to `buildPrompt` and checks it sentence by sentence. Drops sentences that invent a name or a number,
 * contradict the analysis, decide about the plan, or contain active markup.
 *
 * @param known from the prompt
 * @returns `unusable` if the answer does not match the schema, or if no explanation remains
 */
export function readAnswer(text: string, analysis: PlanAnalysis, known: PlanFacts): Reading | Unusable {
  const answer = validateAnswer(text);
  if ('unusable' in answer) return answer;
  const dropped = createDropped();
  const finder = createNameFinder(known);
  const proposalReader = { known, finder, dropped, context: buildClaimContext(analysis, analysis, true) };
  const proposals = readProposals(answer, analysis, proposalReader);
  const overall = readOverall(answer, analysis, proposalReader);
  const raised = applyProposals(analysis, proposals, overall);

  const reader = { known, finder, dropped, context: buildClaimContext(analysis, raised, false) };
  const what_will_happen = readParagraph(answer.what_will_happen, reader);
  const why_it_matters = readParagraph(answer.why_it_matters, reader);
  const what_to_check = readChecks(answer.what_to_check, reader);
  if (what_will_happen === '' && why_it_matters === '')
    return { unusable: 'the model’s answer could not be verified against the plan' };
  return {
    what_will_happen,
    why_it_matters,
    what_to_check,
    notes: readNotes(answer, analysis, reader),
    proposals,
    overall,
    ...(answer.concerns === undefined
      ? {}
      : { concerns: readConcerns(answer.concerns, analysis, { ...reader, known }) }),
    dropped: dropped.list,
  };
}

/**
 * Context with the levels that a sentence may state: those of the raised analysis.
 *
 * @param proposing also allows one level higher, because a reason may state the proposed level
 */
function buildClaimContext(analysis: PlanAnalysis, raised: PlanAnalysis, proposing: boolean): ClaimContext {
  const levels = new Map(raised.changes.map(({ id, risk }) => [id, risk.level]));
  const withStep = (level: RiskLevel) => (proposing ? [level, stepUp(level)] : [level]);
  return {
    analysis,
    plan_levels: withStep(raised.risk_level),
    allowedLevels: (change) => withStep(levels.get(change.id) ?? change.risk.level),
  };
}

function readProposals(answer: Answer, analysis: PlanAnalysis, reader: Reader): Proposal[] {
  const proposals = new Map<string, Proposal>();
  for (const { address, level, reason } of answer.proposals) {
    const change = findChange(address, analysis, reader);
    if (change === undefined) reader.dropped.add(`proposal for ${address}`, 'is not a change of this plan');
    else if (proposals.has(change.address)) reader.dropped.add(`proposal for ${address}`, 'is a duplicate');
    else if (compareLevels(level, change.risk.level) <= 0) {
      if (level !== change.risk.level) reader.dropped.add(`proposal for ${address}`, 'would lower a level');
    } else {
      const plain = readReason(reason, reader, change);
      if (plain !== '') proposals.set(change.address, { address: change.address, level, reason: plain });
      else reader.dropped.add(`proposal for ${address}`, 'has no acceptable reason');
    }
  }
  return [...proposals.values()];
}

function readOverall({ overall }: Answer, analysis: PlanAnalysis, reader: Reader): Reading['overall'] {
  if (overall === null || overall.level === analysis.risk_level) return null;
  if (compareLevels(overall.level, analysis.risk_level) < 0) {
    reader.dropped.add(`overall ${overall.level}`, 'would lower a level');
    return null;
  }
  const reason = readReason(overall.reason, reader);
  if (reason === '') reader.dropped.add(`overall ${overall.level}`, 'has no acceptable reason');
  return reason === '' ? null : { level: overall.level, reason };
}

function findChange(address: string, { changes }: PlanAnalysis, { known }: Reader): Change | undefined {
  const index = findChangeIndex(address, known);
  return index === undefined ? undefined : changes[index];
}

function readParagraph(text: string, reader: Reader): string {
  const sentences = readSentences(text, reader).slice(0, MAX_SENTENCES);
  return takeFitting(sentences, ({ markdown }) => markdown, MAX_PARAGRAPH)
    .map(({ markdown }) => markdown)
    .join(' ');
}

function readChecks(texts: readonly string[], reader: Reader): Explanation['what_to_check'] {
  const checks = new Map<string, string[]>();
  for (const given of texts.slice(0, MAX_CHECKS * 2)) {
    const sentences = takeFitting(readSentences(given, reader), ({ markdown }) => markdown, MAX_CHECK);
    const text = sentences.map(({ markdown }) => markdown).join(' ');
    if (text !== '' && checks.size < MAX_CHECKS)
      checks.set(
        text,
        sentences.flatMap(({ addresses }) => addresses),
      );
  }
  return [...checks].map(([text, addresses]) => ({ text, addresses: [...new Set(addresses)] }));
}

function readNotes(answer: Answer, analysis: PlanAnalysis, reader: Reader): Reading['notes'] {
  const notes = new Map<string, string>();
  for (const { address, note } of answer.notes) {
    const change = findChange(address, analysis, reader);
    if (change === undefined) reader.dropped.add(`note for ${address}`, 'is not a change of this plan');
    else if (!notes.has(change.address) && notes.size < MAX_NOTES) {
      const sentences = takeFitting(readSentences(note, reader, change), ({ markdown }) => markdown, MAX_NOTE);
      if (sentences.length > 0) notes.set(change.address, sentences.map(({ markdown }) => markdown).join(' '));
    }
  }
  return [...notes].map(([address, note]) => ({ address, note }));
}
