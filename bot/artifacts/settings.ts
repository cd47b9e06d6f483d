import { isMap, isScalar, isSeq, type Node, parseDocument } from 'yaml';
import { InvalidInput } from '../../server/lib/errors.ts';
import { compileGlob } from '../../server/lib/globs.ts';
import type { RepoSettings } from './types.ts';

const DEFAULTS: RepoSettings = { artifacts: ['tfplan*', 'plan*', '*.tfplan.json'] };

const MEMBERS = ['artifacts'];
const MAX_GLOBS = 50;
/** Enough for the maximum number of globs; the time of the parser can grow with the square of its input. */
const MAX_BYTES = 16_384;
const MAX_INDICATORS = 1000;
const INDICATORS = /[-?:[\]{},&*!|>"'%@`]/g;
/** Much longer lines crash the parser. */
const MAX_LINE_CHARS = 300;
const MAX_SHOWN = 5;

export interface ReadSettings {
  settings: RepoSettings;
  /** What is wrong with the file; settings that can be read are still used. */
  problem: string | null;
}

/** @param text content of `.drift.yml`; null = no file */
export function readRepoSettings(text: string | null): ReadSettings {
  if (text === null) return { settings: DEFAULTS, problem: null };
  try {
    return readMembers(parse(text));
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    return { settings: DEFAULTS, problem: `.drift.yml is not used: ${error.message}` };
  }
}

/** @returns null for an empty file */
function parse(text: string): Node | null {
  if (Buffer.byteLength(text) > MAX_BYTES) throw new InvalidInput(`it is larger than ${MAX_BYTES} bytes.`);
  const lines = text.split(/[\r\n]/);
  if (lines.some((line) => line.length > MAX_LINE_CHARS)) {
    throw new InvalidInput(`it has a line of more than ${MAX_LINE_CHARS} characters.`);
  }
  const uncommented = lines.filter((line) => !/^\s*#/.test(line)).join('\n');
  if ((uncommented.match(INDICATORS)?.length ?? 0) > MAX_INDICATORS) {
    throw new InvalidInput(`it has more than ${MAX_INDICATORS} punctuation characters.`);
  }
  const { contents, errors, warnings } = parseDocument(text, { version: '1.2', schema: 'core', prettyErrors: false });
  const [fault] = [...errors, ...warnings];
  if (fault === undefined) return contents;
  throw new InvalidInput(`line ${toLineNumber(text, fault.pos[0])} is not valid YAML.`);
}

function toLineNumber(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}

/** Reads nodes one by one: converting a hostile document to plain values can take minutes. */
function readMembers(root: Node | null): ReadSettings {
  if (root === null || (isScalar(root) && root.value === null)) return { settings: DEFAULTS, problem: null };
  if (!isMap(root)) throw new InvalidInput('it contains no settings: add `artifacts:`.');
  const names = root.items.map(({ key }) => readText(key) ?? '(no text)');
  const settings = names.includes('artifacts') ? { artifacts: readGlobs(root.get('artifacts', true)) } : DEFAULTS;
  return { settings, problem: describeUnknownMembers(names) };
}

/** @returns null for anything but a string, also for an alias */
function readText(node: unknown): string | null {
  return isScalar(node) && typeof node.value === 'string' ? node.value : null;
}

function readGlobs(node: unknown): string[] {
  const items = isSeq(node) ? node.items.map(readText) : [];
  const globs = items.filter((item) => item !== null);
  if (globs.length === 0 || globs.length > MAX_GLOBS || globs.length < items.length) {
    throw new InvalidInput(
      `\`artifacts\` must be a list of 1 to ${MAX_GLOBS} globs, each of them a string (in quotes).`,
    );
  }
  for (const glob of globs) compileGlob(glob);
  return globs;
}

function describeUnknownMembers(names: string[]): string | null {
  const unknown = names.filter((name) => !MEMBERS.includes(name));
  if (unknown.length === 0) return null;
  const shown = unknown.slice(0, MAX_SHOWN).map((name) => JSON.stringify(name.slice(0, 40)));
  const rest = unknown.length > MAX_SHOWN ? ` and ${unknown.length - MAX_SHOWN} more` : '';
  return `.drift.yml: ${shown.join(', ')}${rest} ${unknown.length === 1 ? 'is not a known setting' : 'are not known settings'}; only \`artifacts\` is supported.`;
}
