/** Compares the verdict of a tool on one labeled plan with its label. */
import type { RiskLevel } from '../../engine/index.ts';
import { collectMarkedStrings, findMainProvider, parsePlain } from './corpus-plan.ts';
import { rateWithEngine } from './engine-verdict.ts';
import { isWithin, type Label } from './score-labels.ts';
import type { RatedChange, Verdict } from './verdict.ts';

export interface PlanScore {
  label: Label;
  /** The provider of most changes; `-` if nothing changes. */
  provider: string;
  /** null if the plan was refused. */
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

/** Which verdicts on single changes a tool gives. The others are not scored. */
export interface Scope {
  levels: boolean;
  noise: boolean;
}

/** Analyzes a plan with our own engine and compares the result with its label. */
export function scorePlan(bytes: Buffer, label: Label): PlanScore {
  return scoreVerdict(rateWithEngine(bytes), bytes, label, { levels: true, noise: true });
}

/** Compares the verdict of any tool on a plan with the label of the plan. */
export function scoreVerdict(verdict: Verdict, bytes: Buffer, label: Label, scope: Scope): PlanScore {
  const plan = parsePlain(bytes);
  const secrets = new Set([...label.secrets, ...(plan === undefined ? [] : collectMarkedStrings(plan))]);
  const leaks = [...secrets].filter((secret) => isShown(secret, verdict.shown));
  const misses = describePlanMiss(verdict, label, leaks);
  const keys = scope.levels ? scoreKeys(verdict, label, misses) : { hit: 0, of: 0 };
  const noise = scope.noise ? scoreNoise(verdict, label, misses) : { found: 0, false: 0, expected: 0 };
  misses.push(...leaks.map((secret) => `shows a secret: ${secret.slice(0, 4)}…`));
  const provider = plan === undefined ? '-' : findMainProvider(plan);
  return { label, provider, level: verdict.level, misses, reasons: verdict.reasons, keys, noise, leaks: leaks.length };
}

function isShown(secret: string, shown: string): boolean {
  return shown.includes(secret) || shown.includes(JSON.stringify(secret).slice(1, -1));
}

function describePlanMiss({ level, refusal }: Verdict, { acceptable }: Label, leaks: readonly string[]): string[] {
  if (acceptable === '' || (level !== null && isWithin(level, acceptable))) return [];
  if (level !== null) return [`${level}, not ${acceptable}`];
  // The message of a tool may quote the plan.
  return [`refused: ${leaks.reduce((text, secret) => text.replaceAll(secret, '…'), refusal ?? '')}`];
}

/** A change that the tool does not list. */
const UNLISTED: RatedChange = { level: 'none', noise: 'novel' };

function scoreKeys({ level: plan_level, changes }: Verdict, label: Label, misses: string[]): Rate {
  const of = label.key_addresses.length;
  if (plan_level === null) return { hit: 0, of };
  let hit = 0;
  for (const [address, band] of label.key_addresses) {
    const { level } = changes?.get(address) ?? UNLISTED;
    if (isWithin(level, band)) hit += 1;
    else misses.push(`${address} is ${level}, not ${band}`);
  }
  return { hit, of };
}

function scoreNoise({ level, changes }: Verdict, label: Label, misses: string[]): PlanScore['noise'] {
  const noise = { found: 0, false: 0, expected: 0 };
  for (const [address, expected] of label.noise_expected) {
    const isBenign = (changes?.get(address) ?? UNLISTED).noise === 'benign';
    if (expected === 'benign') noise.expected += 1;
    if (isBenign) noise[expected === 'benign' ? 'found' : 'false'] += 1;
    if (level !== null && isBenign !== (expected === 'benign')) {
      misses.push(`${address} is ${isBenign ? 'noise' : 'novel'}, not ${expected}`);
    }
  }
  return noise;
}
