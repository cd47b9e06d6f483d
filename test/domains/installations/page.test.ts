import { describe, expect, test } from '@jest/globals';
import { callbackPage } from '../../../server/domains/installations/callback-page.ts';
import { buildCallbackRedirect, toDenial } from '../../../server/domains/installations/callback-redirect.ts';
import { confirmPage } from '../../../server/domains/installations/confirm-page.ts';
import type { ConfirmationPrompt } from '../../../server/domains/installations/types.ts';

const HOSTILE = `<img src=x onerror=alert(1)>"'&\u202e`;
const buildPrompt = (name: string): ConfirmationPrompt => ({
  token: 'a.b',
  browser: 'of the browser',
  org: { display_name: `Org ${name}`, slug: 'acme' },
  requested_by: `ana${name}@example.com`,
  login: `ana${name}`,
  installation: {
    installation_id: 1,
    account_login: `acme${name}`,
    account_type: 'Organization',
    account_avatar_url: null,
    repository_selection: 'selected',
    permissions: {},
    is_suspended: false,
    html_url: 'https://github.com/organizations/acme/settings/installations/1',
  },
});

test('the page names the organization, the requester, the account, the repositories and the person asked', () => {
  const { text } = confirmPage(buildPrompt(''), null);

  for (const named of [
    'Org ',
    '(<bdi>acme</bdi>)',
    'ana@example.com',
    'the repositories selected at GitHub',
    '<bdi>ana</bdi>',
  ]) {
    expect(text).toContain(named);
  }
  const all = buildPrompt('');
  all.installation.repository_selection = 'all';
  expect(confirmPage(all, null).text).toContain('including future ones');
});

test('the page shows names as inert text and never shows the browser secret', () => {
  const { text } = confirmPage(buildPrompt(HOSTILE), null);

  expect(text).not.toContain('<img');
  expect(text).not.toContain('of the browser');
  const quoted = '&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;\\u{202e}</bdi>';
  expect(text.split('&lt;img').length).toBeGreaterThan(4);
  expect(text).toContain(`acme${quoted}`);
});

test.each([
  [null, []],
  ['https://dpa.example.com/app/', ['https://dpa.example.com']],
  ['http://localhost:3000', ['http://localhost:3000']],
])('with a web UI at %s the form can redirect there', (app_url, origins) => {
  expect(confirmPage(buildPrompt(''), app_url).form_redirect_origins).toEqual(origins);
});

describe('without a web UI', () => {
  const places = { app_url: null, api_url: 'https://dpa.example.com' };

  test('a person who comes back from GitHub sees a page of the service', () => {
    expect(buildCallbackRedirect(places, 'acme', { scm: 'connected' })).toBe(
      'https://dpa.example.com/github/return?scm=connected',
    );
    expect(buildCallbackRedirect({ ...places, api_url: null }, undefined, toDenial('role_lost'))).toBe(
      '/github/return?scm=denied&reason=role_lost',
    );
  });

  test.each([
    [{ scm: 'connected' }, 'The GitHub account is linked'],
    [{ scm: 'pending' }, 'An owner of the GitHub account must approve'],
    [{ scm: 'denied', reason: 'access_denied' }, 'The GitHub account was not linked'],
    [{ scm: 'denied', reason: 'invalid_state' }, 'This install link is not valid'],
    [{ scm: 'denied', reason: 'installation_not_yours' }, 'You do not manage this GitHub account'],
    [{ scm: 'denied', reason: 'already_linked' }, 'The GitHub account is linked elsewhere'],
  ])('the page for %j has the title "%s"', (query, title) => {
    expect(callbackPage(query).text).toContain(`<h1>${title}</h1>`);
  });

  test.each([
    {},
    { scm: HOSTILE },
    { scm: 'denied', reason: 'toString' },
    { scm: ['connected'], reason: { a: HOSTILE } },
  ])('the page ignores a query that the service did not create: %j', (query) => {
    const { text } = callbackPage(query);

    expect(text).toContain('<h1>Back from GitHub</h1>');
    expect(text).not.toContain('<img');
  });
});
