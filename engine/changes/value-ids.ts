import type { JsonValue } from '../model/result.ts';

/**
 * Assigns numbers to JSON values. Two values have the same number exactly when they are equal, ignoring the order of
 * object members. Each list and object is read once.
 */
export class ValueIds {
  private readonly texts = new Map<string, number>();
  private readonly known = new Map<object, number>();

  find(value: JsonValue): number {
    if (value === null || typeof value !== 'object') return this.number(JSON.stringify(value));
    let id = this.known.get(value);
    if (id === undefined) {
      id = this.number(Array.isArray(value) ? this.describeList(value) : this.describeMembers(value));
      this.known.set(value, id);
    }
    return id;
  }

  private describeList(items: readonly JsonValue[]): string {
    return `[${items.map((item) => this.find(item)).join()}`;
  }

  private describeMembers(object: { readonly [key: string]: JsonValue }): string {
    const keys = Object.keys(object).sort();
    return `{${keys.map((key) => `${JSON.stringify(key)}:${this.find(object[key] as JsonValue)}`).join()}`;
  }

  private number(text: string): number {
    const known = this.texts.get(text);
    if (known !== undefined) return known;
    this.texts.set(text, this.texts.size);
    return this.texts.size - 1;
  }
}
