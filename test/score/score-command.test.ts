import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { runScore } from '../../bench/score/score-command.ts';
import type { SetScore } from '../../bench/score/score-set.ts';
import type { Scorecard } from '../../bench/score/scorecard.ts';
import { packageRoot } from '../../server/lib/package-root.ts';
import { buildPlan, createSets, writeTable } from './set-files.ts';

const DPA = `"${process.execPath}" "${join(packageRoot(), 'cli/bin/dpa.js')}" analyze {plan} --format json`;
const sets = createSets();
afterAll(sets.remove);

interface JsonReport extends SetScore {
  card: Scorecard;
  missed: string[];
}

async function score(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const lines = { out: '', err: '' };
  const code = await runScore(args, {
    log: (text) => (lines.out += `${text}\n`),
    error: (text) => (lines.err += `${text}\n`),
  });
  return { code, ...lines };
}

async function scoreAsJson(...args: string[]): Promise<JsonReport> {
  return JSON.parse((await score(...args, '--json')).out) as JsonReport;
}

/** A database that is deleted, and one that gets a tag. */
function writeSet(files: Record<string, string> = {}): string {
  return sets.write({
    'drop.json': buildPlan('aws_db_instance.main', ['delete']),
    'tag.json': buildPlan('aws_db_instance.main', ['update']),
    'LABELS.tsv': writeTable(
      'file|expected|acceptable|reason|key_addresses|noise_expected|secrets',
      'drop.json|critical|high-critical|the database is lost|aws_db_instance.main=high-critical|aws_db_instance.main=novel',
      'tag.json|low|none-medium|only a tag|aws_db_instance.main=none-medium',
    ),
    'PAIRS.tsv': writeTable('risky|safe|why', 'drop.json|tag.json|deleted or tagged'),
    ...files,
  });
}

/** A command that runs a script of the test with the text of the plan in `plan` and its path in `file`. */
function runScript(folder: string, script: string): string {
  const path = join(folder, 'tool.cjs');
  const head = `const file = process.argv[2]; const plan = require('node:fs').readFileSync(file, 'utf8');`;
  writeFileSync(path, `${head}\n${script}\n`);
  return `"${process.execPath}" "${path}" {plan}`;
}

describe('npm run score', () => {
  test('prints pairs and secrets, and exits with 0', async () => {
    const { code, out } = await score(writeSet());

    expect(code).toBe(0);
    expect(out).toContain('pairs: 1/1 (100.0 %)\nsecrets leaked: 0\n');
  });

  test('prints no pairs for a set without them', async () => {
    const folder = sets.write({
      'tag.json': buildPlan('aws_db_instance.main', ['update']),
      'LABELS.tsv': writeTable('file|expected|acceptable', 'tag.json||'),
    });

    const { code, out } = await score(folder, '--min-pairs', '100');

    expect({ code, hasPairs: out.includes('pairs:') }).toEqual({ code: 0, hasPairs: false });
  });

  test('lists a wrongly ranked pair, and exits with 1 below --min-pairs', async () => {
    const folder = writeSet({ 'PAIRS.tsv': writeTable('risky|safe|why', 'tag.json|drop.json|swapped') });

    const { code, out } = await score(folder, '--min-pairs', '50');

    expect(code).toBe(1);
    expect(out).toMatch(/^! pair tag\.json > drop\.json: \w+, not above critical\n {4}theirs: swapped$/m);
    expect(out).toContain('pairs: 0/1 (0.0 %)');
    expect(out).toContain('goal missed: pairs is 0.0 %, the goal 50 %');
  });

  test('includes each pair in --json', async () => {
    const { card, pairs } = await scoreAsJson(writeSet());

    expect(card.pairs).toEqual({ hit: 1, of: 1 });
    expect(pairs).toMatchObject([{ risky: 'drop.json', safe: 'tag.json', risky_level: 'critical', ranked: true }]);
  });

  test.each([
    ['no folder', [], 'usage: npm run score'],
    ['two folders', ['a', 'b'], 'usage: npm run score'],
    ['a missing folder', ['/no/such/folder'], 'The folder "/no/such/folder" does not exist.'],
    ['an unknown option', ['.', '--min-luck', '3'], "Unknown option '--min-luck'"],
    ['a goal that is no number', ['.', '--min-pairs', 'many'], '--min-pairs is "many". Use a number from 0 to 100.'],
    ['an empty goal', ['.', '--min-exact', ''], '--min-exact is "". Use a number from 0 to 100.'],
    ['a goal above 100', ['.', '--max-false-alarms', '101'], '--max-false-alarms is "101".'],
    ['a timeout of zero', ['.', '--timeout', '0'], '--timeout is "0". Use a number from 0.001 to 3600.'],
    ['a command without {plan}', ['.', '--command', 'tool'], 'The command has no argument {plan}.'],
    ['a folder without labels', [join(packageRoot(), 'docs')], 'docs" has no LABELS.tsv and no CATALOG.tsv'],
  ])('reports %s and exits with 1', async (_what, args, message) => {
    const { code, out, err } = await score(...args);

    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(message);
  });
});

