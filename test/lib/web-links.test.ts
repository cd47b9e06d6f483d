import { expect, test } from '@jest/globals';
import { resultUrl, servicePage } from '../../server/lib/web-links.ts';

const ID = '019b7a10-0000-7000-8000-000000000005';

test.each([
  [
    'the web pages, where there are any',
    'https://app.example.com/',
    'https://api.example.com',
    `https://app.example.com/orgs/acme/scans/${ID}`,
  ],
  [
    'the page of the service itself',
    null,
    'https://api.example.com/base/',
    `https://api.example.com/base/results/${ID}`,
  ],
  ['nowhere, where no address is known', null, null, null],
])('a result is linked to %s', (_where, app_url, api_url, url) => {
  expect(resultUrl({ app_url, api_url }, 'acme', ID)).toBe(url);
});

test('a page of the service is linked by its path if the address of the service is unknown', () => {
  expect(servicePage({ api_url: null }, '/github/return')).toBe('/github/return');
});
