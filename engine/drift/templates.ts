import type { JsonObject } from '../model/result.ts';

/** Fills the attributes of a state resource in; null if one of them is missing. */
export type Template = (attributes: JsonObject, identifiers: Readonly<Record<string, string>>) => string | null;

const FILTERS: Readonly<Record<string, (text: string) => string>> = {
  /** The name at the end of an ARN or path. */
  last: (text) => text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf(':')) + 1),
  /** The ARM ID of the object that contains a child object. */
  parent: (text) => text.split('/').slice(0, -2).join('/'),
};

const compiled = new Map<string, readonly Template[]>();

/**
 * Compiles alternatives, separated by commas: names of attributes (`rest_api_id|id`), or a text with names in braces
 * (`projects/{project}/topics/{name:last}`).
 */
export function compileTemplates(text: string): readonly Template[] {
  const known = compiled.get(text);
  if (known !== undefined) return known;
  const made = text.split(',').map(compileOne);
  compiled.set(text, made);
  return made;
}

function compileOne(text: string): Template {
  const braced = text.includes('{') ? text : text.replace(/\w+(?::\w+)?/g, (name) => `{${name}}`);
  // Names are the odd parts.
  const parts = braced.split(/[{}]/);
  return (attributes, identifiers) => {
    let filled = '';
    for (const [at, part] of parts.entries()) {
      if (at % 2 === 0) {
        filled += part;
        continue;
      }
      const value = readPart(part, attributes, identifiers);
      if (value === null) return null;
      filled += value;
    }
    return filled;
  };
}

function readPart(part: string, attributes: JsonObject, identifiers: Readonly<Record<string, string>>): string | null {
  const [name = '', filter] = part.split(':');
  const value = Object.hasOwn(identifiers, name) ? identifiers[name] : attributes[name];
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  if (value === '') return null;
  return filter === undefined ? String(value) : (FILTERS[filter]?.(String(value)) ?? null);
}
