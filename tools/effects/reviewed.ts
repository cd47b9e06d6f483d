import { existsSync, readFileSync } from 'node:fs';
import { EFFECTS, type EffectName, SAFE_WORDS, type SafeEnd, type Sentinel } from '../../engine/effects/types.ts';
import type { Classified } from './classify.ts';

/** A correction of the rules that a person made after reading a type argument by argument. */
interface Correction extends Classified {
  /** Path without indexes; `*.name` is an argument of that name at any depth. */
  path: string;
}

interface Section {
  /** Types, or patterns with `*`. */
  types: string[];
  corrections: Correction[];
}

/** The corrections of one provider. */
export interface Reviewed {
  /** Whether a person has read the type. Patterns correct types, but do not count as read. */
  isRead(type: string): boolean;
  find(type: string, path: string): Classified | undefined;
  /** Types and paths of corrections that no argument has, to be removed. */
  listUnused(): string[];
}

/**
 * Reads `reviewed/all.txt` and `reviewed/<provider>.txt`. A line of types, separated by spaces, starts a section; each indented line corrects
 * one argument: path, effect, safe end (a word, values `a<b<c`, or `-`), sentinel (`0=most`). The most specific section
 * wins, then the last line. Lines that start with `#` are comments.
 *
 * @throws Error that names the line, if it is not well-formed
 */
export function readReviewed(...files: string[]): Reviewed {
  const sections = files
    .filter((file) => existsSync(file))
    .flatMap((file) => parseSections(readFileSync(file, 'utf8')));
  const used = new Set<Correction>();
  const bySpecificity = sections.toSorted((a, b) => measurePatterns(a) - measurePatterns(b));
  return {
    isRead: (type) => sections.some(({ types }) => types.includes(type)),
    find(type, path) {
      let found: Correction | undefined;
      for (const { types, corrections } of bySpecificity) {
        if (!types.some((pattern) => matchesType(pattern, type))) continue;
        for (const correction of corrections) {
          if (!matchesPath(correction.path, path)) continue;
          used.add(correction);
          found = correction;
        }
      }
      return found;
    },
    listUnused: () =>
      sections.flatMap(({ types, corrections }) =>
        corrections.filter((one) => !used.has(one)).map((one) => `${types.join(' ')}: ${one.path}`),
      ),
  };
}

/** Characters of the shortest pattern with `*`; sections that name types only come last. */
function measurePatterns({ types }: Section): number {
  const patterns = types.filter((type) => type.includes('*')).map((type) => type.length);
  return patterns.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...patterns);
}

function matchesType(pattern: string, type: string): boolean {
  if (!pattern.includes('*')) return pattern === type;
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(type);
}

function matchesPath(pattern: string, path: string): boolean {
  if (!pattern.startsWith('*.')) return pattern === path;
  const name = pattern.slice(2);
  return path === name || path.endsWith(`.${name}`);
}

function parseSections(text: string): Section[] {
  const sections: Section[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    if (/^\s/.test(line)) sections.at(-1)!.corrections.push(parseCorrection(line, index + 1));
    else sections.push({ types: line.trim().split(/\s+/), corrections: [] });
  }
  return sections;
}

function parseCorrection(line: string, number: number): Correction {
  const [path, effect, end = '-', sentinel = '-', ...rest] = line.trim().split(/\s+/);
  if (!EFFECTS.includes(effect as EffectName) || rest.length > 0) throw new Error(`line ${number}: '${line.trim()}'`);
  return {
    path: path!,
    effect: effect as EffectName,
    safe_end: parseEnd(end, number),
    sentinel: parseSentinel(sentinel),
  };
}

function parseEnd(text: string, number: number): SafeEnd | null {
  if (text === '-') return null;
  if (text.includes('<')) return text.split('<');
  if (!SAFE_WORDS.includes(text as (typeof SAFE_WORDS)[number])) throw new Error(`line ${number}: safe end '${text}'`);
  return text as SafeEnd;
}

function parseSentinel(text: string): Sentinel | null {
  if (text === '-') return null;
  const [value, as] = text.split('=');
  return { value: Number(value), as: as === 'least' ? 'least' : 'most' };
}
