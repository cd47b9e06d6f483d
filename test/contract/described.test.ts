/** The texts that are added to the served contract. */
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { accessText } from '../../server/http/contract/contract-texts.ts';
import type { OperationObject } from '../../server/http/contract/openapi-types.ts';
import { ERROR_CLASSES } from '../../server/lib/error-classes.ts';
import { document } from '../http/harness.ts';

const { api, yaml, json } = document;
const operations = Object.values(api.paths).flatMap((item) =>
  Object.entries(item).flatMap(([method, object]) => (method === 'parameters' ? [] : [object as OperationObject])),
);

test('the YAML, the JSON and the validated contract are the same document', () => {
  expect(parse(yaml)).toEqual(api);
  expect(JSON.parse(json)).toEqual(api);
});

test.each(operations.map((operation) => [operation.operationId, operation] as const))(
  '%s describes what it does and who can call it',
  (_id, { description = '', 'x-access': access }) => {
    const [text = '', access_sentence = ''] = description.split('\n\n**Credential:** ');

    expect(text).toMatch(/\S/);
    for (const name of [access.scope, access.role, ...(access.audit ?? [])]) {
      if (name !== undefined) expect(access_sentence).toContain(`\`${name}\``);
    }
    expect(access_sentence.includes('platform admin')).toBe(access.platform_admin !== undefined);
    expect(access_sentence.startsWith('none')).toBe(access.credential === 'none');
    expect(access_sentence.includes('API key')).toBe(
      access.credential !== 'none' && access.platform_admin !== 'required',
    );
    expect(access_sentence.includes('API keys are refused')).toBe(
      access.credential === 'oidc' && access.platform_admin !== 'required',
    );
  },
);

test.each([
  [{ credential: 'none' }, '**Credential:** none.'],
  [{ credential: 'oidc', platform_admin: 'required' }, '**Credential:** an access token of a platform admin.'],
  [
    { credential: 'oidc', role: 'admin', self: true, audit: ['membership.removed'] },
    '**Credential:** an access token; API keys are refused. **Role:** `admin` or higher, or any role for your own. ' +
      '**Audit log:** `membership.removed`.',
  ],
  [
    { credential: 'any', role: 'owner', scope: 'rules:write' },
    '**Credential:** an access token, or an API key with the scope `rules:write`. **Role:** `owner`.',
  ],
  [
    { credential: 'any', role: 'admin', key: 'exempt' },
    '**Credential:** an access token, or any API key of the organization. **Role:** `admin` or higher with an access token.',
  ],
] as const)('%j is described in words', (access, text) => {
  expect(accessText({ ...access, ...('audit' in access ? { audit: [...access.audit] } : {}) } as never)).toBe(text);
});

test('the introduction lists every error class with its statuses and meaning', () => {
  const description = api.info.description ?? '';

  for (const [name, { statuses, meaning }] of Object.entries(ERROR_CLASSES)) {
    expect(description).toContain(`| ${statuses.join(', ')} | \`${name}\` | ${meaning} |`);
  }
});
