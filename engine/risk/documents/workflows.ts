/** Judges workflows in documents: steps that a new order of steps goes around. */
import { type MaybeJson, readMember } from '../../changes/values.ts';
import { splitWords } from '../../effects/words.ts';
import { isObject } from '../../lib/is-object.ts';
import type { JsonObject, JsonValue } from '../../model/result.ts';
import type { SettingFinding } from './settings.ts';

/** Steps that check something, or wait for a person. */
const CHECKS = new Set(
  splitWords(
    'approve approval approver review reviewer confirm confirmation manual human await wait verify verification validate ' +
      'validation check screen screening fraud kyc sanction sanctions audit authorize consent sign quarantine scan inspect',
  ),
);
const WAITS_FOR_PERSON = 'waitForTaskToken';
const MAX_STATES = 1000;

/** A step that was on the way before and no longer is. */
export interface SkippedStep {
  name: string;
  found: SettingFinding;
}

/** Finds a state of a state machine that is still declared, or checked something, and is no longer reached. */
export function findSkippedStep(before: MaybeJson, after: MaybeJson): SkippedStep | null {
  const [from, to] = [readMachine(before), readMachine(after)];
  if (from === null || to === null) return null;
  const [reached_before, reached_after] = [listReached(from), listReached(to)];
  const lost = [...reached_before].filter((name) => !reached_after.has(name));
  const check = lost.find((name) => isCheck(name, from.states[name]));
  if (check !== undefined) return { name: check, found: SKIPS_CHECK };
  const idle = lost.find((name) => Object.hasOwn(to.states, name));
  return idle === undefined ? null : { name: idle, found: SKIPS_STEP };
}

const SKIPS_CHECK: SettingFinding = {
  level: 'high',
  direction: 'weakening',
  consequence: 'A step that checks or approves is no longer run',
};
const SKIPS_STEP: SettingFinding = {
  level: 'medium',
  direction: 'neutral',
  consequence: 'A step is no longer run, although it is still declared',
};

interface Machine {
  start: string;
  states: JsonObject;
}

function readMachine(value: MaybeJson): Machine | null {
  const [start, states] = isObject(value) ? [readMember(value, 'StartAt'), readMember(value, 'States')] : [];
  return typeof start === 'string' && isObject(states) ? { start, states } : null;
}

function listReached({ start, states }: Machine): Set<string> {
  const reached = new Set<string>();
  const open = [start];
  for (let name = open.pop(); name !== undefined && reached.size < MAX_STATES; name = open.pop()) {
    if (reached.has(name) || !Object.hasOwn(states, name)) continue;
    reached.add(name);
    open.push(...listNext(states[name] as JsonValue));
  }
  return reached;
}

/** States that a state names as the next one: by itself, for a choice, or after an error. */
function listNext(state: JsonValue): string[] {
  if (!isObject(state)) return [];
  const own = [state['Next'], state['Default']];
  const nested = [state['Choices'], state['Catch']].flatMap((list) => (Array.isArray(list) ? list : []));
  return [...own, ...nested.map((entry) => (isObject(entry) ? entry['Next'] : undefined))].filter(
    (name) => typeof name === 'string',
  );
}

function isCheck(name: string, state: MaybeJson): boolean {
  if (splitWords(name).some((word) => CHECKS.has(word))) return true;
  const resource = isObject(state) ? readMember(state, 'Resource') : undefined;
  return typeof resource === 'string' && resource.includes(WAITS_FOR_PERSON);
}
