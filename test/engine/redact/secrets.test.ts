import { describe, expect, test } from '@jest/globals';
import { concealsSecret } from '../../../engine/redact/concealed.ts';
import { maskSecrets } from '../../../engine/redact/secret-patterns.ts';
import { holdsSecret, isSecretName } from '../../../engine/redact/secrets.ts';

/** Built at run time, so that secret scanners do not report this file. */
const fillText = (count: number, letters = 'aB3dE5gH7jK9'): string =>
  letters.repeat(Math.ceil(count / letters.length)).slice(0, count);
const HEX = '0123456789abcdef';

describe('isSecretName', () => {
  test.each<[(string | number)[]]>([
    [['password']],
    [['master_password']],
    [['Passwd']],
    [['settings', 0, 'client_secret']],
    [['environment', 0, 'variables', 'DB_PASSWORD']],
    [['auth_token']],
    [['private_key_pem']],
    [['privateKey']],
    [['primary_connection_string']],
    [['apikey']],
    [['api_key']],
    [['api-key']],
    [['credentials', 'user']],
    [['secrets', 3]],
    [['secrets', 'stripe']],
    [['passphrase']],
    [['pass_phrase']],
    [['keyPassPhrase']],
    [['tunnel1_preshared_key']],
    [['pre_shared_key']],
    [['preSharedKey']],
    [['PRE-SHARED-KEY']],
    [['presharekey']],
    [['shared_key']],
    [['psk']],
    [['PSK']],
    [['wifi_psk']],
    [['tunnel1_psk_value']],
    [['tunnelPsk']],
    [['pskValue']],
    [['remotePSK']],
    [['PSKValue']],
    [['psk1']],
    [['dsn']],
    [['DATABASE_DSN']],
    [['sentryDsn']],
    [['dsnString']],
    [['replica-dsns', 0]],
  ])('returns true for %j', (segments) => {
    expect(isSecretName(segments)).toBe(true);
  });

  test.each<[(string | number)[]]>([
    [[]],
    [['engine']],
    [['secret_arn']],
    [['SECRET_ARN']],
    [['secretArn']],
    [['secret_id']],
    [['secret_name']],
    [['secret', 0, 'name']],
    [['token_ttl']],
    [['secret_version']],
    [['iam_database_authentication_enabled']],
    [['password_enabled']],
    [['token_url']],
    [['tokenUrl']],
    [['master_user_secret', 0, 'kms_key_id']],
    [['metadata_options', 0, 'http_tokens']],
    [['secret_permissions', 0]],
    [['primary_key']],
    [['dnssec_config']],
    [['dnsName']],
    [['add_snapshot']],
    [['addsnapshot']],
    [['ADDSNAPSHOT']],
    [['dsname']],
    [['upskill']],
    [['psk_name']],
    [['dsn_id']],
    [['shared_key_version']],
    [['passThrough']],
  ])('returns false for %j', (segments) => {
    expect(isSecretName(segments)).toBe(false);
  });
});

const FORMS: [string, string][] = [
  ['AWS access key id', `AKIA${fillText(16, 'ABCDEFGH23456789')}`],
  ['AWS session key id', `ASIA${fillText(16, 'ABCDEFGH23456789')}`],
  ['AWS secret key with its label', `aws_secret_access_key = ${fillText(40, 'wJalrXUtnFEMI/K7')}`],
  ['AWS secret key in JSON', `{"SecretAccessKey": "${fillText(40, 'wJalrXUtnFEMI/K7')}"}`],
  ['Google API key', `AIza${fillText(35)}`],
  ['Google OAuth client secret', `GOCSPX-${fillText(28)}`],
  ['Microsoft Entra client secret', `abc8Q~${fillText(34)}`],
  ['Azure storage', `DefaultEndpointsProtocol=https;AccountName=x;AccountKey=${fillText(86)}==`],
  ['Azure service bus', `Endpoint=sb://x/;SharedAccessKey=${fillText(43)}=`],
  ['Azure shared link', `https://x.blob.example.net/c?sv=2022&sig=${fillText(40)}%3D`],
  ['GitHub token', `ghp_${fillText(36)}`],
  ['GitHub app token', `gho_${fillText(36)}`],
  ['GitHub fine-grained token', `github_pat_${fillText(60)}`],
  ['GitLab token', `glpat-${fillText(20)}`],
  ['npm token', `npm_${fillText(36)}`],
  ['Slack token', `xoxb-${fillText(24, '0123456789')}`],
  ['Slack webhook', `https://hooks.slack.com/services/T${fillText(8)}/B${fillText(8)}/${fillText(24)}`],
  ['Stripe key', `sk_live_${fillText(24)}`],
  ['Stripe restricted key', `rk_live_${fillText(24)}`],
  ['OpenAI key', `sk-${fillText(48)}`],
  ['OpenAI project key', `sk-proj-${fillText(40)}`],
  ['Anthropic key', `sk-ant-api03-${fillText(40)}`],
  ['SendGrid key', `SG.${fillText(22)}.${fillText(43)}`],
  ['Twilio key', `SK${fillText(32, HEX)}`],
  ['Vault token', `hvs.${fillText(24)}`],
  ['Terraform Cloud token', `${fillText(14)}.atlasv1.${fillText(60)}`],
  ['dpa API key', `dpa_${fillText(42)}`],
  ['PEM', `-----BEGIN RSA ${'PRIVATE'} KEY-----\n${fillText(64)}`],
  ['OpenSSH key', `-----BEGIN OPENSSH ${'PRIVATE'} KEY-----`],
  ['JSON Web Token', `eyJ${fillText(20)}.eyJ${fillText(30)}.${fillText(43)}`],
  ['address with a password', 'postgres://app:s3cret@db.example.com:5432/app'],
  ['address with only a password', 'redis://:hunter22@cache:6379'],
  ['connection string', 'Server=db;User Id=app;Password=hunter22;'],
  ['connection address', 'jdbc:postgresql://db/app?user=x&password=hunter22'],
];

