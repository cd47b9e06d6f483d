import { isMap, isScalar, isSeq, type Node, parseDocument } from 'yaml';
import { InvalidInput } from '../../server/lib/errors.ts';
import { compileGlob } from '../../server/lib/globs.ts';
import type { RepoSettings } from './types.ts';

const DEFAULTS: RepoSettings = { artifacts: ['tfplan*', 'plan*', '*.tfplan.json'] };

const MEMBERS = ['artifacts'];
const MAX_GLOBS = 50;
/** Enough for as many globs; the parser's time grows with the square of what is hostile. */
const MAX_BYTES = 16_384;
const MAX_INDICATORS = 1000;
const INDICATORS = /[-?:[\]{},&*!|>"'%@`]/g;
/** On a line of many thousand the parser ends the process. */
const MAX_LINE_CHARS = 300;
const MAX_SHOWN = 5;

export interface ReadSettings {
  settings: RepoSettings;
  /** What is wrong with the file, in words for people; its settings hold nevertheless where they can be read. */
  problem: string | null;
}

/** @param text of `.drift.yml`; null = there is none */
export function readRepoSettings(text: string | null): ReadSettings {
  if (text === null) return { settings: DEFAULTS, problem: null };
  try {
    return readMembers(parse(text));
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    return { settings: DEFAULTS, problem: `.drift.yml is not used: ${error.message}` };
  }
}

/** @returns null for a file that holds nothing */
function parse(text: string): Node | null {
  if (Buffer.byteLength(text) > MAX_BYTES) throw new InvalidInput(`it is larger than ${MAX_BYTES} bytes.`);
  const lines = text.split(/[\r\n]/);
  if (lines.some((line) => line.length > MAX_LINE_CHARS)) {
    throw new InvalidInput(`it has a line of more than ${MAX_LINE_CHARS} characters.`);
  }
  const uncommented = lines.filter((line) => !/^\s*#/.test(line)).join('\n');
  if ((uncommented.match(INDICATORS)?.length ?? 0) > MAX_INDICATORS) {
    throw new InvalidInput(`it holds more than ${MAX_INDICATORS} signs of punctuation.`);
  }
  const { contents, errors, warnings } = parseDocument(text, { version: '1.2', schema: 'core', prettyErrors: false });
  const [fault] = [...errors, ...warnings];
  if (fault === undefined) return contents;
  throw new InvalidInput(`line ${toLineNumber(text, fault.pos[0])} is not the YAML that is read here.`);
}

function toLineNumber(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}

/** Nodes are read one by one: to make plain values of what is hostile can take minutes. */
function readMembers(root: Node | null): ReadSettings {
  if (root === null || (isScalar(root) && root.value === null)) return { settings: DEFAULTS, problem: null };
  if (!isMap(root)) throw new InvalidInput('it holds no settings: write `artifacts:`.');
  const names = root.items.map(({ key }) => readText(key) ?? '(no text)');
  const settings = names.includes('artifacts') ? { artifacts: readGlobs(root.get('artifacts', true)) } : DEFAULTS;
  return { settings, problem: describeUnknownMembers(names) };
}

/** @returns null for an alias too: values are written out */
function readText(node: unknown): string | null {
  return isScalar(node) && typeof node.value === 'string' ? node.value : null;
}

function readGlobs(node: unknown): string[] {
  const items = isSeq(node) ? node.items.map(readText) : [];
  const globs = items.filter((item) => item !== null);
  if (globs.length === 0 || globs.length > MAX_GLOBS || globs.length < items.length) {
    throw new InvalidInput(`\`artifacts\` must be a list of 1 to ${MAX_GLOBS} globs, each of them text (in quotes).`);
  }
  for (const glob of globs) compileGlob(glob);
  return globs;
}

function describeUnknownMembers(names: string[]): string | null {
  const unknown = names.filter((name) => !MEMBERS.includes(name));
  if (unknown.length === 0) return null;
  const shown = unknown.slice(0, MAX_SHOWN).map((name) => JSON.stringify(name.slice(0, 40)));
  const rest = unknown.length > MAX_SHOWN ? ` and ${unknown.length - MAX_SHOWN} more` : '';
  return `.drift.yml: ${shown.join(', ')}${rest} ${unknown.length === 1 ? 'is' : 'are'} not known here; only \`artifacts\` is.`;
}
