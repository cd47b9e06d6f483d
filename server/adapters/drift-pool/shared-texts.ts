import type { JsonObject, JsonValue } from '../../../engine/index.ts';
import type { StateValues } from '../../../engine/state/index.ts';

/** Longer texts are seldom the same in many resources. */
const LONGEST = 32;
const MAX_TEXTS = 100_000;

/** Keeps one copy of texts that many resources have, so that the states of a million resources fit into memory. */
export function createSharedTexts() {
  const texts = new Map<string, string>();

  function shareText(text: string): string {
    if (text.length > LONGEST) return text;
    const known = texts.get(text);
    if (known !== undefined) return known;
    if (texts.size < MAX_TEXTS) texts.set(text, text);
    return text;
  }

  /** Changes the value in place. */
  function share<T extends JsonValue>(value: T): T {
    if (typeof value === 'string') return shareText(value) as T;
    if (typeof value !== 'object' || value === null) return value;
    const members = value as JsonObject;
    for (const name of Object.keys(members)) members[name] = share(members[name]!);
    return value;
  }

  return {
    share,
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

export type SharedTexts = ReturnType<typeof createSharedTexts>;
