import { describe, expect, test } from '@jest/globals';
import { documentParsers } from '../../../../engine/documents/index.ts';
import { analyzePlan, type JsonObject, type JsonValue } from '../../../../engine/index.ts';

function judge(type: string, before: JsonObject, after: JsonObject): string | null {
  const change = { actions: ['update'], before, after, after_unknown: {}, before_sensitive: {}, after_sensitive: {} };
  const resource = { address: `${type}.x`, mode: 'managed', type, name: 'x', provider_name: 'example/x', change };
  const plan = { format_version: '1.2', terraform_version: '1.11.0', resource_changes: [resource] };
  return analyzePlan(JSON.stringify(plan), { parsers: () => documentParsers }).risk_level;
}

const file = (name: string, before: string, after: string) =>
  judge(
    'kubernetes_config_map_v1',
    { metadata: [{ name: 'c' }], data: { [name]: before } },
    { metadata: [{ name: 'c' }], data: { [name]: after } },
  );

type FileCase = [name: string, before: string, after: string, level: string];

describe('lines that cover more or less', () => {
  test.each<FileCase>([
    [
      'crontab',
      '0 2 * * * /opt/backup\n0 4 * * 0 /opt/verify\n',
      '0 2 31 2 * /opt/backup\n0 4 * * 0 /opt/verify\n',
      'high',
    ],
    [
      'crontab',
      '0 2 * * * /opt/backup\n0 4 * * 0 /opt/verify\n',
      '0 3 * * * /opt/backup\n0 4 * * 0 /opt/verify\n',
      'low',
    ],
    ['cleanup.sh', 'set -eu\nfind /data/tmp -mtime +30 -delete\n', 'set -eu\nfind /data -mtime +30 -delete\n', 'high'],
    ['cleanup.sh', 'set -eu\nrm -rf /srv/app/cache/*\n', 'set -eu\nrm -rf /srv/app/*\n', 'high'],
    ['cleanup.sh', 'set -eu\nrm -rf /srv/app/v1\n', 'set -eu\nrm -rf /srv/app/v2\n', 'low'],
    ['cleanup.sh', 'set -eu\nrm -rf "${DIR:?}"/*\n', 'set -eu\nrm -rf $DIR/*\n', 'high'],
    ['deploy.sh', 'set -e\nmake build\n./deploy\n', 'make build\n./deploy\n', 'medium'],
    [
      'policy.csv',
      'p, role:dev, apps, get, dev/*, allow\ng, devs, role:dev\n',
      'p, role:dev, apps, *, */*, allow\ng, devs, role:dev\n',
      'high',
    ],
    [
      'policy.csv',
      'p, role:dev, apps, get, dev/*, allow\ng, devs, role:dev\n',
      'p, role:dev, apps, get, qa/*, allow\ng, devs, role:dev\n',
      'low',
    ],
    ['policy.csv', 'g, devs, role:readonly\ng, ops, role:admin\n', 'g, devs, role:admin\ng, ops, role:admin\n', 'high'],
    [
      'authz.rego',
      'package authz\nallow { input.role == "a"; input.tenant == data.tenant }\n',
      'package authz\nallow { input.role == "a" }\n',
      'high',
    ],
    [
      'haproxy.cfg',
      'backend app\n  server a 10.0.0.1:80 check\n',
      'backend app\n  server a 10.0.0.1:80 check disabled\n',
      'high',
    ],
    [
      'haproxy.cfg',
      'backend app\n  server a 10.0.0.1:80 check\n',
      'backend app\n  server a 10.0.0.2:80 check\n',
      'low',
    ],
    [
      'fluent-bit.conf',
      '[FILTER]\n  Name grep\n  Exclude log healthz\n',
      '[FILTER]\n  Name grep\n  Exclude log .*\n',
      'high',
    ],
    [
      'fluent-bit.conf',
      '[FILTER]\n  Name grep\n  Exclude log healthz\n',
      '[FILTER]\n  Name grep\n  Exclude log livez\n',
      'low',
    ],
    ['server.conf', 'port 9000\nbind 127.0.0.1\n', 'port 9000\nbind 0.0.0.0\n', 'medium'],
    [
      'sudoers',
      'deploy ALL=(root) NOPASSWD: /bin/true\n%sre ALL=(ALL) ALL\n',
      'deploy ALL=(ALL) NOPASSWD: ALL\n%sre ALL=(ALL) ALL\n',
      'high',
    ],
    ['users.acl', 'user app on ~app:* +@read\nuser default off\n', 'user app on ~* +@all\nuser default off\n', 'high'],
    [
      'CODEOWNERS',
      '* @acme/dev\n/infra/ @acme/security\n/web/ @acme/web\n',
      '* @acme/dev\n/web/ @acme/web\n',
      'medium',
    ],
  ])('%s from %j to %j is %s', (name, before, after, level) => {
    expect(file(name, before, after)).toBe(level);
  });
});