describe('holdsSecret', () => {
  test.each(FORMS)('finds %s', (_, text) => {
    expect(holdsSecret(text)).toBe(true);
    expect(holdsSecret(`before "${text}" after`)).toBe(true);
    expect(maskSecrets(`before ${text} after`, '###')).toMatch(/^before .*###/s);
    expect(holdsSecret(maskSecrets(`before ${text} after`, '###'))).toBe(false);
  });

  test.each([
    '',
    'hello',
    'arn:aws:iam::123456789012:role/AKIA',
    'arn:aws:secretsmanager:eu-west-1:123456789012:secret:db-password-AbCdEf',
    'https://example.com:8080/path@v1',
    'https://example.com:443?mail=a@b.com',
    'git@github.com:org/repo.git',
    'ssh://git@host:22/repo',
    'postgres://app:$PASSWORD@db/app',
    `-----BEGIN CERTIFICATE-----\n${fillText(64)}`,
    'disk-0123456789abcdef0123456789abcdef01',
    'sk-production-network-cluster-in-bratislava',
    'eyJ is how such a token begins',
    'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    '{"Action":["secretsmanager:GetSecretValue","sts:AssumeRole"],"Resource":"*"}',
  ])('finds no secret in %s', (text) => {
    expect(holdsSecret(text)).toBe(false);
    expect(maskSecrets(text, '###')).toBe(text);
  });

  test.each(['eyJ', '-----BEGIN A', '://a:b', 'AccountKey=', 'sk-', 'AKIA', ';password=;', 'ghp_a', 'a'])(
    'finds a secret after a megabyte of %s',
    (unit) => {
      const text = unit.repeat(Math.ceil(1_000_000 / unit.length));

      expect(holdsSecret(`${text} ghp_${'a1B2'.repeat(9)}`)).toBe(true);
    },
  );
});

describe('concealsSecret', () => {
  test.each([
    ['container definitions', '[{"name":"web","environment":[{"name":"DB_PASSWORD","value":"hunter22"}]}]'],
    ['other letter case', '{"Env":[{"Name":"API_KEY","Value":"abcdef"}]}'],
    ['app settings in JSON', '{"Auth":{"ClientSecret":"abcdef"}}'],
    ['an env line within JSON', '{"env":["DB_PASSWORD=hunter22"]}'],
    ['a script', '#!/bin/sh\nexport DB_PASSWORD=hunter22\nrun'],
    ['YAML', 'db:\n  password: hunter22\n'],
    ['a DSN in an env file', 'A=b\nDATABASE_DSN=app:hunter22@tcp(db:3306)/app\n'],
    ['a DSN with its password', 'DSN=postgres://app:hunter22@db.example.com/app'],
    ['a pre-shared key in a script', 'ipsec up --psk=hunter22abc'],
    ['a passphrase in YAML', 'vpn:\n  key_passphrase: correct-horse\n'],
    ['a shared key in JSON', '{"vpn":{"preSharedKey":"hunter22"}}'],
    ['a quoted value in code', `client(token: "abcdef123")`],
  ])('finds a secret in %s', (_, text) => {
    expect(concealsSecret(text)).toBe(true);
  });

  test.each([
    [
      'a reference in container definitions',
      '[{"secrets":[{"name":"DB_PASSWORD","valueFrom":"arn:aws:ssm:eu:1:parameter/x"}]}]',
    ],
    ['a policy on secrets', '{"Action":"secretsmanager:GetSecretValue","Resource":"*"}'],
    [
      'a condition of a policy',
      '{"Condition":{"StringLike":{"token.actions.githubusercontent.com:sub":"repo:org/app:*"}}}',
    ],
    ['an expression in a script', 'TOKEN=$(curl -s http://169.254.169.254)\nexport DB_PASSWORD=$DB_PASSWORD\n'],
    ['a secret ARN in an env file', 'DB_SECRET_ARN=arn:aws:secretsmanager:eu:1:secret:x\nA=b\n'],
    ['prose', 'The password: it is kept elsewhere'],
    ['words with dsn in them', 'addsnapshot=hunter22abc\ndnssec: enabled-everywhere\n'],
    ['a setting', 'http_tokens: required\nhop_limit: 1\n'],
  ])('finds no secret in %s', (_, text) => {
    expect(concealsSecret(text)).toBe(false);
  });

  test.each([
    ['token'.repeat(200_000)],
    ['password: '.repeat(100_000)],
    [`secret${'_'.repeat(1_000_000)}`],
    [`${'['.repeat(400_000)}"token"${']'.repeat(400_000)}`],
    [`{"token":${' '.repeat(1_000_000)}`],
    [`token${"='".repeat(500_000)}`],
  ])('reads a megabyte of hostile text to its end', (text) => {
    expect(typeof concealsSecret(text)).toBe('boolean');
  });
});
