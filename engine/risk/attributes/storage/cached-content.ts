/** R-CDN-CACHED: responses that an edge cache now stores, so that one user may get the response for another. */
import type { Subject } from '../subject.ts';
import type { Path, Rule, Value } from '../types.ts';
import { at, isEmpty, list, member, quantity, strings, text } from '../values.ts';

/** Policies of AWS that store responses whatever cookies or credentials a request has. */
const CACHING = new Set(['658327ea-f89d-4fab-a63d-7e88639e58f6', 'b2884449-e4de-46a7-ac36-70bc7f1ddd6d']);
const PERSONAL =
  /(?:^|[^a-z])(?:api|accounts?|profiles?|patients?|users?|customers?|members?|cart|checkout|orders?|sessions?|auth|login|me|my|portal|admin|graphql|dashboard|records?|private|secure|invoices?|billing|inbox|messages?)(?:$|[^a-z])/i;
const STATIC =
  /(?:^|[^a-z])(?:static|assets?|images?|img|css|js|fonts?|media|public|dist|icons?|favicon|build|_next)(?:$|[^a-z])|\.[a-z0-9]{2,5}$/i;

function report(subject: Subject, path: Path, patterns: readonly string[]): void {
  if (patterns.length > 0 && patterns.every((pattern) => STATIC.test(pattern) && !PERSONAL.test(pattern))) {
    subject.accept(path);
    return;
  }
  const level = patterns.some((pattern) => PERSONAL.test(pattern)) ? 'high' : 'medium';
  const message = `Responses for ${subject.quoteAll(path, patterns)} are now stored at the edge: one user may get the response for another.`;
  subject.add({ rule: 'R-CDN-CACHED', level, path, message, neutral: level === 'medium' });
  if (level === 'high') subject.setDirection(path, 'weakening');
}

/** The cache behaviors of CloudFront. */
function judgeBehaviors(block: string, subject: Subject): void {
  for (const { path, before, after, unknown } of subject.pairs([block, '*'])) {
    if (unknown || before === undefined || after === undefined || stores(before) || !stores(after)) continue;
    const attribute = CACHING.has(text(member(after, 'cache_policy_id'))) ? 'cache_policy_id' : 'default_ttl';
    report(subject, [...path, attribute], [text(member(after, 'path_pattern')) || '*']);
  }
}

/** Without a policy, a behavior stores responses if its times allow it and no cookie is part of the key. */
function stores(behavior: Value): boolean {
  const policy = text(member(behavior, 'cache_policy_id'));
  if (policy !== '') return CACHING.has(policy);
  const keys = at(behavior, 'forwarded_values', 'cookies', 'forward');
  return (quantity(member(behavior, 'default_ttl')) ?? 0) > 0 && text(keys) !== 'all';
}

/** A route of Azure Front Door stores responses if it has a block for it. */
function judgeRoute(subject: Subject): void {
  if (subject.isUnknown('cache')) return;
  const [was, is] = [member(subject.before, 'cache'), member(subject.after, 'cache')];
  if (isEmpty(was) && !isEmpty(is)) report(subject, ['cache'], strings(member(subject.after, 'patterns_to_match')));
}

function judgeMode(subject: Subject): void {
  const mode = (side: Value): string => text(at(side, 'cdn_policy', 'cache_mode'));
  if (mode(subject.after) !== 'FORCE_CACHE_ALL' || mode(subject.before) === 'FORCE_CACHE_ALL') return;
  report(subject, ['cdn_policy'], [text(member(subject.after, 'name'))]);
}

function judgePageRule(subject: Subject): void {
  const caches = (side: Value): boolean =>
    list(member(side, 'actions')).some((action) => text(member(action, 'cache_level')) === 'cache_everything');
  if (caches(subject.after) && !caches(subject.before))
    report(subject, ['actions'], [text(member(subject.after, 'target'))]);
}

export const CACHED_CONTENT_RULES: readonly Rule[] = [
  ...['ordered_cache_behavior', 'default_cache_behavior'].map(
    (block): Rule => ({
      types: ['aws_cloudfront_distribution'],
      watches: [{ path: `${block}.*.cache_policy_id` }, { path: `${block}.*.default_ttl` }],
      modes: ['update'],
      find: (subject) => judgeBehaviors(block, subject),
    }),
  ),
  { types: ['azurerm_cdn_frontdoor_route'], watches: [{ path: 'cache' }], modes: ['update'], find: judgeRoute },
  {
    types: ['google_compute_backend_service', 'google_compute_backend_bucket'],
    watches: [{ path: 'cdn_policy' }],
    modes: ['update'],
    find: judgeMode,
  },
  { types: ['cloudflare_page_rule'], watches: [{ path: 'actions' }], modes: ['update'], find: judgePageRule },
];
