import { expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../../engine/model/result.ts';
import { judgePlan } from '../../plans.ts';

const OFF = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad';
const ON = '658327ea-f89d-4fab-a63d-7e88639e58f6';
const findLevel = (type: string, before: JsonObject, after: JsonObject) => judgePlan([[type, before, after]]).level;

const behavior = (path_pattern: string, cache_policy_id: string): JsonObject => ({
  ordered_cache_behavior: [{ path_pattern, cache_policy_id }],
});
const aged = (path_pattern: string, default_ttl: number): JsonObject => ({
  ordered_cache_behavior: [{ path_pattern, default_ttl, cache_policy_id: '' }],
});
const route = (pattern: string, cache: JsonObject[]): JsonObject => ({ patterns_to_match: [pattern], cache });
const page = (target: string, cache_level: string): JsonObject => ({ target, actions: [{ cache_level }] });

test.each<[string, string, JsonObject, JsonObject]>([
  ['an API', 'aws_cloudfront_distribution', behavior('/api/*', OFF), behavior('/api/*', ON)],
  ['pages of an account', 'aws_cloudfront_distribution', aged('/account/*', 0), aged('/account/*', 300)],
  [
    'records behind a route',
    'azurerm_cdn_frontdoor_route',
    route('/records/*', []),
    route('/records/*', [{ query_string_caching_behavior: 'IgnoreQueryString' }]),
  ],
  [
    'the checkout',
    'cloudflare_page_rule',
    page('shop.acme.io/checkout*', 'basic'),
    page('shop.acme.io/checkout*', 'cache_everything'),
  ],
])('storing %s at the edge is high', (_, type, before, after) => {
  expect(findLevel(type, before, after)).toBe('high');
});

test.each<[string, string, JsonObject, JsonObject]>([
  ['static files', 'aws_cloudfront_distribution', behavior('/static/*', OFF), behavior('/static/*', ON)],
  ['images', 'aws_cloudfront_distribution', behavior('*.png', OFF), behavior('*.png', ON)],
  ['an API no longer', 'aws_cloudfront_distribution', behavior('/api/*', ON), behavior('/api/*', OFF)],
])('storing %s is at most medium', (_, type, before, after) => {
  expect(['low', 'medium']).toContain(findLevel(type, before, after));
});
