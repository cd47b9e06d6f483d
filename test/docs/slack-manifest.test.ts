import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { SLACK_SCOPES } from '../../server/adapters/slack/app.ts';
import { loadContract } from '../../server/http/index.ts';
import { HANDLED_EVENTS } from '../../server/lib/slack-request.ts';

const manifest = JSON.parse(readFileSync('docs/slack-app-manifest.json', 'utf8'));

test('the manifest asks for the scopes that the service requests', () => {
  expect(manifest.oauth_config.scopes.bot).toEqual(SLACK_SCOPES);
});

test('a workspace can decline that the app reads messages', () => {
  expect(manifest.oauth_config.scopes.bot_optional).toEqual(['channels:history', 'groups:history']);
});

test('every URL of the manifest is an operation of the contract', async () => {
  const { operations } = await loadContract();
  const { features, oauth_config, settings } = manifest;
  const urls = [
    ['GET', oauth_config.redirect_urls[0]],
    ['POST', features.slash_commands[0].url],
    ['POST', settings.event_subscriptions.request_url],
    ['POST', settings.interactivity.request_url],
  ];

  for (const [method, url] of urls) {
    expect(operations.match(method, new URL(url).pathname)).toMatchObject({ found: 'operation' });
  }
});

test('the manifest subscribes to the events that the service works on, and names its own domain', () => {
  const { settings, features } = manifest;
  const { host } = new URL(settings.event_subscriptions.request_url);

  expect(settings.event_subscriptions.bot_events).toEqual([...HANDLED_EVENTS].sort());
  expect(features.unfurl_domains).toEqual([host]);
});
