/** Judges new objects of types that nobody has documented, by the words of their arguments and their values. */
import { findEffect } from '../../effects/index.ts';
import { splitWords } from '../../effects/words.ts';
import type { RiskLevel } from '../../model/result.ts';
import { compileTests, type ValueTest } from '../attributes/moves/value-tests.ts';
import type { Subject } from '../attributes/subject.ts';
import type { Value } from '../attributes/types.ts';
import table from './new-objects.json' with { type: 'json' };
import { isBroad } from './values/broad-patterns.ts';
import { hasAny } from './values/words.ts';

/** An object is meant if each test is passed by one of its own arguments. */
interface NewObject {
  /** Words of which the type has one, separated by blanks. */
  kinds: string;
  /** The first one decides which argument the reason names. */
  when: readonly Test[];
  level: RiskLevel;
  /** The consequence in a few words. */
  says: string;
}

interface Test {
  /** Phrases, separated by commas: the name of the argument has all words of one. */
  names: string;
  values?: readonly ValueTest[];
  /** The value is a pattern that matches nearly everything. */
  broad?: true;
}

interface CompiledTest {
  phrases: readonly (readonly string[])[];
  passes(value: Value): boolean;
}

interface CompiledObject extends Pick<NewObject, 'level' | 'says'> {
  kinds: ReadonlySet<string>;
  when: readonly CompiledTest[];
}

let compiled: readonly CompiledObject[] | undefined;

/** Adds a reason for the gravest thing that the arguments of a new object say. */
export function findNewObject(subject: Subject): void {
  const { type, after } = subject;
  if (after === undefined || findEffect(type, [Object.keys(after)[0] ?? '']) !== undefined) return;
  compiled ??= (table as { rows: readonly NewObject[] }).rows.map(compile);
  const words = new Set(splitWords(type.slice(type.indexOf('_') + 1)));
  const names = Object.keys(after).map((name) => ({ name, words: new Set(splitWords(name)) }));
  for (const { kinds, when, level, says } of compiled) {
    if (!hasAny(words, kinds)) continue;
    const found = when.map((test) => names.find((one) => isNamed(test, one.words) && test.passes(after[one.name])));
    const [first] = found;
    if (first === undefined || found.includes(undefined) || subject.isReported([first.name], level)) continue;
    const path = [first.name];
    const value = subject.isHidden(path) ? 'is set (value withheld)' : `is ${subject.quote(path, after[first.name])}`;
    subject.add({ rule: 'R-VAL-NEW', level, path, message: `${says}: ${subject.formatPath(path)} ${value}.` });
    subject.setDirection(path, 'weakening');
    return;
  }
}

function isNamed({ phrases }: CompiledTest, words: ReadonlySet<string>): boolean {
  return phrases.some((phrase) => phrase.every((word) => words.has(word)));
}

function compile({ kinds, when, level, says }: NewObject): CompiledObject {
  return { kinds: new Set(splitWords(kinds)), when: when.map(compileTest), level, says };
}

function compileTest({ names, values, broad }: Test): CompiledTest {
  const passes = broad ? isBroad : compileTests(values ?? []);
  return { phrases: names.split(',').map(splitWords), passes };
}
