import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hasCredentials, withoutCredentials } from '../../server/lib/url-credentials.ts';

describe('an address', () => {
  test.each([
    'https://github.com/acme/infra',
    'https://github.com',
    'http://git.example.com:8080/a/b?ref=main#readme',
    'https://dev.azure.com/acme/_git/team@infra',
    'https://git.example.com/a?monkey=1',
    'https://git.example.com/token=1',
    'https://git.example.com/?keyword=token',
  ])('%s has no credentials and is unchanged', (url) => {
    expect([withoutCredentials(url), hasCredentials(url)]).toEqual([url, false]);
  });

  test.each([
    ['https://ci:t0ken@git.example.com/a', 'https://git.example.com/a'],
    ['https://t0ken@git.example.com/a', 'https://git.example.com/a'],
    ['https://:t0ken@git.example.com/a', 'https://git.example.com/a'],
    ['https://ci:t0@ken@git.example.com/a', 'https://git.example.com/a'],
    ['https://ci:t0%2fken@git.example.com/a?ref=main', 'https://git.example.com/a?ref=main'],
    ['https:////ci:t0ken@git.example.com/a', 'https://git.example.com/a'],
    ['https:\\\\ci:t0ken@git.example.com/a', 'https://git.example.com/a'],
    ['HTTPS://ci:t0ken@git.example.com/a', 'https://git.example.com/a'],
    ['https://git.example.com/a?private_token=t0ken', 'https://git.example.com/a'],
    ['https://git.example.com/a?ref=main&ACCESS_TOKEN=t0ken', 'https://git.example.com/a'],
    ['https://git.example.com/a?ref=main;token=t0ken', 'https://git.example.com/a'],
    ['https://git.example.com/a?private%5Ftoken=t0ken', 'https://git.example.com/a'],
    ['https://git.example.com/a#access_token=t0ken', 'https://git.example.com/a'],
    ['https://git.example.com/a#/callback?access_token=t0ken', 'https://git.example.com/a'],
    ['https://bucket.example.com/a?X-Amz-Signature=t0ken', 'https://bucket.example.com/a'],
    ['https://ci:t0ken@git.example.com/a?token=t0ken', 'https://git.example.com/a'],
  ])('%s loses its credentials', (url, bare) => {
    expect([withoutCredentials(url), hasCredentials(url)]).toEqual([bare, true]);
  });

  test.each(['', 'github.com/acme', 'git@github.com:acme/infra', 'ssh://git@github.com/a', 'https://u:p/w@host/x'])(
    '%s is not a valid web address and is removed',
    (text) => {
      expect([withoutCredentials(text), hasCredentials(text)]).toEqual([undefined, false]);
    },
  );

  test('with any user name and password loses both', () => {
    const part = fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(part, part, fc.webUrl({ withQueryParameters: true, withFragments: true }), (user, password, url) => {
        const loaded = new URL(url);
        loaded.username = user;
        loaded.password = `hunter2${password}`;
        const bare = withoutCredentials(loaded.href);

        expect(bare).not.toContain('hunter2');
        expect(hasCredentials(bare ?? '')).toBe(false);
      }),
    );
  });
});
