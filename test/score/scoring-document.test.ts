import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { readLabels } from '../../bench/score/score-labels.ts';
import { readPairs } from '../../bench/score/score-pairs.ts';
import { RATES } from '../../bench/score/scorecard.ts';
import { readToolOutput } from '../../bench/score/tool-output.ts';
import { packageRoot } from '../../server/lib/package-root.ts';
import { createSets } from './set-files.ts';

const DOCUMENT = readFileSync(join(packageRoot(), 'docs/scoring.md'), 'utf8');
const sets = createSets();
afterAll(sets.remove);

/** An example table in the document, with tabs for its arrows. */
function readExample(first_column: string): string {
  const from = DOCUMENT.indexOf(`\`\`\`\n${first_column} →`) + 4;
  return DOCUMENT.slice(from, DOCUMENT.indexOf('```', from)).replaceAll('→', '\t');
}

describe('docs/scoring.md', () => {
  test('has an example of labels that can be read', () => {
    const folder = sets.write({ 'open-port.json': '', 'new-tag.json': '', 'LABELS.tsv': readExample('file') });

    expect(readLabels(folder)).toMatchObject([
      {
        ...{ expected: 'high', acceptable: 'high-critical', secrets: ['Hunter-2-prod'] },
        key_addresses: [['aws_security_group.db', 'high-critical']],
        noise_expected: [['aws_security_group.app', 'benign']],
      },
      { expected: 'low', acceptable: 'none-low', key_addresses: [], noise_expected: [], secrets: [] },
    ]);
  });

  test('has an example of pairs that can be read', () => {
    const labels = ['bucket-any-account.json', 'bucket-own-org.json'].map((file) => ({ file }));
    const folder = sets.write({ 'PAIRS.tsv': readExample('risky') });

    expect(readPairs(folder, labels as ReturnType<typeof readLabels>)).toHaveLength(1);
  });

  test('has an example of an output that can be read', () => {
    const [, example = ''] = /```json\n([^`]*)```/.exec(DOCUMENT) ?? [];

    const { level, changes } = readToolOutput(example);

    expect({ level, changes: changes?.size }).toEqual({ level: 'high', changes: 2 });
  });

  test('explains every rate, and names the flag for its goal', () => {
    const missing = RATES.filter((name) => {
      const flag = `--${name === 'false_alarms' ? 'max' : 'min'}-${name.replaceAll('_', '-')}`;
      return !DOCUMENT.includes(`| \`${name}\` |`) || !DOCUMENT.includes(`\`${flag}\``);
    });

    expect(missing).toEqual([]);
  });
});
