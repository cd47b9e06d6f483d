/** Writes values and blocks in the syntax of Terraform and OpenTofu, so that they parse and mean what they hold. */
import type { JsonValue } from '../result.ts';

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_-]*$/;
const INDENT = '  ';

/**
 * A value as an expression.
 *
 * @param depth how deep the line stands on which it begins
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

/** A quoted text in which nothing is interpolated; HCL itself reads it in Unicode's composed form. */
export function hclText(text: string): string {
  // JSON's escapes are HCL's, but for the short ones that HCL lacks.
  const quoted = JSON.stringify(text).replaceAll('\\b', '\\u0008').replaceAll('\\f', '\\u000c');
  return quoted.replace(/[$%](?=\{)/g, (sign) => sign + sign);
}

function hclKey(key: string): string {
  return IDENTIFIER.test(key) ? key : hclText(key);
}

function isScalar(value: JsonValue): boolean {
  return value === null || typeof value !== 'object';
}

/**
 * The head of a resource's block, from its type and the name in its address.
 *
 * @param lines its body, already in HCL, not indented
 */
export function hclResource(type: string, name: string, lines: readonly string[]): string {
  const body = lines.flatMap((line) => line.split('\n')).map((line) => (line === '' ? '' : `${INDENT}${line}`));
  return `resource ${hclText(type)} ${hclText(name)} {\n${body.join('\n')}\n}`;
}

const MAX_DEPTH = 6;

/**
 * One attribute where it stands: nested blocks around it for a path through lists of them, maps for one through keys.
 *
 * @param path names and indexes, outermost first; which of several blocks an index means is left to the reader
 * @returns null for a path that cannot be written as an assignment: an item of a list, or a block inside a map
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

/** A path as `ignore_changes` takes it. */
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