describe('checks of a pipeline', () => {
  const build = (command: string): JsonObject => ({
    source: [
      { buildspec: `version: 0.2\nphases:\n  build:\n    commands:\n      - ${command}\n      - make package\n` },
    ],
  });
  test.each([
    ['cosign verify --key k $IMAGE', 'cosign verify --key k $IMAGE || true', 'medium'],
    ['trivy image $IMAGE', 'trivy image $IMAGE || exit 0', 'medium'],
    ['npm ci --ignore-scripts', 'npm install', 'medium'],
    ['npm ci', 'npm install', 'medium'],
    ['npm ci', 'npm ci --ignore-scripts', 'low'],
    ['trivy image $IMAGE', 'trivy image --quiet $IMAGE', 'low'],
  ])('%s becomes %s: %s', (before, after, level) => {
    expect(judge('aws_codebuild_project', build(before), build(after))).toBe(level);
  });
});

describe('programs on a single line', () => {
  const GUARDED =
    "function handler(e){var h=e.request.headers;if(h.key.value!=='k'){return {statusCode:401};}return e.request;}";
  test.each([
    [
      GUARDED,
      'function handler(e){var h=e.request.headers;return e.request;} // served to everybody from now on',
      'medium',
    ],
    [GUARDED, GUARDED.replace('!==', '==='), 'high'],
    [GUARDED, GUARDED.replaceAll(';', ';\n').replace('{return', '{\n  return'), 'none'],
  ])('%s becomes %s: %s', (before, after, level) => {
    expect(judge('aws_cloudfront_function', { code: before }, { code: after })).toBe(level);
  });
});

describe('alerts, canaries and groups in documents', () => {
  const manifest = (kind: string, api: string, spec: JsonObject): JsonObject => ({
    manifest: { apiVersion: api, kind, metadata: { name: 'pay' }, spec },
  });
  const rollout = (templates: JsonValue[]) =>
    manifest('Rollout', 'argoproj.io/v1alpha1', {
      strategy: { canary: { analysis: { templates }, steps: [{ setWeight: 10 }] } },
    });
  const canary = (metrics: JsonValue[]) => manifest('Canary', 'flagger.app/v1beta1', { analysis: { metrics } });

  test('an analysis of a canary without measurements notices nothing', () => {
    const measured = [{ templateName: 'success-rate' }];
    expect(judge('kubernetes_manifest', rollout(measured), rollout([]))).toBe('high');
    expect(judge('kubernetes_manifest', rollout([]), rollout(measured))).toBe('low');
    expect(judge('kubernetes_manifest', canary([{ name: 'errors' }]), canary([]))).toBe('high');
    expect(
      judge('kubernetes_manifest', canary([{ name: 'errors' }]), canary([{ name: 'errors' }, { name: 'time' }])),
    ).toBe('low');
  });

  const route = 'route:\n  receiver: pager\nreceivers:\n- name: pager\n';
  const inhibit = (target: string) =>
    `${route}inhibit_rules:\n- source_matchers: [alertname="X"]\n  target_matchers: [severity="${target}"]\n  equal: [cluster]\n`;
  const silenced = (matcher: string) =>
    `route:\n  receiver: pager\n  routes:\n  - matchers: [${matcher}]\n    receiver: "null"\nreceivers:\n- name: pager\n- name: "null"\n`;
  test.each<FileCase>([
    ['alertmanager.yml', route, inhibit('critical'), 'high'],
    ['alertmanager.yml', route, inhibit('info'), 'low'],
    ['alertmanager.yml', silenced('severity="info"'), silenced('severity=~".*"'), 'high'],
    ['alertmanager.yml', silenced('severity="info"'), silenced('severity=~"info|critical"'), 'high'],
    ['alertmanager.yml', silenced('severity="info"'), silenced('severity="debug"'), 'medium'],
    ['mapRoles', '- rolearn: r\n  groups: [dev]\n', '- rolearn: r\n  groups: [dev, system:masters]\n', 'critical'],
    ['mapRoles', '- rolearn: r\n  groups: [dev]\n', '- rolearn: r\n  groups: [dev, qa]\n', 'low'],
    ['roles.yml', 'roles:\n  dev: viewer\n  ops: admin\n', 'roles:\n  dev: admin\n  ops: admin\n', 'high'],
    ['tls.yml', 'tls:\n  mode: required\n', 'tls:\n  mode: disabled\n', 'high'],
    ['tls.yml', 'tls:\n  mode: optional\n', 'tls:\n  mode: required\n', 'low'],
  ])('%s from %j to %j is %s', (name, before, after, level) => {
    expect(file(name, before, after)).toBe(level);
  });
});
