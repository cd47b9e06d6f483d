/** What a comparison left out, in groups with a few examples. */
import type { DriftReport } from '../../../engine/drift/index.ts';
import type { StateFact } from './outcome.ts';
import type { DriftNote } from './types.ts';

const MAX_NOTES = 50;
const MAX_EXAMPLES = 5;

type Note = Omit<DriftNote, 'count' | 'examples'> & { example: string; count?: number };

export function listNotes(report: DriftReport, states: readonly StateFact[]): DriftNote[] {
  return group([
    ...states.flatMap(toStateNotes),
    ...report.unread.map(
      ({ code, message, region, provider_type }): Note => ({
        code: `unread_${code}`,
        message,
        example: [provider_type ?? 'all types', region ?? 'global'].join(' in '),
      }),
    ),
    ...report.not_checked.map(({ code, reason, address }): Note => ({ code, message: reason, example: address })),
    ...report.claimed_twice.map(
      ({ provider_resource_id, addresses }): Note => ({
        code: 'claimed_twice',
        message: 'Several resources of the states describe the same object.',
        example: `${provider_resource_id}: ${addresses.join(', ')}`,
      }),
    ),
    ...report.apart.flatMap(({ code, reason, provider_type, count, examples }) => {
      const message = `${reason} It does not count (${provider_type}).`;
      return examples.map((example, n): Note => ({ code, message, example, count: n === 0 ? count : 0 }));
    }),
  ]).slice(0, MAX_NOTES);
}

function toStateNotes({ display_name, problem, failures }: StateFact): Note[] {
  if (problem !== null)
    return [
      { code: 'state_not_fetched', message: `The state could not be fetched: ${problem}`, example: display_name },
    ];
  if (failures === 0) return [];
  const message = 'Resources of the state could not be read.';
  return [{ code: 'state_parse_failure', message, example: display_name, count: failures }];
}

function group(notes: readonly Note[]): DriftNote[] {
  const groups = new Map<string, DriftNote>();
  for (const { code, message, example, count = 1 } of notes) {
    const key = `${code} ${message}`;
    const one = groups.get(key) ?? { code, message, count: 0, examples: [] };
    one.count += count;
    if (one.examples.length < MAX_EXAMPLES) one.examples.push(example);
    groups.set(key, one);
  }
  return [...groups.values()];
}
