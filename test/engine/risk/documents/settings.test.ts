import { describe, expect, test } from '@jest/globals';
import type { MaybeJson } from '../../../../engine/changes/values.ts';
import { isLookAlike } from '../../../../engine/risk/documents/hosts.ts';
import { judgeSetting } from '../../../../engine/risk/documents/settings.ts';

const judge = (path: readonly string[], before: MaybeJson, after: MaybeJson) =>
  judgeSetting({ names: path, before, after });
const split = (path: string) => path.split('.');

describe('a setting that becomes weaker', () => {
  test.each<[string, MaybeJson, MaybeJson, string]>([
    ['tls.enabled', true, false, 'high'],
    ['server.TLSEnabled', true, false, 'high'],
    ['global.tlsDisable', false, true, 'high'],
    ['auditStorage.enabled', true, false, 'high'],
    ['podSecurityContext.privileged', false, true, 'high'],
    ['controller.allowSnippetAnnotations', false, true, 'high'],
    ['enableNetworkPolicy', 'true', 'false', 'high'],
    ['falco.enabled', true, false, 'high'],
    ['auth.enabled', true, false, 'high'],
    ['DISABLE_AUTH', 'false', 'true', 'high'],
    ['AUTH_MODE', 'oauth2', 'none', 'high'],
    ['backup.enabled', true, false, 'high'],
    ['spec.enforcementAction', 'deny', 'dryrun', 'high'],
    ['spec.validationFailureAction', 'Enforce', 'Audit', 'high'],
    ['spec.mtls.mode', 'STRICT', 'PERMISSIVE', 'high'],
    ['spec.failurePolicy', 'Fail', 'Ignore', 'medium'],
    ['sslmode', 'verify-full', 'disable', 'high'],
    ['tlsMinVersion', '1.2', '1.0', 'medium'],
    ['loadBalancerSourceRanges', ['10.0.0.0/8'], [], 'high'],
    ['loadBalancerSourceRanges', ['10.0.0.0/8'], ['10.0.0.0/8', '192.168.0.0/16'], 'medium'],
    ['route.receiver', 'oncall', 'null', 'high'],
    ['exporters', ['otlp'], ['nop'], 'high'],
    ['schedules.daily.template.ttl', '720h0m0s', '0h720m0s', 'high'],
    ['policy', 'upsert-only', 'sync', 'medium'],
    ['service.type', 'ClusterIP', 'LoadBalancer', 'medium'],
    ['securityContext.runAsUser', 1000, 0, 'medium'],
    ['hostNetwork', undefined, true, 'medium'],
    ['podDisruptionBudget.enabled', true, false, 'medium'],
  ])('%s: %j to %j is %s', (path, before, after, level) => {
    expect(judge(split(path), before, after)).toMatchObject({ level, direction: 'weakening' });
  });

  test.each<[string, MaybeJson, MaybeJson]>([
    ['nginx.ingress.kubernetes.io/whitelist-source-range', '10.0.0.0/8', '0.0.0.0/0'],
    ['nginx.ingress.kubernetes.io/auth-url', 'https://sso.example.com/check', undefined],
    ['service.beta.kubernetes.io/aws-load-balancer-internal', 'true', 'false'],
    ['service.beta.kubernetes.io/aws-load-balancer-scheme', 'internal', 'internet-facing'],
    ['pod-security.kubernetes.io/enforce', 'restricted', 'privileged'],
  ])('is high in the annotation %s', (name, before, after) => {
    expect(judge(['metadata', 'annotations', name], before, after)).toMatchObject({ level: 'high' });
  });
});

describe('a setting that is routine', () => {
  test.each<[string, MaybeJson, MaybeJson]>([
    ['replicaCount', 3, 2],
    ['resources.limits.cpu', '1', '2'],
    ['image.tag', '1.2', '1.3'],
    ['logLevel', 'info', 'debug'],
    ['env.FEATURE_NEW_CHECKOUT', 'false', 'true'],
    ['featureFlags.newCart', true, false],
    ['cache.ttl', '10m', '5m'],
    ['timeout', 30, 10],
    ['rateLimit.requestsPerMinute', 100, 200],
    ['telemetry.enabled', true, false],
    ['autoscaling.enabled', true, false],
    ['externalTrafficPolicy', 'Local', 'Cluster'],
    ['imagePullPolicy', 'Always', 'IfNotPresent'],
    ['DB_HOST', 'orders.internal', 'orders2.internal'],
    ['API_URL', 'https://api.example.com/v1', 'https://api.example.com/v2'],
    ['KAFKA_TOPIC', 'a.created', 'b.created'],
    ['nodeSelector.pool', 'a', 'b'],
  ])('%s: %j to %j is not raised', (path, before, after) => {
    expect(judge(split(path), before, after)).toBeNull();
  });

  test('a checksum in an annotation is not raised', () => {
    expect(judge(['annotations', 'checksum/config'], 'a', 'b')).toBeNull();
  });
});

describe('a setting that becomes stricter', () => {
  test.each<[string, MaybeJson, MaybeJson]>([
    ['tls.enabled', false, true],
    ['spec.mtls.mode', 'PERMISSIVE', 'STRICT'],
    ['loadBalancerSourceRanges', ['0.0.0.0/0'], ['10.0.0.0/8']],
    ['loadBalancerSourceRanges', [], ['10.0.0.0/8']],
    ['securityContext.privileged', true, false],
    ['backup.retention', '7d', '30d'],
  ])('%s: %j to %j strengthens', (path, before, after) => {
    expect(judge(split(path), before, after)).toMatchObject({ level: 'low', direction: 'strengthening' });
  });
});

describe('an address in a setting', () => {
  test.each<[string, string, string, string]>([
    ['PAYMENT_URL', 'https://live.examplepayments.com/v1', 'https://live.examplepayment-relay.io/v1', 'high'],
    ['source.repoURL', 'https://github.com/acme-shop/x.git', 'https://github.com/acrne-shop/x.git', 'high'],
    ['WEBHOOK_URL', 'https://hooks.example.com/x', 'https://webhook.site/1', 'high'],
    ['source.repoURL', 'https://github.com/acme-shop/x.git', 'https://github.com/other/x.git', 'medium'],
    ['image.repository', 'registry.example.com/web', 'quay.io/other/web', 'medium'],
    ['auth.issuer', 'https://login.example.com/', 'https://sso.other.net/', 'medium'],
    ['API_URL', 'https://api.example.com', 'http://api.example.com', 'medium'],
  ])('%s: %s to %s is %s', (path, before, after, level) => {
    expect(judge(split(path), before, after)).toMatchObject({ level });
  });

  test.each([
    ['paypal.com', 'paypa1.com', true],
    ['quay.io/jetstack', 'quay.io/jetstcak', true],
    ['github.com/acme-corp', 'github.com/acrne-corp', true],
    ['stripe.com', 'strlpe.com', true],
    ['examplepayments.com', 'examplepayment-live.net', true],
    ['acme.com', 'acme.io', false],
    ['acme-prod1.com', 'acme-prod2.com', false],
    ['example.com', 'examplecdn.net', false],
    ['stripe.com', 'adyen.com', false],
    ['412345678901', '412345678902', false],
  ])('%s and %s look alike: %s', (from, to, expected) => {
    expect(isLookAlike(from, to)).toBe(expected);
  });
});
