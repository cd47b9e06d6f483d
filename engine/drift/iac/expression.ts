/** Values of a generated configuration, and how they are written. The layout is that of `terraform fmt`. */
import { hclKey, hclText } from '../../fix/hcl.ts';
import type { JsonValue } from '../../model/result.ts';

/** A variable that stands for a value that is not written. */
export class VariableReference {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A JSON document that Terraform holds as text. */
export class JsonText {
  readonly value: Expression;

  constructor(value: Expression) {
    this.value = value;
  }
}

export type Expression =
  | Exclude<JsonValue, object>
  | VariableReference
  | JsonText
  | Expression[]
  | { [name: string]: Expression };

/** An argument or a nested block. */
export type Entry = { name: string; value: Expression } | { name: string; body: readonly Entry[] };

const INDENT = '  ';

/** @param depth nesting depth of the line where the value starts */
export function writeExpression(value: Expression, depth: number): string {
  if (value instanceof VariableReference) return `var.${value.name}`;
  if (value instanceof JsonText) return `jsonencode(${writeExpression(value.value, depth)})`;
  if (typeof value === 'string') return hclText(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const [inner, end] = [INDENT.repeat(depth + 1), INDENT.repeat(depth)];
  if (Array.isArray(value)) {
    if (value.every(isFlat)) return `[${value.map((item) => writeExpression(item, depth)).join(', ')}]`;
    return `[\n${value.map((item) => `${inner}${writeExpression(item, depth + 1)},\n`).join('')}${end}]`;
  }
  const members = Object.entries(value).map(([key, item]): Line => [hclKey(key), writeExpression(item, depth + 1)]);
  return members.length === 0 ? '{}' : `{\n${align(members, inner)}${end}}`;
}

function isFlat(value: Expression): boolean {
  return typeof value !== 'object' || value === null || value instanceof VariableReference;
}

/** Arguments first, then blocks with a blank line before each. @param depth of the lines of the body */
export function writeBody(entries: readonly Entry[], depth: number): string {
  const indent = INDENT.repeat(depth);
  const lines = entries.flatMap((entry): Line[] =>
    'value' in entry ? [[entry.name, writeExpression(entry.value, depth)]] : [],
  );
  const blocks = entries.flatMap((entry) =>
    'body' in entry ? [`${indent}${entry.name} {\n${writeBody(entry.body, depth + 1)}${indent}}\n`] : [],
  );
  return [align(lines, indent), ...blocks].filter((part) => part !== '').join('\n');
}

type Line = [name: string, value: string];

/** Aligns the equals signs of neighboring lines; a value of several lines stands alone. */
function align(lines: readonly Line[], indent: string): string {
  let text = '';
  for (let from = 0; from < lines.length; ) {
    const run = takeRun(lines, from);
    const width = Math.max(...run.map(([name]) => name.length));
    for (const [name, value] of run) text += `${indent}${name.padEnd(width)} = ${value}\n`;
    from += run.length;
  }
  return text;
}

function takeRun(lines: readonly Line[], from: number): Line[] {
  const next = lines.slice(from).findIndex(([, value]) => value.includes('\n'));
  const count = next < 0 ? lines.length - from : Math.max(next, 1);
  return lines.slice(from, from + count);
}
