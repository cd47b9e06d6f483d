import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { API, bearer, type Harness, ORG, startHttp } from './harness.ts';

let http: Harness;
beforeAll(async () => {
  http = await startHttp();
});
afterAll(() => http.close());

const put = (json: unknown) => http.send('PUT', `${API}/orgs/${ORG}/llm-config`, { headers: bearer('owner'), json });
const KEYED = { provider: 'gemini', api_key: 'k' };
const AZURE = {
  provider: 'azure_openai',
  azure_endpoint: 'https://acme.example.com',
  azure_deployment: 'gpt',
  azure_api_key: 'k',
};
const BEDROCK = {
  provider: 'bedrock',
  aws_region: 'eu-central-1',
  aws_access_key_id: 'AKIAIOSFODNN7EXAMPLE',
  aws_secret_access_key: 'k',
};

test.each([
  [KEYED],
  [{ ...KEYED, provider: 'anthropic', model: 'claude' }],
  [{ ...KEYED, provider: 'openai' }],
  [{ ...AZURE, model: 'any', azure_api_version: '2024-12-01-preview' }],
  [{ ...BEDROCK, aws_role_arn: 'arn:aws:iam::123456789012:role/models', model: 'eu.anthropic.claude:0' }],
])('%j is a valid account', async (body) => {
  expect((await put(body)).status).toBe(200);
});

test.each([
  [{ ...KEYED, aws_region: 'eu-central-1' }, 'aws_region'],
  [{ ...AZURE, api_key: 'k' }, 'api_key'],
  [{ ...BEDROCK, azure_api_key: 'k' }, 'azure_api_key'],
  [{ ...KEYED, endpoint: 'https://acme.example.com' }, 'endpoint'],
  [{ ...KEYED, provider: 'nobody', extra: 1 }, 'extra'],
])('%j has a field that its provider does not have', async (body, name) => {
  const { status, json } = await put(body);

  expect([status, json.error_class, json.details[0].path]).toEqual([400, 'unknown_field', `/body/${name}`]);
});

test.each([
  [{ provider: 'gemini' }, 'api_key'],
  [{ ...KEYED, api_key: '' }, 'api_key'],
  [{ ...KEYED, api_key: 'x'.repeat(501) }, 'api_key'],
  [{ ...KEYED, api_key: 'two words' }, 'api_key'],
  [{ ...KEYED, model: '../other' }, 'model'],
  [{ ...AZURE, azure_endpoint: 'http://acme.example.com' }, 'azure_endpoint'],
  [{ ...BEDROCK, aws_region: 'eu_central' }, 'aws_region'],
  [{ ...BEDROCK, aws_role_arn: 'arn:aws:iam::1:user/a' }, 'aws_role_arn'],
  [{ ...KEYED, provider: 'nobody' }, 'provider'],
  [{ api_key: 'k' }, 'provider'],
  [{}, 'provider'],
])('%j is rejected by field name without echoing its value', async (body, name) => {
  const { status, json, text } = await put(body);

  expect([status, json.error_class]).toEqual([400, 'invalid_request']);
  expect(json.details.map(({ path }: { path: string }) => path)).toContain(`/body/${name}`);
  expect(text).not.toContain('two words');
});

test.each([[null], [[]], ['x'], [1], [[KEYED]]])('%j is not a valid account', async (body) => {
  expect(await put(body)).toMatchObject({ status: 400, json: { error_class: 'invalid_request' } });
});
