/** One list of settings: the configuration module, .env.example, docs/operating.md and docker-compose.yml match. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { loadConfig, VARIABLE_NAMES } from '../../server/config/index.ts';
import { packageRoot } from '../../server/lib/package-root.ts';

const readText = (path: string): string => readFileSync(join(packageRoot(), path), 'utf8');
const NAMES = [...VARIABLE_NAMES].sort();

/** `NAME=value` of the lines that are not commented out: the defaults. */
const ENV_EXAMPLE = [...readText('.env.example').matchAll(/^(# )?([A-Z][A-Z0-9_]+)=(.*)$/gm)].map(
  ([, commented, name = '', value = '']) => ({ name, default_value: commented === undefined ? value : null }),
);
const OPERATING = readText('docs/operating.md');
/** Rows of the table under "Every setting". */
const DOCUMENTED = [...OPERATING.matchAll(/^\| `([A-Z][A-Z0-9_]+)` \| (?:`([^`]+)`|–) \| .+ \|$/gm)].map(
  ([, name = '', default_value]) => ({ name, default_value: default_value ?? null }),
);
const compose = parse(readText('docker-compose.yml'), { merge: true });
const ROLES = ['api', 'worker', 'scheduler', 'bot'];

/** Variables that docker-compose.yml sets because it names its own containers. */
const DECIDED = [
  'BLOB_S3_ACCESS_KEY_ID',
  'BLOB_S3_BUCKET',
  'BLOB_S3_ENDPOINT',
  'BLOB_S3_REGION',
  'BLOB_S3_SECRET_ACCESS_KEY',
  'DATABASE_URL',
  'HOST',
  'INTERNAL_PORT',
  'NODE_ENV',
  'PORT',
  'REDIS_URL',
];
/** Defaults of docker-compose.yml that differ from those of a single machine; docs/operating.md lists them. */
const COMPOSE_DEFAULTS: Record<string, string> = { SHUTDOWN_DRAIN_SECONDS: '5', BOT_API_URL: 'http://api:8080' };
const REQUIRED = ['MASTER_KEY', 'OIDC_AUDIENCE', 'OIDC_ISSUER'];

function passedBy(name: string): string {
  if (REQUIRED.includes(name)) return `\${${name}:?}`;
  return `\${${name}:-${COMPOSE_DEFAULTS[name] ?? ''}}`;
}

test.each([
  ['.env.example', ENV_EXAMPLE],
  ['docs/operating.md', DOCUMENTED],
])('%s lists every variable exactly once', (_path, entries) => {
  expect(entries.map(({ name }) => name).sort()).toEqual(NAMES);
});

test('.env.example and docs/operating.md list the same defaults as the service', () => {
  const documented = Object.fromEntries(DOCUMENTED.map(({ name, default_value }) => [name, default_value]));
  const stated = Object.fromEntries(ENV_EXAMPLE.map(({ name, default_value }) => [name, default_value]));
  const given = Object.entries(documented).filter((entry): entry is [string, string] => entry[1] !== null);

  expect(documented).toEqual(stated);
  expect(loadConfig(Object.fromEntries(given))).toEqual(loadConfig({}));
});

describe('docker-compose.yml', () => {
  test.each(ROLES)('%s gets every variable except the login of the schema owner', (role) => {
    const names = Object.keys(compose.services[role].environment).sort();

    expect(names).toEqual(NAMES.filter((name) => name !== 'DATABASE_MIGRATE_URL'));
  });

  test('only the migration gets the login of the schema owner', () => {
    expect(Object.keys(compose.services.migrate.environment).sort()).toEqual(NAMES);
  });

  test('variables come from .env unless the file sets them, with two defaults of its own', () => {
    const environment: Record<string, unknown> = compose.services.api.environment;
    const passed = Object.entries(environment).filter(([name]) => !DECIDED.includes(name));

    expect(Object.fromEntries(passed)).toEqual(Object.fromEntries(passed.map(([name]) => [name, passedBy(name)])));
    for (const name of DECIDED) expect(String(environment[name])).not.toContain(`\${${name}`);
  });

  test('docs/operating.md describes what docker-compose.yml sets, needs and defaults', () => {
    const about = /## Every setting\n([\s\S]*?)\n\| Variable/.exec(OPERATING)?.[1] ?? '';
    const needed = new Set(
      [...readText('docker-compose.yml').matchAll(/\$\{(\w+):\?\}/g)].map(([, name = '']) => name),
    );

    for (const name of [...DECIDED.filter((name) => !name.startsWith('BLOB_S3_')), ...needed, 'BLOB_S3_*'])
      expect(about).toContain(`\`${name}\``);
    for (const [name, value] of Object.entries(COMPOSE_DEFAULTS))
      expect(about).toMatch(new RegExp(`\`${name}\` is \`?${value}\`?`));
  });
});
