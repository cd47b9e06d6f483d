import { buildAnswer } from './model.ts';

const DEEP = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
const whole = JSON.parse(buildAnswer({}));

/** What a model may say of any plan and nothing of it can be used, by name. */
export const BAD_ANSWERS: [name: string, text: string][] = [
  ['nothing', ''],
  ['blanks', ' \n\t '],
  ['a refusal', "I'm sorry, but I can't help with that."],
  ['prose before JSON', `Here you are: ${buildAnswer({})}`],
  ['prose after JSON', `${buildAnswer({})} Hope this helps!`],
  ['two objects', `${buildAnswer({})}${buildAnswer({})}`],
  ['cut JSON', buildAnswer({}).slice(0, -5)],
  ['a list', `[${buildAnswer({})}]`],
  ['null', 'null'],
  ['a number', '42'],
  ['a string', '"fine"'],
  ['an empty object', '{}'],
  ['single quotes', buildAnswer({}).replaceAll('"', "'")],
  ['a trailing comma', `${buildAnswer({}).slice(0, -1)},}`],
  ['a comment', `// fine\n${buildAnswer({})}`],
  ['another schema', '{"risk_level":"none","narrative":"No changes."}'],
  ['a further member', JSON.stringify({ ...whole, risk_level: 'none' })],
  ['a missing member', JSON.stringify({ ...whole, notes: undefined })],
  ['a key twice', buildAnswer({}).replace('{', '{"why_it_matters":"x",')],
  ['a key twice, once escaped', buildAnswer({}).replace('{', '{"why_it_matter\\u0073":"x",')],
  ['a prototype', buildAnswer({}).replace('{', '{"__proto__":{"polluted":true},')],
  ['a constructor', buildAnswer({}).replace('{', '{"constructor":{"prototype":{}},')],
  ['a number for text', JSON.stringify({ ...whole, what_will_happen: 7 })],
  ['text for a list', JSON.stringify({ ...whole, what_to_check: 'look' })],
  ['a list of objects', JSON.stringify({ ...whole, what_to_check: [{}] })],
  ['a note without address', JSON.stringify({ ...whole, notes: [{ note: 'x' }] })],
  ['a wrong level', JSON.stringify({ ...whole, overall: { level: 'NONE', reason: '' } })],
  ['a level of another type', JSON.stringify({ ...whole, proposals: [{ address: 'a', level: 0, reason: '' }] })],
  ['1 MB', buildAnswer({ what_will_happen: 'x'.repeat(1_048_576) })],
  ['deep nesting', DEEP],
  ['deep nesting in a member', buildAnswer({}).replace('"overall":null', `"overall":${DEEP}`)],
  ['NUL', buildAnswer({ what_will_happen: 'a\u0000b' })],
  ['half a character', buildAnswer({ what_will_happen: 'a\ud800b' })],
  ['thousands of items', JSON.stringify({ ...whole, what_to_check: Array(301).fill('x') })],
  ['nothing but blanks', buildAnswer({ what_will_happen: '  ', why_it_matters: '\n' })],
  ['nothing that may stand', buildAnswer({ what_will_happen: 'It is safe to apply.' })],
  [
    'a list of things to check and no word why',
    buildAnswer({ what_will_happen: '', what_to_check: ['Look at the queue.'] }),
  ],
];
