import { isObject } from '../../../lib/is-object.ts';

/** What one role assignment allows. */
export interface ActionSet {
  actions: readonly string[];
  not_actions: readonly string[];
}

/** Reads the response of the call that lists the permissions of the caller. Damaged entries grant nothing. */
export function parseActionSets(body: Readonly<Record<string, unknown>>): ActionSet[] {
  const sets = Array.isArray(body['value']) ? body['value'].filter(isObject) : [];
  return sets.map((set) => ({ actions: listTexts(set['actions']), not_actions: listTexts(set['notActions']) }));
}

function listTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/**
 * Whether the role assignments allow an action. With a wildcard, such as in `*` + `/read`, every action that it covers
 * must be allowed. `not_actions` take away from the same assignment only.
 *
 * @see Microsoft, Understand Azure role definitions
 */
export function isActionGranted(sets: readonly ActionSet[], action: string): boolean {
  return sets.some(({ actions, not_actions }) => {
    return actions.some((one) => covers(one, action)) && !not_actions.some((one) => overlaps(one, action));
  });
}

/** Whether the pattern matches the action, without case; `*` matches any characters. */
function covers(pattern: string, action: string): boolean {
  const parts = pattern.toLowerCase().split('*');
  const text = action.toLowerCase();
  const [first = ''] = parts;
  if (parts.length === 1) return first === text;
  const last = parts.at(-1) ?? '';
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  const end = text.length - last.length;
  let position = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, position);
    if (found === -1 || found + part.length > end) return false;
    position = found + part.length;
  }
  return true;
}

/** Whether some action matches both patterns, as far as their ends show: `a/write` and `*` + `/read` have none. */
function overlaps(pattern: string, action: string): boolean {
  if (!action.includes('*')) return covers(pattern, action);
  const [end, other_end] = [readEnd(pattern), readEnd(action)];
  return end.endsWith(other_end) || other_end.endsWith(end);
}

/** The text after the last wildcard. */
function readEnd(pattern: string): string {
  return pattern.toLowerCase().split('*').at(-1) ?? '';
}
