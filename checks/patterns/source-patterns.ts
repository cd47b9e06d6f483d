import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { parse } from 'yaml';

/** A regular expression and its location. */
export interface Pattern {
  /** Path from the root of the repository. */
  file: string;
  line: number;
  source: string;
  flags: string;
}

/** A place that builds a regular expression at run time. */
export interface DynamicSite {
  file: string;
  line: number;
  /** Inside a function, so that loading the module may not run it. */
  in_function: boolean;
}

export interface SourcePatterns {
  literals: Pattern[];
  dynamic: DynamicSite[];
}

const SEARCHES = new Set(['match', 'matchAll', 'search']);

/** Every regular expression literal, `RegExp(…)` call and pattern string in some folders, sorted by file and line. */
export function findPatterns(root: string, folders: readonly string[]): SourcePatterns {
  const found: SourcePatterns = { literals: [], dynamic: [] };
  for (const folder of folders) {
    const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).sort();
    for (const name of names.filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))) {
      const path = join(root, folder, name);
      collect(relative(root, path), readFileSync(path, 'utf8'), found);
    }
  }
  return found;
}

/** The patterns in one file. */
export function findFilePatterns(file: string, text: string): SourcePatterns {
  const found: SourcePatterns = { literals: [], dynamic: [] };
  collect(file, text, found);
  return found;
}

/** Patterns of the contract: the server compiles them to validate requests. */
export function findContractPatterns(root: string, file: string): Pattern[] {
  const text = readFileSync(join(root, file), 'utf8');
  const lines = text.split('\n');
  const sources = new Set<string>();
  collectMembers(parse(text), sources);
  return [...sources].map((source) => {
    const at = lines.findIndex((line) => line.includes('pattern:') && line.includes(source));
    return { file, line: at + 1, source, flags: 'u' };
  });
}

function collectMembers(value: unknown, sources: Set<string>): void {
  if (value === null || typeof value !== 'object') return;
  for (const [name, member] of Object.entries(value)) {
    if (name === 'pattern' && typeof member === 'string') sources.add(member);
    else collectMembers(member, sources);
  }
}

function collect(file: string, text: string, { literals, dynamic }: SourcePatterns): void {
  const source_file = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const findLine = (node: ts.Node) => source_file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      literals.push({ file, line: findLine(node), source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    } else if (isConstruction(node)) {
      dynamic.push({ file, line: findLine(node), in_function: isInFunction(node) });
    } else {
      const source = findSearchPattern(node);
      if (source !== undefined) literals.push({ file, line: findLine(node), source, flags: '' });
    }
    ts.forEachChild(node, visit);
  };
  visit(source_file);
}

function isConstruction(node: ts.Node): boolean {
  if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return false;
  return ts.isIdentifier(node.expression) && node.expression.text === 'RegExp';
}

/** A callback of a top-level statement runs while the module loads; any other function may run later. */
function isInFunction(node: ts.Node): boolean {
  for (let at = node.parent; at !== undefined; at = at.parent) {
    if (ts.isArrowFunction(at) && ts.isCallExpression(at.parent) && at.parent.arguments.includes(at)) continue;
    if (ts.isFunctionLike(at)) return true;
  }
  return false;
}

/** `text.match('a+')` compiles its argument. */
function findSearchPattern(node: ts.Node): string | undefined {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  const [argument] = node.arguments;
  if (!SEARCHES.has(node.expression.name.text) || argument === undefined) return undefined;
  return ts.isStringLiteralLike(argument) ? argument.text : undefined;
}
