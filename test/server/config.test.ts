import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { type ConfigError, loadConfig, VARIABLE_NAMES } from '../../server/config/index.ts';
import { packageRoot } from '../../server/lib/package-root.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');
const PRODUCTION = { NODE_ENV: 'production', OIDC_ISSUER: 'https://idp.example', OIDC_AUDIENCE: 'dpa' };

function listProblems(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    return (error as ConfigError).problems;
  }
}

describe('the configuration', () => {
  test('an empty environment is a complete configuration for one machine', () => {
    expect(loadConfig({})).toMatchObject({
      production: false,
      database: null,
      redis_url: null,
      blobs: { kind: 'folder' },
      oidc: null,
      http: { host: '127.0.0.1', port: 8080 },
    });
  });

  test('all problems are reported at once', () => {
    const problems = listProblems({
      PORT: 'http',
      LOG_LEVEL: 'loud',
      REDIS_URL: 'localhost',
      OIDC_ISSUER: 'https://i.example',
    });

    expect(problems.map((problem) => problem.split(' ')[0]).sort()).toEqual([
      'LOG_LEVEL',
      'OIDC_AUDIENCE',
      'PORT',
      'REDIS_URL',
    ]);
  });

  test.each([
    ['production without an issuer', { NODE_ENV: 'production' }, 'OIDC_ISSUER'],
    ['the development issuer on every address', { HOST: '0.0.0.0' }, 'HOST'],
    [
      'a database without a master key in production',
      { ...PRODUCTION, DATABASE_URL: 'postgres://a@b/c' },
      'MASTER_KEY',
    ],
    ['a master key of the wrong length', { MASTER_KEY: 'c2hvcnQ=' }, 'MASTER_KEY'],
    [
      'a deployment with an identity but without its own key in production',
      { ...PRODUCTION, DATABASE_URL: 'postgres://a@b/c', MASTER_KEY: KEY, FEDERATION_SUBJECT: 'deployment:x' },
      'FEDERATION_SIGNING_KEY',
    ],
    ['an invalid signing key', { FEDERATION_SIGNING_KEY: 'hunter2' }, 'FEDERATION_SIGNING_KEY'],
    ['an API address with a query', { API_URL: 'https://api.example.com/?x' }, 'API_URL'],
    ['an issuer over http in production', { ...PRODUCTION, OIDC_ISSUER: 'http://idp.example' }, 'OIDC_ISSUER'],
    ['keys over http in production', { ...PRODUCTION, OIDC_JWKS_URI: 'HTTP://idp.example/keys' }, 'OIDC_JWKS_URI'],
    [
      'a trusted issuer over http in production',
      { ...PRODUCTION, FEDERATION_TRUSTED_ISSUERS: 'https://gitlab.com, http://gitlab.internal' },
      'FEDERATION_TRUSTED_ISSUERS',
    ],
    [
      'an issuer on loopback over http in production',
      { ...PRODUCTION, OIDC_ISSUER: 'http://127.0.0.1' },
      'OIDC_ISSUER',
    ],
    ['an address with a password', { APP_URL: 'https://ana:hunter2@dpa.example.com' }, 'APP_URL'],
    ['a trusted issuer that is not a URL', { FEDERATION_TRUSTED_ISSUERS: 'gitlab.com' }, 'FEDERATION_TRUSTED_ISSUERS'],
    ['only one of the S3 keys', { BLOB_S3_BUCKET: 'b', BLOB_S3_ACCESS_KEY_ID: 'a' }, 'BLOB_S3_ACCESS_KEY_ID'],
    ['a port out of range', { PORT: '70000' }, 'PORT'],
    ['a number in hexadecimal', { PORT: '0x50' }, 'PORT'],
    ['a database that is not PostgreSQL', { DATABASE_URL: 'mysql://a/b' }, 'DATABASE_URL'],
  ])('%s is rejected', (_title, env, variable) => {
    expect(listProblems(env)).toEqual([expect.stringContaining(variable)]);
  });

  test('issuers over http are accepted outside of production', () => {
    const OIDC_ISSUER = 'http://127.0.0.1:9000';

    expect(listProblems({ OIDC_ISSUER, OIDC_AUDIENCE: 'dpa', FEDERATION_TRUSTED_ISSUERS: 'http://localhost' })).toEqual(
      [],
    );
  });

  test('an issuer over http is reported together with other problems', () => {
    const problems = listProblems({
      ...PRODUCTION,
      FEDERATION_TRUSTED_ISSUERS: 'https://a.example,http://b',
      PORT: 'x',
    });

    expect(problems).toEqual([expect.stringContaining('PORT'), expect.stringContaining('FEDERATION_TRUSTED_ISSUERS')]);
  });

  test('a problem never contains the value, which may be a secret', () => {
    expect(listProblems({ MASTER_KEY: 'hunter2hunter2', DATABASE_URL: 'hunter2' }).join()).not.toContain('hunter2');
  });

  test('an empty variable counts as unset, and the result is immutable', () => {
    const config = loadConfig({ PORT: '', OIDC_ISSUER: '' });

    expect(config.http.port).toBe(8080);
    expect(() => Object.assign(config.http, { port: 1 })).toThrow();
  });

  test('a trailing slash of the API address is removed', () => {
    expect(loadConfig({ API_URL: 'https://api.example.com/' }).federation.api_url).toBe('https://api.example.com');
  });

  test.each(['https://gitlab.lan', 'gitlab.lan/x', 'ana@gitlab.lan', 'gitlab.lan:99999', '*.lan'])(
    '%s is not a valid allowed host',
    (host) => {
      expect(listProblems({ EGRESS_ALLOWED_HOSTS: `10.0.0.1:80,${host}` })).toEqual([
        expect.stringContaining('EGRESS_ALLOWED_HOSTS must be hosts'),
      ]);
    },
  );

  test('several master keys decrypt what any of them encrypted', () => {
    expect(loadConfig({ MASTER_KEY: `${KEY}, ${KEY}` }).master_keys).toHaveLength(2);
  });
});

