import { describe, expect, test } from '@jest/globals';
import { analyzePlan } from '../../../engine/index.ts';
import type { JsonValue } from '../../../engine/model/result.ts';

function analyze(after: Record<string, JsonValue>) {
  const change = { actions: ['create'], before: null, after };
  const resource = { address: 'aws_thing.a', type: 'aws_thing', name: 'a', change };
  return analyzePlan(JSON.stringify({ format_version: '1.2', resource_changes: [resource] }));
}

describe('a text that only looks like a secret stays readable', () => {
  test.each([
    // References
    'export DB_PASSWORD=$DB_PASSWORD',
    'export DB_PASSWORD="${DB_PASSWORD}"',
    'PGPASSWORD=$(aws ssm get-parameter --name /app/db) psql',
    'password: "{{ db_password }}"',
    'password: {{ .Values.auth.password }}',
    'password = var.db_password',
    'password = random_password.db.result',
    'password = data.vault_generic_secret.db',
    'token = process.env.API_TOKEN',
    'password = os.environ["DB_PASSWORD"]',
    "password = getenv('DB_PASSWORD')",
    'password: !Ref DbPassword',
    'Password=%DB_PASSWORD%;Server=db',
    '$password = $env:DB_PASSWORD',
    'Authorization: Bearer ${TOKEN}',
    'Authorization: Bearer $TOKEN',
    'curl -u "$USER:$PASS" https://repo.example.com',
    'mysql -u root -p"$MYSQL_PWD" app',
    'docker login -u ci -p $TOKEN registry.example.com',
    'redis-cli -a "${REDIS_PASSWORD}" ping',
    'postgres://app:${PASSWORD}@db/app',
    "CREATE USER app IDENTIFIED BY '${password}';",
    'password: vault:secret/data/db#password',
    'DB_SECRET=arn:aws:secretsmanager:eu-west-1:123456789012:secret:db-AbCdEf',
    'token = projects/p/secrets/t/versions/latest',
    'DB_PASSWORD_FILE=/run/secrets/db_password',
    'password: /run/secrets/db',
    'private_key = ./certs/tls.key',
    'credentials: ~/.aws/credentials',
    'app --password-file /etc/app/password',
    'docker login -u ci --password-stdin registry.example.com',
    'app --token-ttl 5m --token-type service',
    '{"secrets":[{"name":"DB_PASSWORD","valueFrom":"arn:aws:ssm:eu-west-1:123456789012:parameter/db"}]}',
    '{"env":[{"name":"DB_PASSWORD","valueFrom":{"secretKeyRef":{"name":"db","key":"password"}}}]}',
    '- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:\n      name: db-credentials\n      key: password\n',
    'auth:\n  existingSecret: app-db-credentials\n',
    'imagePullSecrets:\n  - name: registry-credentials\n',
    // Placeholders
    'password: <your-password>',
    'password: changeme',
    'password = "********"',
    'DB_PASSWORD=xxxxxxxx',
    'password: your-password-here',
    'token: REDACTED',
    // Settings, booleans and small numbers
    'password: true',
    'password_length = 32',
    'minimum_password_length: 14',
    'token_type: Bearer',
    'token_endpoint = "https://login.example.com/oauth2/token"',
    'password_encryption = scram-sha-256',
    'secret: optional',
    'token=required',
    'http_tokens: required\nhop_limit: 1\n',
    'ssh_pwauth: false',
    'PasswordAuthentication no',
    'password_policy: strong-and-long',
    'password_reset_required = true',
    'token_validity_days: 30',
    // Options with other meanings
    'psql -h db -p 5432 -U app',
    'docker run -d -p 8080:80 nginx:1.27',
    'docker run -p 127.0.0.1:8080:80/tcp nginx',
    'mkdir -p /var/lib/app/data-2024',
    'ssh -p 2222 root@10.0.0.5',
    'curl -u deploy https://repo.example.com',
    'cp -a /srv/source1 /srv/target1',
    'tar -xzf release-20240501.tgz -C /opt',
    'useradd -u 10001 -m app',
    // Prose and identifiers
    'The password: it is kept elsewhere',
    'Rotates the token of the build every 30 days',
    'Bearer authentication is required',
    'The principal can read or destroy secrets: "delete", "purge".',
    'bypass = AzureServices',
    'Basic authentication is turned off',
    'Allows access to the secret store of the team',
    'arn:aws:secretsmanager:eu-west-1:123456789012:secret:db-password-AbCdEf',
    'arn:aws:iam::123456789012:role/token-exchange',
    'https://example.com:8080/path@v1',
    'git@github.com:org/repo.git',
    'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    'registry.example.com/team/token-service:1.2.3',
    '{"Action":["secretsmanager:GetSecretValue","kms:Decrypt"],"Resource":"*"}',
    '{"Condition":{"StringLike":{"token.actions.githubusercontent.com:sub":"repo:org/app:*"}}}',
    '{"type":"object","properties":{"password":{"type":"string","minLength":12}}}',
    'if [ "$PASSWORD" == "" ]; then exit 1; fi',
    'fields = ["client_secret", "refresh_token"]',
  ])('%j', (text) => {
    const [change] = analyze({ note: text }).changes;

    expect(change?.attributes[0]).toMatchObject({ after: text });
    expect(change?.attributes[0]).not.toHaveProperty('scrubbed');
  });
});

test('an attribute whose name only ends like a secret stays readable', () => {
  const [change] = analyze({ rules: [{ bypass: 'AzureServices' }] }).changes;

  expect(change?.attributes[0]).toMatchObject({ after: 'AzureServices' });
});

describe('only the value of a secret is withheld', () => {
  test.each([
    ['export DB_PASSWORD="kX9vQ2mT7p"; run --now', 'export DB_PASSWORD="(sensitive)"; run --now'],
    ['mysql -h db -pkX9vQ2mT7p -e x', 'mysql -h db -p(sensitive) -e x'],
    ['curl -u deploy:kX9vQ2mT7p https://a', 'curl -u deploy:(sensitive) https://a'],
    ['<user>app</user><password>kX9vQ2mT7p</password>', '<user>app</user><password>(sensitive)</password>'],
    ['{"user":"app","password":"kX9vQ2mT7p"}', '{"user":"app","password":"(sensitive)"}'],
    ["CREATE USER a IDENTIFIED BY 'kX9vQ2mT7p';", "CREATE USER a IDENTIFIED BY '(sensitive)';"],
    ['db:\n  password: kX9vQ2mT7p # keep\n', 'db:\n  password: (sensitive) # keep\n'],
    ['chpasswd:\n  list: |\n    root:kX9vQ2mT7p\n', 'chpasswd:\n  list: |\n    root:(sensitive)\n'],
  ])('%j', (text, shown) => {
    expect(analyze({ note: text }).changes[0]?.attributes[0]).toMatchObject({ after: shown, scrubbed: true });
  });
});
