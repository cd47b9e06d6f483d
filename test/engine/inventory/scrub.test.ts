import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { scrubProperties, scrubTags } from '../../../engine/inventory/index.ts';

test('a boot script is withheld', () => {
  expect(scrubProperties({ InstanceType: 't3.micro', UserData: 'ZWNobyBoaQ==' })).toEqual({
    InstanceType: 't3.micro',
    UserData: '[redacted]',
  });
});

test.each([
  [
    'of a function',
    { Environment: { Variables: { STAGE: 'prod', N: 4 } } },
    { Environment: { Variables: { STAGE: '[redacted]', N: '[redacted]' } } },
  ],
  [
    'of a container',
    { ContainerDefinitions: [{ Name: 'web', Environment: [{ Name: 'STAGE', Value: 'prod' }] }] },
    { ContainerDefinitions: [{ Name: 'web', Environment: [{ Name: 'STAGE', Value: '[redacted]' }] }] },
  ],
  [
    'of a build project, and not its other settings',
    { Environment: { Image: 'node:20', EnvironmentVariables: [{ Name: 'STAGE', Type: 'PLAINTEXT', Value: 'prod' }] } },
    {
      Environment: {
        Image: 'node:20',
        EnvironmentVariables: [{ Name: 'STAGE', Type: 'PLAINTEXT', Value: '[redacted]' }],
      },
    },
  ],
  ['written as assignments', { Env: ['STAGE=prod', 'DEBUG'] }, { Env: ['STAGE=[redacted]', '[redacted]'] }],
  ['of an app', { appSettings: { mode: 'live' } }, { appSettings: { mode: '[redacted]' } }],
])('the values of environment variables %s are withheld', (_title, properties, scrubbed) => {
  expect(scrubProperties(properties)).toEqual(scrubbed);
});

test('a reference to a secret is shown', () => {
  const properties = {
    env: [{ name: 'DB', valueFrom: { secretKeyRef: { name: 'db' } } }],
    MasterUserSecret: { SecretArn: 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:db' },
  };

  expect(scrubProperties(properties)).toEqual(properties);
});

test('a startup script in the metadata of an instance is withheld', () => {
  const metadata = {
    items: [
      { key: 'startup-script', value: 'echo hi' },
      { key: 'enable-oslogin', value: 'TRUE' },
    ],
  };

  expect(scrubProperties({ metadata })).toEqual({
    metadata: {
      items: [
        { key: 'startup-script', value: '[redacted]' },
        { key: 'enable-oslogin', value: 'TRUE' },
      ],
    },
  });
});

test('variables inside a JSON text are withheld', () => {
  const ContainerDefinitions = JSON.stringify([{ name: 'web', environment: [{ name: 'STAGE', value: 'prod' }] }]);

  expect(scrubProperties({ ContainerDefinitions })).toEqual({
    ContainerDefinitions: '[{"name":"web","environment":[{"name":"STAGE","value":"[redacted]"}]}]',
  });
});

test('a JSON text without secrets keeps its layout', () => {
  const PolicyDocument = '{\n  "Version": "2012-10-17"\n}';

  expect(scrubProperties({ PolicyDocument })).toEqual({ PolicyDocument });
});

test('the value of an API key or a parameter is withheld by its type', () => {
  expect(scrubProperties({ Name: 'greeting', Value: 'hello' }, 'AWS::SSM::Parameter')).toEqual({
    Name: 'greeting',
    Value: '[redacted]',
  });
  expect(scrubProperties({ Name: 'greeting', Value: 'hello' }, 'AWS::Other::Type')).toEqual({
    Name: 'greeting',
    Value: 'hello',
  });
});

test.each(['env', 'environment', 'Environment', 'stage', 'Variables'])('a tag named %s is shown', (name) => {
  expect(scrubTags({ [name]: 'prod' })).toEqual({ [name]: 'prod' });
  expect(scrubProperties({ Tags: [{ Key: name, Value: 'prod' }] })).toEqual({ Tags: [{ Key: name, Value: 'prod' }] });
});

test('a key inside a tag is removed', () => {
  expect(scrubTags({ note: 'AKIAIOSFODNN7EXAMPLE', api_token: 'x1' })).toEqual({
    note: '[redacted]',
    api_token: '[redacted]',
  });
});

test('the setting of instance metadata tokens is shown', () => {
  expect(scrubProperties({ MetadataOptions: { HttpTokens: 'required' } })).toEqual({
    MetadataOptions: { HttpTokens: 'required' },
  });
});

test('a value nested deeper than 100 levels is withheld', () => {
  let deep: unknown = 'bottom';
  for (let level = 0; level < 10_000; level += 1) deep = { deep };
  const text = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;

  const scrubbed = JSON.stringify(scrubProperties({ deep, text }));

  expect(scrubbed).not.toContain('bottom');
  expect(scrubbed).toContain('[redacted]');
});

test('long texts and lists are cut, and the result has at most 128 KiB', () => {
  const wide = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`m${i}`, 'é'.repeat(20_000)]));
  const scrubbed = scrubProperties({ small: 'kept', list: Array.from({ length: 5_000 }, (_, i) => i), ...wide });

  expect(Buffer.byteLength(JSON.stringify(scrubbed))).toBeLessThanOrEqual(131_072);
  expect(scrubbed.small).toBe('kept');
  expect((scrubbed.list as unknown[]).at(-1)).toBe('[omitted: too large]');
});

