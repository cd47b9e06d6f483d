import { inertCell } from '../../engine/index.ts';
import type { Schemas } from '../../sdk/src/index.ts';
import { groupByFingerprint, type PlanChange } from './fingerprints.ts';
import { buildTable, writeBody } from './markdown.ts';
import type { CommandContext } from './types.ts';
import { USAGE } from './usage.ts';

type Pattern = Schemas['NoisePattern'];

const MAX_ROWS = 10;
const NEXT_STEPS = `For more: \`${USAGE.explain}\`, \`${USAGE.fix}\`, \`${USAGE.suppress}\`.`;

/** A recurring pattern with all of its occurrences. */
interface Recurring {
  fingerprint: string;
  changes: PlanChange[];
  matches: Pattern[];
  /** Occurrences at the address with the most occurrences. */
  count: number;
}

/** Lists the patterns of these plans that recur in the organization, most frequent first. */
export async function describeNoise({ dpa, org, plans }: CommandContext): Promise<string> {
  const patterns = groupByFingerprint(plans);
  if (patterns.size === 0) return 'No change in this pull request has a pattern that could be noise.';
  const { patterns: listed, settings } = await dpa.call('listPlanNoise', {
    path: { id: org.id },
    query: { include_suppressed: true },
  });
  const recurring = groupRecurring(patterns, listed);
  const { recurrence_threshold, window_days } = settings;
  const often = `more than ${recurrence_threshold} times within ${window_days} days`;
  const others = patterns.size - recurring.length;
  return writeBody([
    recurring.length === 0 ? `No pattern of this pull request occurred ${often}.` : `Patterns that occurred ${often}:`,
    ...(recurring.length === 0 ? [] : [buildTable(HEAD, recurring.slice(0, MAX_ROWS).map(toRow), 'patterns')]),
    recurring.length > MAX_ROWS ? `… and ${recurring.length - MAX_ROWS} more recurring patterns.` : '',
    others > 0 ? `${others} other ${others === 1 ? 'pattern does' : 'patterns do'} not recur so far.` : '',
    NEXT_STEPS,
  ]);
}

const HEAD = ['Attribute', 'Here at', 'Known by', 'Seen', 'Fingerprint'];

function groupRecurring(patterns: ReadonlyMap<string, PlanChange[]>, listed: readonly Pattern[]): Recurring[] {
  const groups = new Map<string, Recurring>();
  for (const one of listed) {
    const { fingerprint, occurrence_count } = one;
    const changes = patterns.get(fingerprint);
    if (changes === undefined) continue;
    const group = groups.get(fingerprint) ?? { fingerprint, changes, matches: [], count: 0 };
    group.matches.push(one);
    group.count = Math.max(group.count, occurrence_count);
    groups.set(fingerprint, group);
  }
  return [...groups.values()].sort((a, b) => b.count - a.count || (a.fingerprint < b.fingerprint ? -1 : 1));
}

function toRow({ fingerprint, changes, matches, count }: Recurring): string[] {
  const first = matches.map(({ first_seen }) => first_seen).sort()[0] ?? '';
  const attribute = matches[0]?.attribute ?? '';
  const where = changes[0]?.change.address ?? '';
  const more = changes.length > 1 ? ` and ${changes.length - 1} more` : '';
  const times = `${count} ${count === 1 ? 'time' : 'times'} since ${inertCell(first.slice(0, 10))}`;
  return [inertCell(attribute), `${inertCell(where)}${more}`, describeRule(matches), times, inertCell(fingerprint)];
}

function describeRule(matches: readonly Pattern[]): string {
  const rule = matches.map((one) => one.matched_custom_rule_id ?? one.matched_rule?.id).find((id) => id !== undefined);
  const label = rule === undefined ? 'no rule' : inertCell(rule);
  return matches.some(({ suppressed }) => suppressed) ? `${label}, suppressed` : label;
}
