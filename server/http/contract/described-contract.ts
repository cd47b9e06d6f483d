import { accessText, errorSection } from './contract-texts.ts';
import type { HttpMethod, OpenapiDocument } from './openapi-types.ts';

const METHODS: HttpMethod[] = ['get', 'put', 'post', 'delete', 'patch'];
/** Descriptions that are extended must be written as `description: |` with one of these indents. */
const INFO_INDENT = 2;
const OPERATION_INDENT = 6;

/**
 * Completes the parsed contract and its text with what follows from `x-access` and from the table of error classes, so
 * that this is written only once. Both stay the same document.
 *
 * @param yaml the source, whose comments are kept
 * @param api the same, parsed; changed in place
 * @throws Error for an operation without its own description
 */
export function describeContract(yaml: string, api: OpenapiDocument): string {
  const lines = yaml.split('\n');
  for (const { operation } of listOperations(api)) {
    const text = accessText(operation['x-access']);
    operation.description = appendText(operation.description, text);
    insert(lines, findLine(lines, 0, `      operationId: ${operation.operationId}`), OPERATION_INDENT, text);
  }
  api.info.description = appendText(api.info.description, errorSection());
  insert(lines, findLine(lines, 0, 'info:'), INFO_INDENT, errorSection());
  return lines.join('\n');
}

function listOperations({ paths }: OpenapiDocument) {
  return Object.values(paths).flatMap((item) =>
    METHODS.flatMap((method) => (item[method] === undefined ? [] : [{ operation: item[method] }])),
  );
}

function appendText(description: string | undefined, text: string): string {
  return `${(description ?? '').trimEnd()}\n\n${text}\n`;
}

/** Adds a paragraph to the first `description: |` below a line. */
function insert(lines: string[], from: number, indent: number, text: string): void {
  const start = findLine(lines, from, `${' '.repeat(indent)}description: |`) + 1;
  const inside = ' '.repeat(indent + 2);
  let end = start;
  while (lines[end] === '' || lines[end]?.startsWith(inside)) end += 1;
  while (lines[end - 1] === '') end -= 1;
  lines.splice(end, 0, '', ...text.split('\n').map((line) => (line === '' ? '' : inside + line)));
}

function findLine(lines: string[], from: number, line: string): number {
  const found = lines.indexOf(line, from);
  if (found === -1) throw new Error(`openapi.yaml: the line "${line.trim()}" is missing`);
  return found;
}
