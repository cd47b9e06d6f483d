import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { rateWithCommand, splitCommand } from '../../bench/score/tool-command.ts';
import { createSets } from './set-files.ts';

const NODE = process.execPath;
const LONG_MS = 60_000;
const sets = createSets();
afterAll(sets.remove);

/** Rates a plan with a script in JavaScript. */
function rateWithScript(script: string, timeout_ms = LONG_MS) {
  return rateWithCommand([NODE, '-e', script, '{plan}'], '/plans/a.json', timeout_ms);
}

describe('a command', () => {
  test.each([
    ['tool {plan}', ['tool', '{plan}']],
    ['  tool\t--file={plan}  -v ', ['tool', '--file={plan}', '-v']],
    [`'my tool' "a  b" {plan}`, ['my tool', 'a  b', '{plan}']],
    [`tool --say="it's {plan}"`, ['tool', "--say=it's {plan}"]],
    [`tool '' {plan}`, ['tool', '', '{plan}']],
    ['tool $HOME `id` a\\b; {plan}', ['tool', '$HOME', '`id`', 'a\\b;', '{plan}']],
  ])('%j is split into words', (text, words) => {
    expect(splitCommand(text)).toEqual(words);
  });

  test.each([
    ['', 'The command is empty.'],
    ['   ', 'The command is empty.'],
    ["'' {plan}", 'The command is empty.'],
    ['tool plan.json', 'The command has no argument {plan}.'],
    ['{plan}', 'The command has no argument {plan}.'],
    ['tool "{plan}', 'The command has an opening " without a closing one.'],
    ["tool it's {plan}", "The command has an opening ' without a closing one."],
  ])('%j is refused', (text, message) => {
    expect(() => splitCommand(text)).toThrow(message);
  });

  test('keeps every word that is quoted', () => {
    const word = fc.string().filter((text) => !text.includes('"'));
    fc.assert(
      fc.property(fc.array(word), (words) => {
        const text = ['tool', '{plan}', ...words.map((item) => `"${item}"`)].join(' ');

        expect(splitCommand(text)).toEqual(['tool', '{plan}', ...words]);
      }),
    );
  });
});

describe('a tool', () => {
  test('gets the path of the plan unchanged, whatever it contains', async () => {
    const file = join(sets.write({}), `$(touch made) ; $& 'x' "{plan}.json`);
    writeFileSync(file, 'content');
    const script = `console.log(require('node:fs').readFileSync(process.argv[1], 'utf8') === 'content' ? 'low' : 'high')`;

    const verdict = await rateWithCommand([NODE, '-e', script, '{plan}'], file, LONG_MS);

    expect(verdict.level).toBe('low');
    expect(existsSync('made')).toBe(false);
  });

  test('rates a plan by its standard output, and both outputs are searched for secrets', async () => {
    const verdict = await rateWithScript(`console.error('note'); console.log('high')`);

    expect(verdict).toEqual({ level: 'high', refusal: null, changes: null, shown: 'high\n\nnote\n', reasons: [] });
  });

  test('refuses a plan if it fails, even if it printed a level', async () => {
    const verdict = await rateWithScript(`console.log('high'); console.error('one\\nno key'); process.exit(3)`);

    expect(verdict).toMatchObject({ level: null, refusal: 'it ended with status 3: no key', changes: null });
    expect(verdict.shown).toContain('high');
  });

  test('refuses a plan if a signal ends it', async () => {
    const verdict = await rateWithScript(`process.kill(process.pid, 'SIGTERM'); setTimeout(() => {}, 60_000)`);

    expect(verdict).toMatchObject({ level: null, refusal: 'it was ended by SIGTERM' });
  });

  test('refuses a plan if it does not finish in time, even if it ignores signals', async () => {
    const verdict = await rateWithScript(`process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)`, 500);

    expect(verdict).toMatchObject({ level: null, refusal: 'it did not finish within 0.5 s' });
  });

  test('does not wait for standard input', async () => {
    const verdict = await rateWithScript(`process.stdin.resume().on('end', () => console.log('none'))`);

    expect(verdict.level).toBe('none');
  });

  test('refuses a plan if it prints too much', async () => {
    const verdict = await rateWithScript(
      `const text = 'x'.repeat(2 ** 20); for (let i = 0; i < 80; i += 1) console.log(text)`,
    );

    expect(verdict).toMatchObject({ level: null, refusal: 'it printed more than 64 MB' });
  });

  test('stops the run if it cannot be started', async () => {
    const file = join(sets.write({ 'tool.txt': 'text' }), 'tool.txt');

    await expect(rateWithCommand(['dpa-no-such-tool', '{plan}'], 'a.json', LONG_MS)).rejects.toThrow(
      'Cannot start "dpa-no-such-tool": ENOENT.',
    );
    await expect(rateWithCommand([file, '{plan}'], 'a.json', LONG_MS)).rejects.toThrow('EACCES');
  });
});