describe('the model of the platform', () => {
  const KEYS = {
    LLM_PLATFORM_API_KEY: 'hunter2',
    LLM_PLATFORM_AWS_REGION: 'eu-central-1',
    LLM_PLATFORM_AWS_ACCESS_KEY_ID: 'AKID',
    LLM_PLATFORM_AWS_SECRET_ACCESS_KEY: 'hunter2',
    LLM_PLATFORM_AZURE_ENDPOINT: 'https://ours.openai.azure.com',
    LLM_PLATFORM_AZURE_DEPLOYMENT: 'plans',
  };

  test('there is no platform model unless one is configured', () => {
    expect(loadConfig({}).llm.platform).toBeNull();
    expect(listProblems(KEYS)).toEqual(Object.keys(KEYS).map((name) => `${name} also needs LLM_PLATFORM_PROVIDER`));
  });

  test.each<[string, Record<string, unknown>]>([
    ['openai', { provider: 'openai', api_key: 'hunter2' }],
    [
      'bedrock',
      {
        provider: 'bedrock',
        aws_region: 'eu-central-1',
        aws_access_key_id: 'AKID',
        aws_secret_access_key: 'hunter2',
      },
    ],
    [
      'azure_openai',
      {
        provider: 'azure_openai',
        azure_endpoint: 'https://ours.openai.azure.com',
        azure_deployment: 'plans',
        azure_api_key: 'hunter2',
      },
    ],
  ])('%s accepts exactly the variables that it needs', (provider, config) => {
    expect(loadConfig({ ...KEYS, LLM_PLATFORM_PROVIDER: provider }).llm.platform).toEqual(config);
  });

  test.each([
    ['anthropic', ['LLM_PLATFORM_API_KEY']],
    ['azure_openai', ['LLM_PLATFORM_API_KEY', 'LLM_PLATFORM_AZURE_ENDPOINT', 'LLM_PLATFORM_AZURE_DEPLOYMENT']],
    ['bedrock', ['LLM_PLATFORM_AWS_REGION', 'LLM_PLATFORM_AWS_ACCESS_KEY_ID', 'LLM_PLATFORM_AWS_SECRET_ACCESS_KEY']],
  ])('%s without its keys is rejected, and each missing key is named', (provider, names) => {
    expect(listProblems({ LLM_PLATFORM_PROVIDER: provider })).toEqual(
      names.map((name) => `${name} is required when LLM_PLATFORM_PROVIDER=${provider}`),
    );
  });

  test('an invalid value is not repeated', () => {
    const problems = listProblems({
      LLM_PLATFORM_PROVIDER: 'hunter2',
      LLM_PLATFORM_AWS_REGION: 'hunter2',
      LLM_PLATFORM_AZURE_ENDPOINT: 'http://hunter2',
      LLM_DEFAULT_MODEL_OPENAI: '../hunter2',
      LLM_ENDPOINT_STS: 'hunter2',
      LLM_TIMEOUT_MS: 'hunter2',
    });

    expect(problems).toHaveLength(6);
    expect(problems.join()).not.toContain('hunter2');
  });
});

