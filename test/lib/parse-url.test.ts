import { expect, test } from '@jest/globals';
import { parseUrl } from '../../server/lib/parse-url.ts';

test('a name with letters outside ASCII is parsed, also by code that V8 has optimized', () => {
  for (let i = 0; i < 200_000; i++) parseUrl(`https://a.example/${i % 9}`);

  expect(parseUrl('https://b\u00fccher.example.com')?.hostname).toBe('xn--bcher-kva.example.com');
});

test('a text that is no URL is undefined, and a relative one needs a base', () => {
  expect([parseUrl('http://['), parseUrl('/a')]).toEqual([undefined, undefined]);
  expect(parseUrl('/a', 'https://a.example')?.href).toBe('https://a.example/a');
});
