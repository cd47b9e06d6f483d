import { partitionChanges, plural } from '../model/counts.ts';
import type { Change, PlanAnalysis } from '../model/result.ts';
import { cell, cells, sentence } from '../render/cells.ts';
import { collectProofs } from '../render/proofs.ts';
import { type Block, type Piece, RANKS } from './pack.ts';
import type { NoiseHistory } from './types.ts';

const HEAD = '| Reason | Changes | Resources |\n|---|--:|---|';
const NOISE = 'ignored as noise';
const MAX_EXAMPLES = 3;

/** The noise of a plan, one row per reason. */
export function noiseBlock(analysis: PlanAnalysis, history: NoiseHistory): Block[] {
  const { noise: noisy, noise_unlisted } = partitionChanges(analysis);
  const count = noisy.length + noise_unlisted;
  if (count === 0) return [];
  const proofs = collectProofs(noisy);
  const groups = new Map<string, Change[]>();
  for (const change of noisy) {
    const known = describeSource(change, proofs);
    const group = groups.get(known);
    if (group === undefined) groups.set(known, [change]);
    else group.push(change);
  }
  const pieces = [...groups].map(([known, group]): Piece => {
    const write = () => formatRow(known, group, history);
    return { rank: RANKS.noise, kind: NOISE, count: group.length, weight: group.length, write };
  });
  if (noise_unlisted > 0) {
    const write = () => `| not listed in the result | ${noise_unlisted} | |`;
    pieces.push({ rank: RANKS.noise, kind: NOISE, count: noise_unlisted, write });
  }
  const open = `<details><summary>Ignored as noise (${count})</summary>\n\n${HEAD}\n`;
  return [{ open, close: '\n\n</details>', pieces }];
}

/** Why a change is noise, as Markdown. */
function describeSource({ address, noise }: Change, proofs: ReadonlyMap<string, string>): string {
  const proof = proofs.get(address);
  if (noise.suppression_id !== null) return 'suppressed by your organization';
  if (noise.matched_custom_rule_id !== null) return 'rule of your organization';
  const rule = noise.matched_rule_id;
  if (rule !== null) return proof === undefined ? cell(rule) : `${cell(rule)}: ${proof}`;
  return proof ?? 'likely benign';
}

function formatRow(known: string, group: readonly Change[], history: NoiseHistory): string {
  const addresses = group.map(({ address }) => address);
  const examples = cells(addresses, group.length, MAX_EXAMPLES);
  return `| ${known}${formatHistory(group, history)} | ${group.length} | ${examples} |`;
}

/** The highest occurrence count of the patterns and the earliest date any of them was seen. */
function formatHistory(group: readonly Change[], history: NoiseHistory): string {
  const patterns = group.flatMap(({ noise }) =>
    noise.fingerprints.flatMap((fingerprint) => history.get(fingerprint) ?? []),
  );
  if (patterns.length === 0) return '';
  const first = patterns.map(({ first_seen }) => first_seen).sort()[0] ?? '';
  const count = Math.max(...patterns.map(({ occurrence_count }) => occurrence_count));
  return sentence(`, seen ${plural(count, 'time')} since ${first.slice(0, 10)}`);
}