describe('npm run score --command', () => {
  test('scores dpa analyze with levels, changes, noise and pairs', async () => {
    const { card, scores } = await scoreAsJson(writeSet(), '--command', DPA);

    expect(scores.map(({ level }) => level)).not.toContain(null);
    expect(card).toMatchObject({
      ...{ in_band: { hit: 2, of: 2 }, key_addresses: { hit: 2, of: 2 }, pairs: { hit: 1, of: 1 } },
      ...{ secrets_leaked: 0 },
    });
  });

  test('scores a tool that prints one word, without rates of changes', async () => {
    const folder = writeSet();
    const command = runScript(folder, `console.log(plan.includes('delete') ? 'Critical' : 'low')`);

    const { code, out } = await score(folder, '--command', command);

    expect(code).toBe(0);
    expect(out).toMatch(/^all +2 +100\.0 \(2\/2\) +100\.0 \(2\/2\) +100\.0 \(1\/1\) +0\.0 \(0\/1\) +- +- +-$/m);
    expect(out).toContain('pairs: 1/1 (100.0 %)');
  });

  test('counts what a tool does not list as none and novel, and what it refuses as a miss', async () => {
    const labels = writeTable(
      'file|expected|acceptable|reason|key_addresses|noise_expected',
      'drop.json|critical||||aws_db_instance.main=benign',
      'tag.json|low|||aws_db_instance.main=none;other.main=none|aws_db_instance.main=benign',
    );
    const folder = writeSet({ 'LABELS.tsv': labels });
    const answer = { level: 'low', changes: [{ address: 'aws_db_instance.main', level: 'low', noise: 'benign' }] };
    const command = runScript(
      folder,
      `if (file.endsWith('drop.json')) process.exit(1); console.log('${JSON.stringify(answer)}')`,
    );

    const { card, scores } = await scoreAsJson(folder, '--command', command);

    expect(scores.map(({ misses }) => misses)).toEqual([
      ['refused: it ended with status 1'],
      ['aws_db_instance.main is low, not none'],
    ]);
    expect(card).toMatchObject({
      ...{ exact: { hit: 1, of: 2 }, dangerous: { hit: 0, of: 1 }, pairs: { hit: 0, of: 1 } },
      ...{ key_addresses: { hit: 1, of: 2 }, noise_precision: { hit: 1, of: 1 }, noise_recall: { hit: 1, of: 2 } },
    });
  });

  test('scores levels of changes without noise if the tool does not name noise', async () => {
    const folder = writeSet();
    const answer = { level: 'high', changes: [{ address: 'aws_db_instance.main', level: 'high' }] };
    const command = runScript(folder, `console.log('${JSON.stringify(answer)}')`);

    const { card } = await scoreAsJson(folder, '--command', command);

    expect(card).toMatchObject({ key_addresses: { hit: 1, of: 2 }, noise_recall: { of: 0 }, pairs: { hit: 0, of: 1 } });
    expect(card.noise_precision).toEqual({ hit: 0, of: 0 });
  });

  test.each([
    ['a planted secret on standard output', `console.log('planted "secret"\\nhigh')`],
    ['a planted secret in JSON', `console.log(JSON.stringify({ level: 'high', note: 'planted "secret"' }))`],
    ['a planted secret on standard error', `console.error('planted "secret"'); console.log('high')`],
    ['a value that the plan marks as sensitive', `console.log('marked-password\\nhigh')`],
    ['a planted secret before it fails', `console.error('planted "secret"'); process.exit(1)`],
  ])('counts %s as a leak, and exits with 1', async (_what, script) => {
    const labels = writeTable('file|expected|acceptable|secrets', 'drop.json|high||planted "secret"');
    const folder = writeSet({ 'LABELS.tsv': labels, 'PAIRS.tsv': writeTable('risky|safe') });

    const { code, out } = await score(folder, '--command', runScript(folder, script));

    expect(code).toBe(1);
    expect(out).toContain('goal missed: 1 secrets leaked');
    expect(out).toMatch(/shows a secret: (plan|mark)…/);
    expect(out).not.toMatch(/planted "secret"|marked-password/);
  });

  test('says why a tool refused a plan', async () => {
    const folder = writeSet();
    const command = runScript(
      folder,
      `if (file.endsWith('tag.json')) setInterval(() => {}, 1000); else console.log('?')`,
    );

    const { code, out } = await score(folder, '--command', command, '--timeout', '2');

    expect(code).toBe(0);
    expect(out).toContain(
      '! drop.json: refused, expected critical\n    miss:   refused: its last line is no level: "?"',
    );
    expect(out).toContain('! tag.json: refused, expected low\n    miss:   refused: it did not finish within 2 s');
    expect(out).toContain('! pair drop.json > tag.json: refused, not above refused');
  });

  test('reports a command that cannot be started, and exits with 1', async () => {
    const { code, out, err } = await score(writeSet(), '--command', 'dpa-no-such-tool {plan}');

    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toBe('Cannot start "dpa-no-such-tool": ENOENT. Check the name, and whether it is installed.\n');
  });
});
