import { isObject } from '../lib/is-object.ts';
import type { JsonObject, JsonValue } from '../model/result.ts';
import { UnreadableError } from './errors.ts';

/** The members of an entry by name. */
export type Entry = ReadonlyMap<string, JsonValue>;

/** Reads the members of an entry by type. Absent ones are null; a wrong type throws UnreadableError. */
export class Members {
  private readonly entry: Entry;

  constructor(entry: Entry) {
    this.entry = entry;
  }

  value(name: string): JsonValue {
    return this.entry.get(name) ?? null;
  }

  text(name: string): string | null {
    const value = this.value(name);
    if (value === null || typeof value === 'string') return value;
    throw new UnreadableError(`${name} is not a text`);
  }

  requireText(name: string): string {
    const text = this.text(name);
    if (text !== null) return text;
    throw new UnreadableError(`it has no ${name}`);
  }

  number(name: string): number | null {
    const value = this.value(name);
    if (value === null || typeof value === 'number') return value;
    throw new UnreadableError(`${name} is not a number`);
  }

  object(name: string): JsonObject | null {
    const value = this.value(name);
    if (value === null || isObject(value)) return value;
    throw new UnreadableError(`${name} is not an object`);
  }

  texts(name: string): string[] {
    const value = this.value(name);
    if (value === null) return [];
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
    throw new UnreadableError(`${name} is not a list of texts`);
  }
}
