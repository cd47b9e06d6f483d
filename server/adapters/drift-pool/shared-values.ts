import type { JsonObject, JsonValue } from '../../../engine/index.ts';
import type { StateValues } from '../../../engine/state/index.ts';

/** Longer texts are seldom the same in many resources, but often in one: an ARN may be the ID, too. */
const LONGEST_TEXT = 32;
const LONGEST_OWN_TEXT = 2_000;
/** As JSON text. */
const LONGEST_VALUE = 1_000;
const MAX_VALUES = 100_000;

/**
 * Keeps one copy of the texts, lists and blocks that many resources have, so that the states of a million resources fit
 * into memory.
 */
export function createSharedValues() {
  const texts = new Map<string, string>();
  const values = new Map<string, JsonValue>();
  /** Longer texts of the resource that is read now. */
  const own_texts = new Map<string, string>();

  function shareText(text: string): string {
    if (text.length > LONGEST_OWN_TEXT) return text;
    return keep(text.length > LONGEST_TEXT ? own_texts : texts, text, () => text);
  }

  function share(value: JsonValue): JsonValue {
    if (typeof value === 'string') return shareText(value);
    if (typeof value !== 'object' || value === null) return value;
    const text = JSON.stringify(value);
    return text.length > LONGEST_VALUE ? shareMembers(value) : keep(values, text, () => shareMembers(value));
  }

  function shareMembers<T extends JsonValue>(value: T): T {
    const members = value as JsonObject;
    for (const name of Object.keys(members)) members[name] = share(members[name]!);
    return value;
  }

  return {
    /** Changes the attributes of a resource in place; nothing may change their members afterwards. */
    shareAttributes(attributes: JsonObject): JsonObject {
      own_texts.clear();
      return shareMembers(attributes);
    },
    /** Identifiers are attributes, too, and have their texts. */
    shareIdentifiers(identifiers: StateValues['identifiers'], attributes: JsonObject): StateValues['identifiers'] {
      return Object.fromEntries(
        Object.entries(identifiers).map(([name, text]) => {
          const attribute = attributes[name];
          return [name, attribute === text ? attribute : shareText(text)];
        }),
      );
    },
  };
}

export type SharedValues = ReturnType<typeof createSharedValues>;

function keep<T>(known: Map<string, T>, key: string, make: () => T): T {
  const one = known.get(key);
  if (one !== undefined) return one;
  const made = make();
  if (known.size < MAX_VALUES) known.set(key, made);
  return made;
}
