/** The samples of the contract are run unchanged. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createClient } from '../../sdk/src/index.ts';
import type { OperationObject, Response } from '../../server/http/contract/openapi-types.ts';
import { document, type Harness, ORG, startHttp, testHandlers } from '../http/harness.ts';

interface Sample {
  lang: 'Shell' | 'TypeScript';
  source: string;
}

const { api } = document;
const sampled = Object.entries(api.paths).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, object]) => {
    const { operationId, 'x-codeSamples': samples } = object as OperationObject & { 'x-codeSamples'?: Sample[] };
    return samples === undefined ? [] : [{ id: operationId, method: method.toUpperCase(), path, samples }];
  }),
);
const findSource = ({ samples }: { samples: Sample[] }, lang: Sample['lang']) =>
  samples.find((sample) => sample.lang === lang)?.source ?? '';

const job_answer = api.paths['/orgs/{id}/llm-jobs/{job_id}']?.get?.responses['200'] as Response;
const FINISHED = job_answer.content?.['application/json']?.examples?.['done']?.value;

let http: Harness;
beforeAll(async () => {
  const handlers = testHandlers();
  handlers.getLlmJob = async () => ({ status: 200, body: FINISHED as never, headers: {} });
  http = await startHttp({ handlers });
});
afterAll(() => http.close());

test('the main operations have samples for the shell and for the SDK', () => {
  expect(sampled.map(({ id }) => id).sort()).toEqual([
    'analyzePlan',
    'createApiKey',
    'createCustomRule',
    'getLlmJob',
    'listPlanNoise',
    'verifyOrgAuditLog',
  ]);
  for (const one of sampled) expect(one.samples.map(({ lang }) => lang)).toEqual(['Shell', 'TypeScript']);
});

describe.each(sampled.map((one) => [one.id, one] as const))('%s', (id, one) => {
  test('the curl sample names its path and a credential, and sends a valid body', async () => {
    const source = findSource(one, 'Shell');
    const [, url = ''] = /"\$DPA_URL([^"]+)"/.exec(source) ?? [];
    const path = url.replace('$DPA_ORG', ORG).replace('$JOB', ORG);
    const [, body] = / -d '([^']+)'/.exec(source) ?? [];
    const by_key = source.includes('x-api-key: $DPA_KEY');

    expect(path.split('?')[0]).toBe(`/api/v2${one.path.replace('{id}', ORG).replace('{job_id}', ORG)}`);
    const answer = await http.send(one.method, path, {
      headers: by_key ? { 'x-api-key': 'key:owner/write' } : { authorization: 'Bearer owner' },
      // The sample of an analysis uses jq and a file.
      ...(body === undefined
        ? id === 'analyzePlan'
          ? { json: { plan_json: '{}' } }
          : {}
        : { json: JSON.parse(body) }),
    });
    expect([answer.text.slice(0, 200), Math.floor(answer.status / 100)]).toEqual([expect.any(String), 2]);
  });

  test('the SDK sample runs', async () => {
    const dpa = createClient({ base_url: http.url, token: 'owner' });
    const readFile = async () => '{"format_version":"1.2","resource_changes":[]}';
    const silent = { log: () => undefined };
    const names = ['dpa', 'org_id', 'readFile', 'console'];
    const run = Object.getPrototypeOf(async () => undefined).constructor(...names, findSource(one, 'TypeScript'));

    await expect(run(dpa, ORG, readFile, silent)).resolves.toBeUndefined();
  });
});
