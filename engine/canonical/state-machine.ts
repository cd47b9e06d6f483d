import { isObject } from '../lib/is-object.ts';
import type { JsonObject, JsonValue } from '../model/result.ts';

/**
 * Normalizes a state machine of AWS Step Functions: comments have no meaning. What a state passes to others stays as it
 * is.
 *
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/statemachine-structure.html
 */
export function normalizeStateMachine(machine: JsonValue): JsonValue {
  if (!isObject(machine)) return machine;
  const copy = dropComment(machine);
  if (isObject(machine['States'])) copy['States'] = mapValues(machine['States'], normalizeState);
  return copy;
}

function normalizeState(state: JsonValue): JsonValue {
  if (!isObject(state)) return state;
  const copy = dropComment(state);
  for (const name of ['Iterator', 'ItemProcessor']) {
    if (state[name] !== undefined) copy[name] = normalizeStateMachine(state[name]);
  }
  if (Array.isArray(state['Branches'])) copy['Branches'] = state['Branches'].map(normalizeStateMachine);
  return copy;
}

function dropComment(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== 'Comment'));
}

function mapValues(object: JsonObject, map: (value: JsonValue) => JsonValue): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]));
}