/** Formats that must never be shown, built here so that no key stands in this file. */
const FORMATS = {
  aws: (n: number) => `AKIA${text(n, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 16)}`,
  google: (n: number) => `AIza${text(n, 'abcdefghijklmnopqrstuvwxyzABCDEFGH0123456789', 35)}`,
  azure: (n: number) =>
    `AccountKey=${Buffer.from(text(n, 'abcdefghijklmnop0123456789', 64)).toString('base64')};EndpointSuffix=core.windows.net`,
  pem: (n: number) =>
    `-----BEGIN RSA PRIVATE KEY-----\n${text(n, 'abcdefghijklmnopABCDEFGH0123', 64)}\n-----END RSA PRIVATE KEY-----`,
  jwt: (n: number) =>
    `eyJhbGciOiJIUzI1NiJ9.${Buffer.from(`{"sub":"${n}"}`).toString('base64url')}.${text(n, 'abcdefABCDEF0123456789', 43)}`,
};

function text(seed: number, alphabet: string, length: number): string {
  let state = seed + 1;
  return Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return alphabet[state % alphabet.length];
  }).join('');
}

test('no known key format is shown, wherever it is planted', () => {
  const places = fc.constantFrom(
    (secret: string) => ({ Description: secret }),
    (secret: string) => ({ a: [{ b: { c: `see ${secret} here` } }] }),
    (secret: string) => ({ Script: `#!/bin/sh\nexport X="${secret}"\n` }),
    (secret: string) => ({ Doc: JSON.stringify({ deep: [{ note: secret }] }) }),
    (secret: string) => ({ Encoded: Buffer.from(`#cloud-config\nnote: ${secret}\n`).toString('base64') }),
    (secret: string) => ({ [secret]: 1 }),
  );
  const formats = fc.constantFrom(...Object.values(FORMATS));

  fc.assert(
    fc.property(places, formats, fc.nat(1_000_000), (place, format, seed) => {
      const secret = format(seed);
      const planted = place(secret);

      const shown = JSON.stringify(scrubProperties(planted));

      const core = secret.startsWith('AccountKey=')
        ? secret.slice(11, 90)
        : (secret.split('\n').at(secret.includes('\n') ? 1 : 0) as string);
      expect(shown).not.toContain(core);
      expect(shown).not.toContain(Buffer.from(`#cloud-config\nnote: ${secret}\n`).toString('base64'));
    }),
    { numRuns: 300 },
  );
});
