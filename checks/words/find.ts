import ts from 'typescript';
import type { Exception } from './exceptions.ts';
import { type Place, RETIRED_WORDS } from './words.ts';

export interface Finding {
  /** Path from the root of the repository. */
  file: string;
  /** From 1; 0 for the name of the file. */
  line: number;
  word: string;
  /** The name or line that contains the word. */
  found: string;
  use: string;
}

interface Name {
  text: string;
  line: number;
  is_function: boolean;
}

const SCRIPT = /\.[cm]?[jt]s$/;

/** Retired words in one file: in its name, in identifiers, and in all other text; sorted by line. */
export function findRetiredWords(file: string, text: string): Finding[] {
  const names = SCRIPT.test(file) ? listNames(text) : [];
  const findings = check(file, 0, file, 'names');
  for (const name of names) {
    findings.push(...check(file, name.line, name.text, 'names'));
    if (name.is_function) findings.push(...check(file, name.line, name.text, 'functions'));
  }
  const lines = text.split('\n');
  const prose = SCRIPT.test(file) ? blankNames(text) : text;
  for (const [at, line] of prose.split('\n').entries()) {
    findings.push(
      ...check(file, at + 1, line, 'text').map((finding) => ({ ...finding, found: lines[at]?.trim() ?? '' })),
    );
  }
  return findings.sort((a, b) => a.line - b.line);
}

/** Findings that no exception allows, and exceptions that allow nothing. */
export function applyExceptions(
  found: readonly Finding[],
  exceptions: readonly Exception[],
): { findings: Finding[]; unused: Exception[] } {
  const matches = (finding: Finding, exception: Exception) =>
    finding.word === exception.word && covers(exception.path, finding.file);
  return {
    findings: found.filter((finding) => !exceptions.some((exception) => matches(finding, exception))),
    unused: exceptions.filter((exception) => !found.some((finding) => matches(finding, exception))),
  };
}

function covers(path: string, file: string): boolean {
  return path.endsWith('/') ? file.startsWith(path) : file === path;
}

function check(file: string, line: number, text: string, place: Place): Finding[] {
  const words = splitWords(text);
  return RETIRED_WORDS.filter(({ places, pattern }) => places.includes(place) && pattern.test(words)).map(
    ({ word, use }) => ({ file, line, word, found: text.trim(), use }),
  );
}

/** `publishTurns` and `publish_turns` become `publish turns`. */
function splitWords(text: string): string {
  return text
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
}

function listNames(text: string): Name[] {
  const names: Name[] = [];
  visitIdentifiers(text, (node, source) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    names.push({ text: node.text, line: line + 1, is_function: isFunctionName(node) });
  });
  return names;
}

/** The text with spaces in place of identifiers; lines stay where they are. */
function blankNames(text: string): string {
  const parts: string[] = [];
  let end = 0;
  visitIdentifiers(text, (node, source) => {
    parts.push(text.slice(end, node.getStart(source)));
    end = node.getEnd();
  });
  return [...parts, text.slice(end)].join(' ');
}

function visitIdentifiers(text: string, visit: (node: ts.Identifier, source: ts.SourceFile) => void): void {
  const source = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true);
  const walk = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node.getEnd() > node.getStart(source)) visit(node, source);
    ts.forEachChild(node, walk);
  };
  walk(source);
}

/** Whether a function, a method or a constant with a function as its value is declared by this name. */
function isFunctionName(name: ts.Identifier): boolean {
  const { parent } = name;
  if (ts.isFunctionDeclaration(parent) || ts.isMethodDeclaration(parent)) return parent.name === name;
  if (!ts.isVariableDeclaration(parent) || parent.name !== name || parent.initializer === undefined) return false;
  return ts.isArrowFunction(parent.initializer) || ts.isFunctionExpression(parent.initializer);
}
