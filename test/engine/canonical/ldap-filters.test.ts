import { describe, expect, test } from '@jest/globals';
import { readLdapFilter } from '../../../engine/canonical/ldap-filters.ts';

const a = { kind: 'test', text: 'a=1' };
const b = { kind: 'test', text: 'b=2' };

describe('LDAP filters', () => {
  test.each([
    ['(a=1)', a],
    ['(&(a=1)(b=2))', { kind: 'all', parts: [a, b] }],
    ['(|(a=1)(!(b=2)))', { kind: 'any', parts: [a, { kind: 'not', part: b }] }],
  ])('%s is read', (text, condition) => expect(readLdapFilter(text)).toEqual(condition));

  test.each([
    '',
    'a=1',
    '(a)',
    '(&)',
    '(&(a=1)',
    '(a=1)(b=2)',
    '(!(a=1)(b=2))',
    `${'(&'.repeat(30)}(a=1)${')'.repeat(30)}`,
  ])('%j is not read', (text) => expect(readLdapFilter(text)).toBeNull());
});