describe('the GitHub App', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
  const APP = {
    GITHUB_APP_ID: '12',
    GITHUB_APP_SLUG: 'acme-plans',
    GITHUB_APP_PRIVATE_KEY: pem,
    GITHUB_APP_CLIENT_ID: 'Iv1.abc',
    GITHUB_APP_CLIENT_SECRET: 'hunter2',
    GITHUB_APP_WEBHOOK_SECRET: 'hunter2hunter2hunter2',
  };

  test('there is no App unless all its variables are set', () => {
    expect(loadConfig({}).github_app).toBeNull();
    for (const name of Object.keys(APP)) {
      expect(listProblems({ ...APP, [name]: '' })).toEqual([
        `${name} is required with the other variables of the GitHub App`,
      ]);
    }
    expect(listProblems({ GITHUB_URL: 'https://github.example.com' })).toEqual([expect.stringContaining('GITHUB_URL')]);
  });

  test.each([
    ['as GitHub creates it', pem],
    ['on one line', pem.replaceAll('\n', '\\n')],
    ['in base64', Buffer.from(pem).toString('base64')],
    ['as PKCS #8', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()],
  ])('the App accepts its key %s', (_title, GITHUB_APP_PRIVATE_KEY) => {
    expect(loadConfig({ ...APP, GITHUB_APP_PRIVATE_KEY }).github_app).toMatchObject({
      app_id: 12,
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    });
  });

  test.each([
    [{}, 'https://github.com', 'https://api.github.com'],
    [{ GITHUB_URL: 'https://git.example/' }, 'https://git.example', 'https://git.example/api/v3'],
    [
      { GITHUB_URL: 'http://127.0.0.1:1', GITHUB_API_URL: 'http://127.0.0.1:2' },
      'http://127.0.0.1:1',
      'http://127.0.0.1:2',
    ],
  ])('the App at %j has the URLs %s and %s', (env, web_url, api_url) => {
    expect(loadConfig({ ...APP, ...env }).github_app).toMatchObject({ web_url, api_url });
  });

  test('an invalid key is rejected without repeating it', () => {
    const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' });
    for (const key of ['hunter2', ec.toString()]) {
      expect(listProblems({ ...APP, GITHUB_APP_PRIVATE_KEY: key })).toEqual([
        'GITHUB_APP_PRIVATE_KEY must be an RSA private key, as PEM or as PEM in base64',
      ]);
    }
  });
});

describe('.env.example', () => {
  const text = readFileSync(join(packageRoot(), '.env.example'), 'utf8');
  const lines = text.split('\n').flatMap((line) => {
    const [, name, value] = /^(?:# )?([A-Z][A-Z0-9_]+)=(.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [{ name, value: value ?? '' }];
  });

  test('the examples of .env.example load together', () => {
    expect(listProblems(Object.fromEntries(lines.map((line) => [line.name, line.value])))).toEqual([]);
  });
});

describe('docker-compose.yml', () => {
  const compose = parse(readFileSync(join(packageRoot(), 'docker-compose.yml'), 'utf8'), { merge: true });

  test.each(['api', 'worker', 'scheduler', 'bot', 'migrate'])('%s has a configuration that loads', (name) => {
    const environment: Record<string, unknown> = compose.services[name].environment;
    const examples: Record<string, string> = {
      MASTER_KEY: KEY,
      OIDC_ISSUER: 'https://idp.example',
      OIDC_AUDIENCE: 'dpa',
    };
    const filled = Object.entries(environment).map(([key, value]) => [
      key,
      String(value)
        .replace(/\$\{(\w+):\?\}/g, (_, variable) => examples[variable] ?? 'example')
        .replace(/\$\{\w+:-([^}]*)\}/g, '$1'),
    ]);

    expect(listProblems(Object.fromEntries(filled))).toEqual([]);
    expect(Object.keys(environment).filter((key) => !VARIABLE_NAMES.includes(key))).toEqual([]);
  });

  test('docker-compose.yml runs two APIs, two workers, a scheduler, and a Redis that persists its data', () => {
    const { api, worker, scheduler, redis } = compose.services;

    expect([api.deploy.replicas, worker.deploy.replicas]).toEqual([2, 2]);
    expect([api, worker, scheduler].map((service) => service.command[2])).toEqual(['api', 'worker', 'scheduler']);
    expect(redis.command.join(' ')).toContain('--appendonly yes --maxmemory-policy noeviction');
  });
});
