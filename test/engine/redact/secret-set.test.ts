import { expect, test } from '@jest/globals';
import { createSecretSet } from '../../../engine/redact/secret-set.ts';

test('a secret that is found many times counts once', () => {
  const secrets = createSecretSet();
  for (let i = 0; i < 30_000; i++) secrets.addFound('kX9vQ2mT7pLw');
  secrets.addFound('4ZrB8nQw2LpT');

  expect(secrets.scrub('a kX9vQ2mT7pLw b 4ZrB8nQw2LpT', '#')).toBe('a # b #');
});

test('found secrets beyond the limit do not withhold other texts', () => {
  const secrets = createSecretSet();
  for (let i = 0; i < 25_000; i++) secrets.addFound(`kX9vQ2mT${i}`);

  expect(secrets.size()).toBe(20_000);
  expect(secrets.overflowed()).toBe(false);
});

test('a found text of fewer than eight characters is not collected', () => {
  const secrets = createSecretSet();
  secrets.addFound('kX9vQ2m');

  expect(secrets.size()).toBe(0);
});
