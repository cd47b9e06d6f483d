/** Compares the verdict on one labeled plan with its label, and adds up the results of many plans. */
import { documentParsers } from '../../engine/documents/index.ts';
import {
  analyzePlan,
  type Change,
  compareLevels,
  type PlanAnalysis,
  PlanError,
  type RiskLevel,
  renderMarkdown,
  renderText,
} from '../../engine/index.ts';
import { collectMarkedStrings, parsePlain } from './corpus-plan.ts';
import { isWithin, type Label } from './score-labels.ts';

export interface PlanScore {
  label: Label;
  /** The provider of most changes; `-` if nothing changes. */
  provider: string;
  /** null if the plan was rejected. */
  level: RiskLevel | null;
  misses: string[];
  reasons: string[];
  keys: Rate;
  noise: { found: number; false: number; expected: number };
  leaks: number;
}

export interface Rate {
  hit: number;
  of: number;
}

export interface Scorecard {
  plans: number;
  exact: Rate;
  in_band: Rate;
  /** Expected high or critical, and rated high or critical. */
  dangerous: Rate;
  /** Expected none or low, and rated high or critical. */
  false_alarms: Rate;
  key_addresses: Rate;
  noise_precision: Rate;
  noise_recall: Rate;
  secrets_leaked: number;
}

/** Analyzes a plan and compares the result with its label. */
export function scorePlan(bytes: Buffer, label: Label): PlanScore {
  try {
    return scoreAnalysis(
      analyzePlan(bytes, { max_changes: Number.POSITIVE_INFINITY, parsers: () => documentParsers }),
      bytes,
      label,
    );
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    const nothing = { keys: { hit: 0, of: 0 }, noise: { found: 0, false: 0, expected: 0 }, leaks: 0 };
    const misses = label.acceptable === '' ? [] : [`refused: ${error.message}`];
    return { label, provider: '-', level: null, misses, reasons: [], ...nothing };
  }
}

function scoreAnalysis(analysis: PlanAnalysis, bytes: Buffer, label: Label): PlanScore {
  const changes = new Map(analysis.changes.map((change) => [change.address, change]));
  const misses: string[] = [];
  const level = analysis.risk_level;
  if (label.acceptable !== '' && !isWithin(level, label.acceptable)) misses.push(`${level}, not ${label.acceptable}`);
  const keys = scoreKeys(changes, label, misses);
  const noise = scoreNoise(changes, label, misses);
  const leaks = findLeaks(analysis, bytes, label);
  misses.push(...leaks.map((secret) => `shows a secret: ${secret.slice(0, 4)}…`));
  const provider = Object.entries(analysis.summary.by_provider).sort(([, a], [, b]) => b - a)[0]?.[0] ?? '-';
  return { label, provider, level, misses, reasons: describeReasons(analysis), keys, noise, leaks: leaks.length };
}

function scoreKeys(changes: Map<string, Change>, label: Label, misses: string[]): Rate {
  let hit = 0;
  for (const [address, band] of label.key_addresses) {
    const level = changes.get(address)?.risk.level ?? 'none';
    if (isWithin(level, band)) hit += 1;
    else misses.push(`${address} is ${level}, not ${band}`);
  }
  return { hit, of: label.key_addresses.length };
}

function scoreNoise(changes: Map<string, Change>, label: Label, misses: string[]): PlanScore['noise'] {
  const noise = { found: 0, false: 0, expected: 0 };
  for (const [address, expected] of label.noise_expected) {
    const change = changes.get(address);
    const benign = change !== undefined && change.noise.classification !== 'novel';
    if (expected === 'benign') noise.expected += 1;
    if (benign) noise[expected === 'benign' ? 'found' : 'false'] += 1;
    if (benign !== (expected === 'benign')) misses.push(`${address} is ${benign ? 'noise' : 'novel'}, not ${expected}`);
  }
  return noise;
}

/** Labeled secrets, and texts that the plan marks as sensitive, in any output of the engine. */
function findLeaks(analysis: PlanAnalysis, bytes: Buffer, label: Label): string[] {
  const shown = [
    JSON.stringify(analysis),
    renderMarkdown(analysis, { top: 50 }),
    renderText(analysis, { top: 50, color: false }),
  ].join('\n');
  const plan = parsePlain(bytes);
  const secrets = new Set([...label.secrets, ...(plan === undefined ? [] : collectMarkedStrings(plan))]);
  return [...secrets].filter((secret) => shown.includes(secret) || shown.includes(JSON.stringify(secret).slice(1, -1)));
}

function describeReasons({ changes, risk }: PlanAnalysis): string[] {
  const escalations = risk.escalations.map(({ rule_id, level }) => `${level} ${rule_id}`);
  const top = changes.slice(0, 4).map(({ address, action, risk: { level, reasons } }) => {
    const why = reasons.slice(0, 4).map((reason) => `${reason.rule_id}(${reason.path ?? ''})=${reason.level}`);
    return `${level} ${action} ${address.slice(0, 80)}: ${why.join(' ')}`;
  });
  return [...escalations, ...top];
}

/** Adds up the scores of many plans. */
export function buildScorecard(scores: readonly PlanScore[]): Scorecard {
  const rated = scores.filter(({ label }) => label.acceptable !== '');
  const dangerous = rated.filter(
    ({ label }) => isWithin('high', label.expected) || isWithin('critical', label.expected),
  );
  const routine = rated.filter(({ label }) => isWithin('none', label.expected) || isWithin('low', label.expected));
  const sum = (pick: (score: PlanScore) => number) => scores.reduce((total, score) => total + pick(score), 0);
  const found = sum(({ noise }) => noise.found);
  return {
    plans: scores.length,
    exact: computeRate(rated, ({ level, label }) => level === label.expected),
    in_band: computeRate(rated, ({ level, label }) => level !== null && isWithin(level, label.acceptable)),
    dangerous: computeRate(dangerous, isAlarm),
    false_alarms: computeRate(routine, isAlarm),
    key_addresses: { hit: sum(({ keys }) => keys.hit), of: sum(({ keys }) => keys.of) },
    noise_precision: { hit: found, of: found + sum(({ noise }) => noise.false) },
    noise_recall: { hit: found, of: sum(({ noise }) => noise.expected) },
    secrets_leaked: sum(({ leaks }) => leaks),
  };
}

function isAlarm({ level }: PlanScore): boolean {
  return level !== null && compareLevels(level, 'high') >= 0;
}

function computeRate(scores: readonly PlanScore[], isHit: (score: PlanScore) => boolean): Rate {
  return { hit: scores.filter(isHit).length, of: scores.length };
}

/** In percent; null if there was nothing to count. */
export function computePercent({ hit, of }: Rate): number | null {
  return of === 0 ? null : (100 * hit) / of;
}
