import { expect, test } from '@jest/globals';
import { mayHoldHint } from '../../../engine/redact/hint-filter.ts';

test.each([
  ...['password', 'pwd', 'secret', 'token', 'credential', 'key', 'pw=', '_pw:', 'connection', 'psk', 'dsn', 'auth'],
  ...[
    'bearer',
    'basic ',
    'cookie',
    'curl',
    'identified',
    'securestring',
    '$2',
    '$apr1',
    '$argon2',
    '{sha}',
    '{ssha}',
    '@',
  ],
  ...[':5432:', ':*:', '<<<', 'add_user', 'net ', 'net1 ', 'mc ', 'vault', 'stdin', 'sudo'],
])('a text with %j may hold a secret, in both letter cases', (word) => {
  expect(mayHoldHint(`. ${word}`)).toBe(true);
  expect(mayHoldHint(`. ${word.toUpperCase()}`)).toBe(true);
});

test.each(['', 'pa', 'Managed by Terraform', '{"Effect":"Allow","Action":"s3:GetObject"}'])('%j holds none', (text) => {
  expect(mayHoldHint(text)).toBe(false);
});
