import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { analyzePlan } from '../../../engine/index.ts';
import { writePlans } from '../../score/make/index.ts';
import { NARRATIVES_TO_MENTION } from './eval.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dpa-eval-'));
  writePlans(folder);
});

afterAll(() => rmSync(folder, { recursive: true }));

describe('the narrative written by rules', () => {
  test.each(NARRATIVES_TO_MENTION)('of $file mentions the important facts in order', ({ file, mentions }) => {
    const { narrative } = analyzePlan(readFileSync(join(folder, `${file}.json`)));
    let from = 0;
    const missing = mentions.filter((mention) => {
      const at = narrative.indexOf(mention, from);
      from = Math.max(from, at);
      return at < 0;
    });

    expect(missing.length > 0 ? { missing, narrative } : {}).toEqual({});
    expect(narrative.length).toBeLessThan(2_600);
    expect(narrative).not.toMatch(/please|note that|important to|in order to|undefined|null\b|NaN|\[object/i);
  });
});
