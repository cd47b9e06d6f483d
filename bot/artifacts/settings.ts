import { type Document, parseDocument } from 'yaml';
import { InvalidInput } from '../../server/lib/errors.ts';
import { compileGlob } from '../../server/lib/globs.ts';
import type { RepoSettings } from './types.ts';

const DEFAULTS: RepoSettings = { artifacts: ['tfplan*', 'plan*', '*.tfplan.json'] };

const MEMBERS = ['artifacts'];
const MAX_GLOBS = 50;
/** Enough for as many globs; the parser's time grows with the square of what is hostile. */
const MAX_BYTES = 16_384;
/** On long lines of indicators the parser needs more memory than there is. */
const MAX_LINE_CHARS = 300;
/** `- - x`, `? - x`: nesting that these settings have no use for, and that costs the parser much. */
const NESTED_INDICATORS = /(?:^|\s)[-?:]\s+[-?:](?:\s|$)/m;
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

function parse(text: string): unknown {
  if (Buffer.byteLength(text) > MAX_BYTES) throw new InvalidInput(`it is larger than ${MAX_BYTES} bytes.`);
  if (text.split(/[\r\n]/).some((line) => line.length > MAX_LINE_CHARS)) {
    throw new InvalidInput(`it has a line of more than ${MAX_LINE_CHARS} characters.`);
  }
  if (NESTED_INDICATORS.test(text)) throw new InvalidInput('it nests lists in a way that no setting does.');
  const document = parseDocument(text, { version: '1.2', schema: 'core', prettyErrors: false, logLevel: 'silent' });
  const [fault] = [...document.errors, ...document.warnings];
  if (fault !== undefined)
    throw new InvalidInput(`line ${lineOf(text, fault.pos[0])} is not the YAML that is read here.`);
  return plainValue(document);
}

function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}

function plainValue(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch {
    throw new InvalidInput('it uses an alias (`*name`): write the value out.');
  }
}

function readMembers(value: unknown): ReadSettings {
  if (value === null) return { settings: DEFAULTS, problem: null };
  if (typeof value !== 'object' || Array.isArray(value))
    throw new InvalidInput('it holds no settings: write `artifacts:`.');
  const { artifacts } = value as Record<string, unknown>;
  const settings = artifacts === undefined ? DEFAULTS : { artifacts: readGlobs(artifacts) };
  return { settings, problem: unknownMembers(Object.keys(value)) };
}

function readGlobs(value: unknown): string[] {
  const globs = Array.isArray(value) ? value : [];
  const are_texts = globs.every((glob) => typeof glob === 'string');
  if (globs.length === 0 || globs.length > MAX_GLOBS || !are_texts) {
    throw new InvalidInput(`\`artifacts\` must be a list of 1 to ${MAX_GLOBS} globs, each of them text (in quotes).`);
  }
  for (const glob of globs) compileGlob(glob);
  return globs;
}

function unknownMembers(names: string[]): string | null {
  const unknown = names.filter((name) => !MEMBERS.includes(name));
  if (unknown.length === 0) return null;
  const shown = unknown.slice(0, MAX_SHOWN).map((name) => JSON.stringify(name.slice(0, 40)));
  const rest = unknown.length > MAX_SHOWN ? ` and ${unknown.length - MAX_SHOWN} more` : '';
  return `.drift.yml: ${shown.join(', ')}${rest} ${unknown.length === 1 ? 'is' : 'are'} not known here; only \`artifacts\` is.`;
}
