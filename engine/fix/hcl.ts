/** Formats values and blocks as valid Terraform and OpenTofu HCL. */
import type { JsonValue } from '../model/result.ts';

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_-]*$/;
const INDENT = '  ';

/**
 * Formats a value as an HCL expression.
 *
 * @param depth nesting depth of the line where the value starts
 */
export function hclValue(value: JsonValue, depth = 0): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return String(value);
  if (typeof value === 'string') return hclText(value);
  const inner = INDENT.repeat(depth + 1);
  const end = INDENT.repeat(depth);
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    if (value.every(isScalar)) return `[${value.map((item) => hclValue(item)).join(', ')}]`;
    return `[\n${value.map((item) => `${inner}${hclValue(item, depth + 1)},\n`).join('')}${end}]`;
  }
  const entries = Object.entries(value);
  if (entries.length === 0) return '{}';
  const lines = entries.map(([key, item]) => `${inner}${hclKey(key)} = ${hclValue(item, depth + 1)}\n`);
  return `{\n${lines.join('')}${end}}`;
}

/** Formats a quoted string without interpolation; HCL normalizes it to Unicode NFC. */
export function hclText(text: string): string {
  // HCL supports JSON escapes except \b and \f.
  const quoted = JSON.stringify(text).replaceAll('\\b', '\\u0008').replaceAll('\\f', '\\u000c');
  return quoted.replace(/[$%](?=\{)/g, (sign) => sign + sign);
}

/** Formats the key of a map: without quotes if it is an identifier. */
export function hclKey(key: string): string {
  return IDENTIFIER.test(key) ? key : hclText(key);
}

function isScalar(value: JsonValue): boolean {
  return value === null || typeof value !== 'object';
}

/**
 * Formats a resource block.
 *
 * @param lines body in HCL, not indented
 */
export function hclResource(type: string, name: string, lines: readonly string[]): string {
  const body = lines.flatMap((line) => line.split('\n')).map((line) => (line === '' ? '' : `${INDENT}${line}`));
  return `resource ${hclText(type)} ${hclText(name)} {\n${body.join('\n')}\n}`;
}

const MAX_DEPTH = 6;

/**
 * Formats the assignment of one attribute, inside nested blocks for list indexes and maps for keys.
 *
 * @param path names and indexes, outermost first; indexes are not written, so the reader must choose the right block
 * @returns null for a path that cannot be assigned: a list item, or a block inside a map
 */
export function hclAssignment(path: readonly (string | number)[], value: JsonValue): string | null {
  if (path.length > MAX_DEPTH || typeof path[0] !== 'string' || typeof path.at(-1) === 'number') return null;
  const enclosing: { name: string; open: '{' | '= {' }[] = [];
  let in_map = false;
  for (let i = 0; i < path.length - 1; i++) {
    const name = path[i] as string;
    const is_block = typeof path[i + 1] === 'number';
    if (typeof path[i + (is_block ? 2 : 1)] !== 'string' || (is_block && in_map)) return null;
    if (!in_map && !IDENTIFIER.test(name)) return null;
    enclosing.push({ name: in_map ? hclKey(name) : name, open: is_block ? '{' : '= {' });
    in_map = !is_block;
    if (is_block) i++;
  }
  const last = path.at(-1) as string;
  if (!in_map && !IDENTIFIER.test(last)) return null;
  const assignment = `${in_map ? hclKey(last) : last} = ${hclValue(value)}`;
  return enclosing.reverse().reduce((text, { name, open }) => `${name} ${open}\n${indent(text)}\n}`, assignment);
}

/** Formats a path for `ignore_changes`. */
export function hclReference(path: readonly (string | number)[]): string {
  let text = '';
  for (const segment of path) {
    if (typeof segment === 'number') text += `[${segment}]`;
    else if (!IDENTIFIER.test(segment)) text += `[${hclText(segment)}]`;
    else text += text === '' ? segment : `.${segment}`;
  }
  return text;
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `${INDENT}${line}`)
    .join('\n');
}
