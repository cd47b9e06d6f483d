import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { isCommonWord } from '../../../engine/redact/common-words.ts';
import { maskConcealed } from '../../../engine/redact/concealed.ts';

const SECRET = 'Zk19sYtR5uQd8Lm3Wv';

describe('a secret is withheld', () => {
  test.each([
    `<set-header name="X-Backend-Key" exists-action="override"><value>${SECRET}</value></set-header>`,
    `proxy_set_header X-Origin-Verify "${SECRET}";`,
    `proxy_set_header X-Shared-Key ${SECRET};`,
    `https://x.example/webhook?sig=${SECRET}&k=1`,
    `X-Backend-Key: ${SECRET}`,
    `requestHeaders:\n  X-Backend-Key: ${SECRET}\n`,
    `headers = { "X-Gateway-Key" = "${SECRET}" }`,
    `{"headers":{"X-Gateway-Key":"${SECRET}"}}`,
    `{"headers":[{"name":"X-Gateway-Key","value":"${SECRET}"}]}`,
    `{"BASIC_AUTH":"preview:${SECRET}"}`,
    `BASIC_AUTH=preview:${SECRET}`,
    `rabbitmqctl change_password bob ${SECRET}`,
    `openssl enc -aes-256-cbc -k ${SECRET} -in a`,
    `SENTRY_DSN=https://${SECRET}@sentry.example/1`,
    `define('DB_PASSWORD', '${SECRET}');`,
    `useradd -p '${SECRET}' bob`,
    `consul agent -encrypt ${SECRET}`,
    `etcdctl --user root:${SECRET} get /`,
    `cmdkey /add:h /user:u /pass:${SECRET}`,
    `npm config set //r.example/:_authToken ${SECRET}`,
    `snmp-server community ${SECRET} RO`,
    `neighbor 10.0.0.1 password ${SECRET}`,
    `nmcli con modify x wifi-sec.psk ${SECRET}`,
    `x-functions-key=${SECRET}`,
    `receivers:\n  - name: pager\n    pagerduty_configs:\n      - routing_key: ${SECRET}\n`,
  ])('in %s', (text) => expect(maskConcealed(text, '***')).not.toContain(SECRET));

  test('in compressed content, which nobody can read', () => {
    const text = gzipSync(`#!/bin/sh\nexport DB_PASSWORD=${SECRET}\n`).toString('base64');
    expect(maskConcealed(text, '***')).toBe('***');
    expect(maskConcealed(`content: ${text}\n`, '***')).toBe('content: ***\n');
  });
});

describe('what is no secret stays readable', () => {
  test.each([
    'partition_key: customerOrderId2024Main',
    '{"sort_key":"createdAtTimestamp2024Utc"}',
    'cache_key: "v2-Linux-node20-Build18aB"',
    's3_key: artifacts/build-2024-Release.zip',
    'public_key: AAAAB3NzaC1yc2EAAAADAQAB',
    'auth: enabled',
    'verify: true',
    'signature: sha256',
    'kms_key: alias/main',
    'routing_key: orders.v2.created',
    'openssl x509 -in a.pem -noout',
    'https://registry.example.com@sha256',
  ])('%s', (text) => expect(maskConcealed(text, '***')).toBe(text));
});

test('a short version is common, a long one is a value of its own', () => {
  expect(isCommonWord('1.2.3')).toBe(true);
  expect(isCommonWord('2026.11.1')).toBe(false);
});
