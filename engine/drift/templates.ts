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
  const parts = braced.split(/[{}]/).map((part, at) => (at % 2 === 0 ? part : compilePart(part)));
  return (attributes, identifiers) => {
    let filled = '';
    for (const part of parts) {
      const value = typeof part === 'string' ? part : part(attributes, identifiers);
      if (value === null) return null;
      filled += value;
    }
    return filled;
  };
}

function compilePart(part: string): Template {
  const [name = '', filter] = part.split(':');
  const apply = filter === undefined ? String : FILTERS[filter];
  return (attributes, identifiers) => {
    const value = Object.hasOwn(identifiers, name) ? identifiers[name] : attributes[name];
    if ((typeof value !== 'string' && typeof value !== 'number') || value === '') return null;
    return apply?.(String(value)) ?? null;
  };
}
