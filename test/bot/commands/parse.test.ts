import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readCommand } from '../../../bot/commands/parse.ts';
import { PAYLOADS } from '../../engine/review/payloads.ts';

const FINGERPRINT = '664a69e7e545b4c8e35ec397685030a1';

describe('the first line of a comment', () => {
  test.each<[string, object]>([
    ['/drift', { verb: 'help' }],
    ['/drift help', { verb: 'help' }],
    ['  /DRIFT   Help  ', { verb: 'help' }],
    ['/drift explain aws_x.y', { verb: 'explain', address: 'aws_x.y' }],
    [
      '/drift explain  module.a["b c"].aws_x.y["d  e"] ',
      { verb: 'explain', address: 'module.a["b c"].aws_x.y["d  e"]' },
    ],
    ['/drift explain `aws_x.y["a b"]`', { verb: 'explain', address: 'aws_x.y["a b"]' }],
    ['/drift explain `` aws_x.y["`"] ``', { verb: 'explain', address: 'aws_x.y["`"]' }],
    ['/Drift NOISE', { verb: 'noise' }],
    ['/drift rescan', { verb: 'rescan' }],
    ['/drift quiet', { verb: 'quiet', on: true }],
    ['/drift quiet OFF', { verb: 'quiet', on: false }],
    [`/drift fix ${FINGERPRINT}`, { verb: 'fix', fingerprint: FINGERPRINT }],
    ['/drift fix `664A69E7`', { verb: 'fix', fingerprint: '664a69e7' }],
    [
      `/drift suppress ${FINGERPRINT}  30D  The provider   fills it in.`,
      { verb: 'suppress', fingerprint: FINGERPRINT, duration: '30d', reason: 'The provider fills it in.' },
    ],
    [
      '/drift suppress 664a69e7 forever known',
      { verb: 'suppress', fingerprint: '664a69e7', duration: 'forever', reason: 'known' },
    ],
  ])('%s is a command', (line, command) => {
    expect(readCommand(line)).toEqual(command);
  });

  test.each<[string, RegExp]>([
    ['/drift explian aws_x.y', /^"explian" is not a command\. Did you mean \/drift explain\?/],
    ['/drift supress', /Did you mean \/drift suppress\?/],
    ['/drift qiuet', /Did you mean \/drift quiet\?/],
    ['/drift constructor', /^"constructor" is not a command\. Comment \/drift help/],
    ['/drift explain', /^The address is missing/],
    ['/drift explain ``', /^The address is missing/],
    ['/drift fix', /^"" is not a fingerprint/],
    ['/drift fix 664a69e', /use at least 8 digits/],
    [`/drift fix ${FINGERPRINT}0`, /is not a fingerprint/],
    ['/drift fix 664a69e7 and more', /is not a fingerprint/],
    ['/drift suppress', /is not a fingerprint/],
    [`/drift suppress ${FINGERPRINT}`, /^"" is not a valid duration: use 7d, 30d, 90d, forever/],
    [`/drift suppress ${FINGERPRINT} 12h why`, /^"12h" is not a valid duration/],
    [`/drift suppress ${FINGERPRINT} 30d`, /needs a reason/],
    ['/drift quiet please', /is not an argument of \/drift quiet/],
    [`/drift explain ${'x'.repeat(490)}`, /at most 500 characters/],
  ])('%s returns an explanation', (line, words) => {
    expect(readCommand(line)).toEqual({ unknown: expect.stringMatching(words) });
  });

  test('is parsed or explained, for random text', () => {
    const verb = fc.constantFrom('help', 'explain', 'noise', 'suppress', 'fix', 'rescan', 'quiet', 'Fix', '');
    const rest = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...PAYLOADS));
    fc.assert(
      fc.property(fc.tuple(fc.constantFrom('/drift ', '/drift', ''), verb, rest), ([head, asked, words]) => {
        const command = readCommand(`${head}${asked} ${words}`);

        expect('verb' in command || command.unknown.length < 300).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  test('with an abbreviated fingerprint keeps its digits', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 8, maxLength: 32 });
    fc.assert(
      fc.property(digits, (fingerprint) => {
        expect(readCommand(`/drift fix ${fingerprint}`)).toEqual({ verb: 'fix', fingerprint });
      }),
    );
  });
});
