import { isObject } from '../../lib/is-object.ts';
import type { JsonValue } from '../../model/result.ts';
import { isSecretAttribute } from '../../redact/known-attributes.ts';
import { holdsSecret, isSecretName } from '../../redact/secrets.ts';
import { isWithheld } from '../arguments/withheld.ts';
import { type Expression, JsonText, VariableReference } from './expression.ts';

/** Replaces secrets with variables, and remembers them. */
export class SecretVariables {
  /** Variables by name, with the paths of their arguments. */
  readonly variables = new Map<string, string>();
  private readonly type: string;
  private readonly prefix: string;

  constructor(type: string, name: string) {
    this.type = type;
    this.prefix = name;
  }

  /** @param path names of the arguments and keys, outermost first */
  replace(value: JsonValue, path: readonly string[]): Expression {
    if (Array.isArray(value)) return value.map((item) => this.replace(item, path));
    if (isObject(value))
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.replace(item, [...path, key])]));
    if (typeof value !== 'string' || value === '') return value;
    if (this.isSecret(value, path)) return this.refer(path);
    const document = readDocument(value);
    return document === undefined ? value : new JsonText(this.replace(document, path));
  }

  private isSecret(value: string, path: readonly string[]): boolean {
    return isWithheld(value) || isSecretName(path) || isSecretAttribute(this.type, path) || holdsSecret(value);
  }

  private refer(path: readonly string[]): VariableReference {
    const base = [this.prefix, ...path]
      .join('_')
      .toLowerCase()
      .replace(/[^a-z0-9_]/g, '_')
      .slice(0, 80);
    for (let count = 1; ; count += 1) {
      const name = count === 1 ? base : `${base}_${count}`;
      if (this.variables.has(name)) continue;
      this.variables.set(name, path.join('.'));
      return new VariableReference(name);
    }
  }
}

/** A JSON object or list in a text, if writing it again gives the same document. */
function readDocument(text: string): JsonValue | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    const value = JSON.parse(text) as JsonValue;
    return JSON.stringify(value) === text.replace(/\s/g, '') || JSON.stringify(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}
