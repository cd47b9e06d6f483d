/**
 * `node dist/bench/attack/schema-fuzz.js [--requests 100000] [--seed 1] [--in-flight 16]`: generates valid and invalid
 * requests from openapi.yaml, sends them to a service in its own process, and checks every response against the
 * contract. Prints each kind of fault with a command that repeats the request. Exits with 1 if there is a fault or
 * memory grew beyond its limit. The same seed generates the same requests, except for IDs and their order.
 */
import { parseArgs } from 'node:util';
import { startGithubServer } from '../../test/fakes/github-server.ts';
import { createClient, type RawResponse } from './client.ts';
import { createDice } from './dice.ts';
import { readContract } from './fuzz/contract.ts';
import { createFixtures, refresh, SECRET } from './fuzz/fixtures.ts';
import { createJudge } from './fuzz/judge.ts';
import { buildParamKey } from './fuzz/pools.ts';
import { createReport } from './fuzz/report.ts';
import { type FuzzRequest, makeRequest } from './fuzz/requests.ts';
import { startHostileHost } from './hostile-host.ts';
import { watchMemory } from './memory.ts';
import { openHarness } from './service.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    'in-flight': { type: 'string', default: '16' },
  },
});
const requests = Number(values.requests);
const seed = Number(values.seed);
const in_flight = Number(values['in-flight']);
const REFRESH_EVERY = 200;
const MOST_MEMORY_MB = 400;

const github = await startGithubServer();
const host = await startHostileHost(createDice(seed));
const endpoints = ['ANTHROPIC', 'OPENAI', 'GEMINI', 'BEDROCK', 'AZURE_OPENAI', 'STS'];
const harness = await openHarness({
  roles: ['all'],
  env: {
    ...github.environment,
    API_URL: 'https://api.example.com',
    FEDERATION_SUBJECT: 'deployment:bench',
    TRUSTED_PROXIES: '1',
    EGRESS_ALLOWED_HOSTS: [host.host, new URL(github.url).host, new URL(github.storage_url).host].join(','),
    LLM_TIMEOUT_MS: '1000',
    ...Object.fromEntries(endpoints.map((name) => [`LLM_ENDPOINT_${name}`, host.url])),
  },
});
try {
  process.exitCode = (await run()) ? 0 : 1;
} finally {
  await harness.close();
  await host.close();
  await github.stop();
}

async function run(): Promise<boolean> {
  const [service] = harness.services;
  if (service === undefined) throw new Error('no service runs');
  const contract = readContract();
  const client = createClient(harness.url, in_flight);
  const fixtures = await createFixtures(harness, client, contract, { host: host.url, github });
  const { judge } = createJudge(contract, fixtures);
  const report = createReport(contract, harness.url, service.readLog);
  const memory = watchMemory([service.pid]);

  let next = 0;
  async function sendAll(): Promise<void> {
    while (next < requests && service?.isAlive() === true) {
      const n = next;
      next += 1;
      if (n % REFRESH_EVERY === 0 && n > 0) {
        // A request in flight may delete what this adds.
        await refresh(fixtures)
          .catch(() => refresh(fixtures))
          .catch((error: unknown) =>
            report.reportBreak(`request ${n}: a caller has lost their rights: ${String(error)}`),
          );
      }
      const request = makeRequest(contract, fixtures, seed, n);
      try {
        const answer = await client.send(request);
        report.count(request, answer, judge(request, answer));
        learn(request, answer);
      } catch (error) {
        report.reportUnanswered(request, error);
      }
    }
  }

  function learn({ operation, is_misdirected, org, ids }: FuzzRequest, { status, text }: RawResponse): void {
    if (is_misdirected || status >= 300) return;
    const key = operation.in_org ? org : '';
    const [last] = operation.path_params.slice(-1);
    if (operation.method === 'DELETE' && last !== undefined)
      fixtures.pools.drop(buildParamKey(operation.template, last), key, ids[last] ?? '');
    if (operation.method === 'DELETE' || text === '' || (!text.startsWith('{') && !text.startsWith('['))) return;
    const body: unknown = JSON.parse(text);
    fixtures.pools.learn(operation.template, key, body);
    if (operation.id === 'createWebhookConfig') fixtures.signer.learn(body);
  }

  await Promise.all(Array.from({ length: in_flight }, sendAll));
  memory.stop();
  client.close();
  if (!service.isAlive()) report.reportBreak('the service ended');
  if (service.readLog().includes(SECRET)) report.reportBreak('the log holds a secret');
  return report.print({ memory, most_mb: MOST_MEMORY_MB });
}
