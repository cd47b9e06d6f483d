import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { normalizeChange, normalizeOutput } from '../../../engine/changes/normalize.ts';
import type { JsonValue } from '../../../engine/model/result.ts';
import { createRedactor } from '../../../engine/redact/redactor.ts';

interface Planted {
  value: JsonValue;
  mask: JsonValue;
  canaries: string[];
}

let count = 0;
function nextCanary(): string {
  count += 1;
  return `canary"${count}\n<&>${'é'.repeat(count % 3)}${'~'.repeat(count % 400)}`;
}

const plain: fc.Arbitrary<Planted> = fc
  .constantFrom<JsonValue>(null, true, 1, '', 'plain', 'x')
  .map((value) => ({ value, mask: false, canaries: [] }));
/** A marked value: a canary alone, or deep inside a marked container. */
const marked: fc.Arbitrary<Planted> = fc.constantFrom('leaf', 'list', 'object').map((form) => {
  const canary = nextCanary();
  const value: JsonValue = form === 'leaf' ? canary : form === 'list' ? [1, { k: canary }] : { a: { b: [canary] } };
  return { value, mask: true, canaries: [canary] };
});
const planted = fc.letrec<{ node: Planted }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    plain,
    marked,
    fc.array(tie('node'), { maxLength: 4 }).map((items) => ({
      value: items.map((item) => item.value),
      mask: items.map((item) => item.mask),
      canaries: items.flatMap((item) => item.canaries),
    })),
    members(tie('node')),
  ),
})).node;

function members(node: fc.Arbitrary<Planted>): fc.Arbitrary<Planted> {
  const key = fc.constantFrom('a', 'b.c', '__proto__', 'tags', 'value');
  return fc.uniqueArray(fc.tuple(key, node), { maxLength: 4, selector: ([name]) => name }).map((entries) => ({
    value: Object.fromEntries(entries.map(([name, item]) => [name, item.value])),
    mask: Object.fromEntries(entries.map(([name, item]) => [name, item.mask])),
    canaries: entries.flatMap(([, item]) => item.canaries),
  }));
}

/** All ways in which a plan can repeat a secret without marking it. */
function repeat(canaries: string[]): JsonValue {
  return {
    whole: canaries,
    inText: canaries.map((canary) => `before ${canary} after`),
    together: canaries.join(''),
    json: JSON.stringify({ note: canaries }),
    base64: Buffer.from(`x${canaries.join(' ')}`).toString('base64'),
    keys: Object.fromEntries(canaries.map((canary) => [canary, 1])),
    address: canaries.map(
      (canary) => `https://x/?q=${/\p{Surrogate}/u.test(canary) ? '' : encodeURIComponent(canary)}`,
    ),
  };
}

const PIECE = /canary/i;
const ENCODED = Buffer.from('canary').toString('base64').slice(0, 8);

test('no result contains a marked value in any form in which the plan repeats it', () => {
  fc.assert(
    fc.property(members(planted), members(planted), members(planted), (before, after, output) => {
      const canaries = [...before.canaries, ...after.canaries, ...output.canaries];
      const redactor = createRedactor();
      const change = normalizeChange({
        address: 'a.b',
        type: 'a',
        name: 'b',
        change: {
          actions: ['update'],
          before: before.value,
          after: after.value,
          before_sensitive: before.mask,
          after_sensitive: after.mask,
        },
      });
      const copies = normalizeChange({
        address: 'a.c',
        type: 'a',
        name: 'c',
        change: { actions: ['create'], before: null, after: repeat(canaries) },
      });
      const raw = { actions: ['create'], before: null, after: output.value, after_sensitive: output.mask };
      const marked = normalizeOutput('o', raw);
      const unmarked = normalizeOutput('u', { actions: ['create'], before: null, after: repeat(canaries) });
      for (const each of [change, copies]) redactor.observe(each);
      redactor.observeOutput(marked, raw);

      const shown = JSON.stringify([
        redactor.redactChange(change),
        redactor.redactChange(copies),
        redactor.redactOutput(marked),
        redactor.redactOutput(unmarked),
        canaries.map((canary) => redactor.redactText(`It changes ${canary} here`)),
      ]);

      expect(shown).not.toMatch(PIECE);
      expect(shown).not.toContain(ENCODED);
    }),
    { numRuns: 300 },
  );
});
