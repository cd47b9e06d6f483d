import type { DocumentFormat } from './types.ts';

const KEY_LINE = /^\s{0,200}(?:- )?["']?[A-Za-z_$][\w.$/ -]{0,120}["']?:(?:\s|$)/;
const LIST_LINE = /^\s{0,200}- \S/;
const ASSIGNMENT = /^\s{0,40}(?:export\s+)?[A-Za-z_][\w.-]{0,120}\s?=/;
const SECTION = /^\s{0,40}\[[^\]\n]{1,200}\]\s*$/;
const SQL = /^\s*(?:select|with|create|alter|drop|grant|revoke|insert|update|delete|merge|truncate|call|begin|set)\s/i;
const SQL_EXPRESSION = /^\s*case\s+when\s/i;
const SQL_WORD = /\b(?:from|table|view|to|into|on|where|role|schema|procedure|function|policy)\b/i;
const COMMENT = /^\s*(?:#|\/\/|--|;)/;

/** Recognizes the format of a text by its first lines. Binary content has no format. */
export function recognizeFormat(text: string): DocumentFormat {
  const start = text.trimStart();
  if (start.startsWith('{') || start.startsWith('[{') || start.startsWith('["') || start === '[]') return 'json';
  if (start.startsWith('<') && /^<[?!A-Za-z]/.test(start)) return 'xml';
  if (start.startsWith('#!')) return 'script';
  if (start.startsWith('#cloud-config') || start.startsWith('---\n')) return 'yaml';
  const code = start.startsWith('--') ? skipComments(start) : start;
  if (SQL.test(code.slice(0, 40)) && SQL_WORD.test(code.slice(0, 4000))) return 'sql';
  if (SQL_EXPRESSION.test(start.slice(0, 40))) return 'sql';
  return text.includes('\n') ? recognizeByLines(text) : 'text';
}

function skipComments(text: string): string {
  const lines = text.slice(0, 8000).split('\n');
  const first = lines.findIndex((line) => line.trim() !== '' && !line.trimStart().startsWith('--'));
  return first < 0 ? '' : lines.slice(first).join('\n').trimStart();
}

const SAMPLED_LINES = 40;

function recognizeByLines(text: string): DocumentFormat {
  const lines = text.split('\n', SAMPLED_LINES * 4);
  const sample = lines.filter((line) => line.trim() !== '' && !COMMENT.test(line)).slice(0, SAMPLED_LINES);
  const first = sample[0];
  if (first === undefined) return 'text';
  if (KEY_LINE.test(first) || (LIST_LINE.test(first) && sample.some((line) => KEY_LINE.test(line)))) return 'yaml';
  const assigned = sample.filter((line) => ASSIGNMENT.test(line) || SECTION.test(line)).length;
  return assigned >= sample.length * 0.8 ? 'properties' : 'text';
}

const BASE64 = /^[A-Za-z0-9+/]{16,}={0,2}$/;
const NOT_BASE64 = /[^A-Za-z0-9+/=\s]/;

/**
 * Decodes base64 text.
 *
 * @returns the bytes; null when the text is not base64, or is a word that only looks like it
 */
export function decodeBase64(text: string): Uint8Array | null {
  if (NOT_BASE64.test(text)) return null;
  const compact = text.replace(/\s+/g, '');
  if (compact.length < 16 || compact.length % 4 !== 0 || !BASE64.test(compact)) return null;
  return Buffer.from(compact, 'base64');
}

/** Returns the text of bytes; null when they are not text. */
export function decodeText(bytes: Uint8Array): string | null {
  const text = Buffer.from(bytes).toString('utf8');
  for (let at = 0; at < text.length; at++) if (isControl(text.charCodeAt(at))) return null;
  return text;
}

/** Control characters other than white space, and the mark of bytes that are not UTF-8. */
function isControl(code: number): boolean {
  return code < 9 || (code > 13 && code < 32) || code === 0xfffd;
}

/** Whether bytes start as gzip content does. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes.length > 18 && bytes[0] === 0x1f && bytes[1] === 0x8b;
}
