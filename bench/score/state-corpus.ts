/**
 * `npm run corpus:states -- <folder>`: reads every state of a folder (`*.json`, `*.tfstate`) and compares the counts and the
 * addresses with those of plain JSON.parse. Exits with 1 if a file is neither read completely nor refused by name, a count
 * is wrong, or a marked value is in the result.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createStateReader, StateError } from '../../engine/state/index.ts';
import { asList, asObject, type Json } from './corpus-plan.ts';

interface Outcome {
  file: string;
  result: string;
  faults: string[];
}

interface Counted {
  managed: number;
  data: number;
  deposed: number;
  /** Address parts of every instance, sorted. */
  places: string[];
  marked: Set<string>;
}

function judgeFile(folder: string, file: string): Outcome {
  const bytes = readFileSync(join(folder, file));
  const kept: object[] = [];
  const found: Counted = { managed: 0, data: 0, deposed: 0, places: [], marked: new Set() };
  const reader = createStateReader({
    instance(facts, readValues) {
      kept.push({ ...facts, ...readValues() });
      found.places.push(place(facts.mode, facts.type, facts.name, facts.index, facts.deposed));
    },
  });
  try {
    reader.write(bytes);
    const summary = reader.end();
    Object.assign(found, { managed: summary.managed_count, data: summary.data_count, deposed: summary.deposed_count });
    const shown = JSON.stringify(kept.map(reader.redact));
    const faults = findFaults(bytes, found, shown);
    if (summary.parse_failure_count > 0) faults.push(`${summary.parse_failure_count} not read`);
    return { file, result: `${found.managed} managed, ${found.data} data, ${found.deposed} deposed`, faults };
  } catch (error) {
    if (error instanceof StateError) return { file, result: `${error.error_class}: ${error.message}`, faults: [] };
    return { file, result: 'CRASH', faults: [String(error)] };
  }
}

function findFaults(bytes: Buffer, found: Counted, shown: string): string[] {
  const expected = countPlain(asObject(JSON.parse(bytes.toString('utf8')) as Json));
  const faults: string[] = [];
  for (const name of ['managed', 'data', 'deposed'] as const) {
    if (found[name] !== expected[name]) faults.push(`${name}: counted ${found[name]}, expected ${expected[name]}`);
  }
  if (found.places.sort().join('\n') !== expected.places.join('\n')) faults.push('different addresses');
  for (const secret of expected.marked) {
    if (shown.includes(JSON.stringify(secret).slice(1, -1))) faults.push('shows a marked value');
  }
  return faults;
}

/** Counts with JSON.parse only, without the engine. */
function countPlain(state: { [key: string]: Json }): Counted {
  const counted: Counted = { managed: 0, data: 0, deposed: 0, places: [], marked: new Set() };
  for (const resource of asList(state['resources']).map(asObject)) {
    for (const instance of asList(resource['instances']).map(asObject)) {
      add(counted, resource, instance['index_key'], instance['deposed']);
      for (const path of asList(instance['sensitive_attributes'])) {
        collectAt(asObject(instance['attributes']), asList(path).map(asObject), counted.marked);
      }
    }
  }
  countModule(counted, asObject(asObject(state['values'])['root_module']));
  counted.places.sort();
  return counted;
}

function countModule(counted: Counted, module: { [key: string]: Json }): void {
  for (const entry of asList(module['resources']).map(asObject)) {
    add(counted, entry, entry['index'], entry['deposed_key']);
    const mask = asObject(entry['sensitive_values']);
    for (const [name, value] of Object.entries(asObject(entry['values']))) {
      if (mask[name] === true && isLong(value)) counted.marked.add(value);
    }
  }
  for (const child of asList(module['child_modules']).map(asObject)) countModule(counted, child);
}

function add(counted: Counted, { mode, type, name }: { [key: string]: Json }, index?: Json, deposed?: Json): void {
  counted.places.push(place(mode, type, name, index ?? null, deposed ?? null));
  if (deposed !== undefined && deposed !== null) counted.deposed += 1;
  else counted[mode === 'data' ? 'data' : 'managed'] += 1;
}

function collectAt(value: Json, path: { [key: string]: Json }[], marked: Set<string>): void {
  const [step, ...rest] = path;
  if (step === undefined) {
    if (isLong(value)) marked.add(value);
    return;
  }
  const key = asObject(step['value'] ?? null)['value'] ?? step['value'];
  const inner = (value as { [key: string]: Json } | null)?.[String(key)];
  if (inner !== undefined) collectAt(inner, rest, marked);
}

/** Shorter strings also occur in ordinary text; the engine hides them only in place. */
function isLong(value: Json | undefined): value is string {
  return typeof value === 'string' && value.length >= 6 && value.trim() !== '';
}

function place(...parts: (Json | undefined)[]): string {
  return JSON.stringify(parts);
}

function report(outcomes: Outcome[]): boolean {
  for (const { file, result, faults } of outcomes) {
    console.log(`${faults.length === 0 ? '  ' : '! '}${file.padEnd(56)} ${result}`);
    for (const fault of faults) console.log(`     FAULT ${fault}`);
  }
  const refused = outcomes.filter(({ result }) => result.includes(': ')).length;
  const faulty = outcomes.filter(({ faults }) => faults.length > 0).length;
  console.log(
    `\n${outcomes.length} files: ${outcomes.length - refused} read, ${refused} refused by name, ${faulty} faulty`,
  );
  return faulty === 0 && outcomes.length > 0;
}

const folder = process.argv[2];
if (folder === undefined) {
  console.error('usage: npm run corpus:states -- <folder with states>');
  process.exitCode = 1;
} else {
  const files = readdirSync(folder).filter((file) => /\.(?:json|tfstate)$/.test(file));
  process.exitCode = report(files.sort().map((file) => judgeFile(folder, file))) ? 0 : 1;
}
