import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createGuardedFetch, type GuardedFetch } from '../../../server/adapters/egress/index.ts';
import { createLlmClients } from '../../../server/adapters/llm/index.ts';
import type { LlmConfig, LlmError, LlmProvider } from '../../../server/domains/llm/types.ts';
import { ANSWER, BEDROCK_CONFIG, bedrock, CANARY, isSigned, PROVIDERS, REGION, REQUEST, WIRES } from './providers.ts';
import { json, type Reply, startWireServer, type WireServer } from './wire-server.ts';

const MODELS = {
  anthropic: 'claude-sonnet-5-5',
  openai: 'gpt-5.4-mini',
  gemini: 'gemini-3.5-flash',
  bedrock: 'anthropic.claude-sonnet-5-5',
};
const never = () => new AbortController().signal;

let server: WireServer;
const printed: string[] = [];
const consoles = ['log', 'info', 'warn', 'error', 'debug'] as const;
const before = consoles.map((name) => console[name]);
beforeAll(async () => {
  server = await startWireServer();
  for (const name of consoles) console[name] = (...parts: unknown[]) => void printed.push(inspect(parts, { depth: 9 }));
});
afterAll(async () => {
  consoles.forEach((name, index) => {
    console[name] = before[index]!;
  });
  await server.close();
});

function clientsAt(url: string, { timeout_ms = 5_000, now = () => new Date(), default_models = MODELS } = {}) {
  const endpoints = { anthropic: url, openai: url, azure_openai: url, gemini: url, bedrock: url, sts: url };
  const egress: GuardedFetch = () => Promise.reject(new Error('not to be used'));
  return createLlmClients({ settings: { default_models, endpoints, timeout_ms }, egress, now });
}

async function ask(config: LlmConfig, reply: Reply, options: { timeout_ms?: number; signal?: AbortSignal } = {}) {
  server.reply(reply);
  const client = await clientsAt(server.url, options)(config);
  return client.ask(REQUEST, options.signal ?? never());
}

/** The error of one attempt; all its printed forms are searched for the canary. */
async function failure(config: LlmConfig, reply: Reply, options = {}): Promise<LlmError> {
  const error = await ask(config, reply, options).then(
    (answer) => Promise.reject(new Error(`there is an answer: ${inspect(answer)}`)),
    (reason: LlmError) => reason,
  );
  const written = [error.message, error.stack, JSON.stringify(error), inspect(error, { depth: 9, showHidden: true })];
  expect(error.name).toBe('LlmError');
  expect(written.join()).not.toMatch(/canary|CANARY/);
  expect(error.cause).toBeUndefined();
  return error;
}

describe.each(PROVIDERS)('%s', (provider: LlmProvider) => {
  const wire = WIRES[provider];

  test('a call sends key, model and schema, and its response is parsed', async () => {
    const answer = await ask(wire.config, json(200, wire.good));

    expect(JSON.parse(answer.text)).toEqual(ANSWER);
    expect([answer.input_tokens, answer.output_tokens]).toEqual([12, 34]);
    expect(answer.model).toMatch(/^[\w.-]+$/);
    expect(server.requests).toHaveLength(1);
    expect(wire.findFaults(server.requests[0]!)).toBeUndefined();
  });

  test('the model is known before the call, and the request reveals nothing about this machine', async () => {
    const client = await clientsAt(server.url)(wire.config);
    server.reply(json(200, wire.good));
    await client.ask(REQUEST, never());

    expect(client.model).toBe(wire.model);
    expect(server.requests[0]!.headers['user-agent']).toBe('dpa');
    expect(Object.keys(server.requests[0]!.headers).filter((name) => /stainless|goog-api-client/.test(name))).toEqual(
      [],
    );
    expect(inspect(client, { depth: 9, showHidden: true })).not.toContain(CANARY);
  });

  test.each([
    [401, 'auth'],
    [403, 'auth'],
    [404, 'rejected'],
    [400, 'rejected'],
    [413, 'rejected'],
    [302, 'rejected'],
    [408, 'unavailable'],
    [429, 'rate_limited'],
    [500, 'unavailable'],
    [503, 'unavailable'],
    [529, 'unavailable'],
  ])(
    'status %i with a body that echoes key and prompt is %s, and the error contains nothing of the body',
    async (status, error_class) => {
      const echo = { error: { message: `${CANARY} ${REQUEST.user}`, type: CANARY, code: CANARY }, message: CANARY };
      const error = await failure(wire.config, json(status, echo, { location: `/${CANARY}`, 'x-request-id': CANARY }));

      expect(error).toMatchObject({ error_class, status, retry_after: null });
      expect(error.message).toContain(provider);
      expect(server.requests).toHaveLength(1);
    },
  );

  test.each([
    [{ 'retry-after': '7' }, 7],
    [{ 'retry-after-ms': '1500', 'retry-after': '9' }, 1.5],
    [{ 'retry-after': 'soon' }, null],
    [{ 'retry-after': '99999999' }, 86_400],
  ])('a wait of %p is parsed', async (headers, retry_after) => {
    expect(await failure(wire.config, json(429, {}, headers as Record<string, string>))).toMatchObject({
      error_class: 'rate_limited',
      retry_after,
    });
    expect(server.requests).toHaveLength(1);
  });

  test.each(wire.refused)('%s is refused', async (_title, body) => {
    expect(await failure(wire.config, json(200, body))).toMatchObject({ error_class: 'refused', status: 200 });
  });

  test.each<[string, Reply]>([
    ['truncated JSON', (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"a')],
    ['HTML', (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(`<h1>${CANARY}</h1>`)],
    ['null', json(200, null)],
    ['a list', json(200, [CANARY])],
    ['an error page', (response) => void response.writeHead(502, { 'content-type': 'text/html' }).end(CANARY)],
    ['a connection that is reset', (response) => void response.socket?.resetAndDestroy()],
    [
      'a body that is reset',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '900' }).write('{"x":');
        setTimeout(() => response.socket?.resetAndDestroy(), 5);
      },
    ],
  ])('%s is not a valid response', async (_title, reply) => {
    expect(await failure(wire.config, reply)).toMatchObject({ error_class: 'unavailable' });
    expect(server.requests).toHaveLength(1);
  });

  test.each([200, 500])('an endless body with status %i is not read to its end', async (status) => {
    let sent = 0;
    let ended = false;
    const error = await failure(wire.config, (response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      const chunk = Buffer.alloc(65_536, 32);
      const more = () => {
        while (!ended && sent < 1_073_741_824) {
          sent += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', more);
        }
      };
      response.once('close', () => {
        ended = true;
      });
      more();
    });

    expect(error.error_class).toBe(status === 200 ? 'refused' : 'unavailable');
    expect(sent).toBeLessThan(33_554_432);
  });

  test('a slow provider times out', async () => {
    let closed: Promise<unknown> = Promise.resolve();
    const error = await failure(
      wire.config,
      (response) => {
        closed = new Promise((resolve) => response.once('close', resolve));
      },
      { timeout_ms: 120 },
    );

    expect(error).toMatchObject({ error_class: 'timeout', status: null });
    await closed;
  });

  test('a provider that sends byte by byte times out', async () => {
    const error = await failure(
      wire.config,
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const drip = setInterval(() => response.write(' '), 20);
        response.once('close', () => clearInterval(drip));
      },
      { timeout_ms: 150 },
    );

    expect(error.error_class).toBe('timeout');
  });

  test('a caller who cancels while waiting is released immediately, and the connection is closed', async () => {
    const controller = new AbortController();
    let closed: Promise<unknown> = Promise.resolve();
    const error = await failure(
      wire.config,
      (response) => {
        closed = new Promise((resolve) => response.once('close', resolve));
        controller.abort(new Error(CANARY));
      },
      { signal: controller.signal },
    );

    expect(error).toMatchObject({ error_class: 'cancelled', status: null });
    await closed;
  });

  test('a caller who canceled before the call sends no request', async () => {
    expect(await failure(wire.config, json(200, wire.good), { signal: AbortSignal.abort() })).toMatchObject({
      error_class: 'cancelled',
    });
    expect(server.requests).toEqual([]);
  });

  test('an unreachable provider is unavailable', async () => {
    const gone = await startWireServer();
    await gone.close();
    const client = await clientsAt(gone.url)(wire.config);

    await expect(client.ask(REQUEST, never())).rejects.toMatchObject({ error_class: 'unavailable', status: null });
  });

  test('environment variables of the SDKs change nothing', async () => {
    const hostile: Record<string, string> = {
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:1',
      ANTHROPIC_AUTH_TOKEN: 'other',
      ANTHROPIC_LOG: 'debug',
      OPENAI_BASE_URL: 'http://127.0.0.1:1',
      OPENAI_API_KEY: 'other',
      OPENAI_ORG_ID: 'other',
      OPENAI_LOG: 'debug',
      AZURE_OPENAI_ENDPOINT: 'http://127.0.0.1:1',
      GOOGLE_API_KEY: 'other',
      GOOGLE_GEMINI_BASE_URL: 'http://127.0.0.1:1',
      GOOGLE_GENAI_USE_VERTEXAI: 'true',
      AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
      AWS_BEARER_TOKEN_BEDROCK: 'other',
      AWS_PROFILE: 'other',
      AWS_ACCESS_KEY_ID: 'OTHER',
      AWS_SECRET_ACCESS_KEY: 'other',
      AWS_MAX_ATTEMPTS: '5',
      HTTP_PROXY: 'http://127.0.0.1:1',
      HTTPS_PROXY: 'http://127.0.0.1:1',
      ALL_PROXY: 'http://127.0.0.1:1',
    };
    const kept = Object.keys(hostile).map((name) => [name, process.env[name]] as const);
    Object.assign(process.env, hostile);
    try {
      await ask(wire.config, json(200, wire.good));
    } finally {
      for (const [name, value] of kept) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }

    expect(wire.findFaults(server.requests[0]!)).toBeUndefined();
    expect(Object.keys(server.requests[0]!.headers)).not.toContain('openai-organization');
  });

  test('a key that cannot be sent in a header is rejected without a request', async () => {
    const fields = Object.entries(wire.config).map(([name, value]) => [
      name,
      value === CANARY ? `${CANARY}\n\u{1f511}` : value,
    ]);
    const config = Object.fromEntries(fields) as LlmConfig;
    if (provider === 'bedrock') return; // its secret is used only for signing

    expect(await failure(config, json(200, wire.good))).toMatchObject({ error_class: 'rejected', status: null });
    expect(server.requests).toEqual([]);
  });
});

describe('a configuration that points to another path', () => {
  test.each<LlmConfig>([
    { provider: 'gemini', api_key: CANARY, model: '../../upload' },
    { provider: 'openai', api_key: CANARY, model: 'a b' },
    { ...BEDROCK_CONFIG, aws_region: 'evil.example/#' },
    { ...BEDROCK_CONFIG, aws_region: 'eu-west-1.evil.example' },
    {
      provider: 'azure_openai',
      azure_endpoint: 'https://x.openai.azure.com',
      azure_deployment: '../x',
      azure_api_key: CANARY,
    },
  ])('a configuration with %p is rejected', async (config) => {
    await expect(clientsAt(server.url)(config)).rejects.toMatchObject({ name: 'LlmError', error_class: 'rejected' });
  });
});

describe('gemini', () => {
  const { config } = WIRES.gemini;

  test('an invalid key with status 400 is an auth error', async () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }];
    const body = { error: { code: 400, message: CANARY, status: 'INVALID_ARGUMENT', details } };

    expect(await failure(config, json(400, body))).toMatchObject({ error_class: 'auth', status: 400 });
  });

  test('the wait is read from the body', async () => {
    const details = [{ reason: 'x' }, { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.5s' }];

    expect(await failure(config, json(429, { error: { code: 429, details } }))).toMatchObject({
      error_class: 'rate_limited',
      retry_after: 34.5,
    });
  });
});

describe('azure_openai', () => {
  const { config, good } = WIRES.azure_openai;
  const settings = { default_models: MODELS, endpoints: {}, timeout_ms: 2_000 };
  const at = (azure_endpoint: string, resolve: () => Promise<string[]>) =>
    createLlmClients({ settings, egress: createGuardedFetch({ resolve }) })({
      ...config,
      azure_endpoint,
    } as LlmConfig).then((client) => client.ask(REQUEST, never()));

  test('a filtered prompt is refused', async () => {
    const body = { error: { code: 'content_filter', message: CANARY } };

    expect(await failure(config, json(400, body))).toMatchObject({ error_class: 'refused', status: 400 });
  });

  test.each([
    ['http', 'http://ours.openai.azure.com', '1.1.1.1'],
    ['a private address', 'https://10.0.0.1', '1.1.1.1'],
    ['loopback', 'https://127.0.0.1:8443', '1.1.1.1'],
    ['the metadata service', 'https://169.254.169.254', '1.1.1.1'],
    ['a port of another service', 'https://ours.openai.azure.com:6379', '1.1.1.1'],
    ['a password', 'https://a:b@ours.openai.azure.com', '1.1.1.1'],
    ['a name that resolves to loopback', 'https://ours.openai.azure.com', '127.0.0.1'],
    ['a name that resolves to the metadata service', 'https://ours.openai.azure.com', '169.254.169.254'],
  ])("an organization's endpoint with %s is rejected", async (_title, endpoint, address) => {
    await expect(at(endpoint, async () => [address])).rejects.toMatchObject({
      name: 'LlmError',
      error_class: 'rejected',
      status: null,
    });
  });

  test('the name is resolved again for each call', async () => {
    const asked: string[] = [];
    const egress: GuardedFetch = async (url, { headers }) => {
      asked.push(url, String(headers['api-key']));
      return Response.json(good);
    };
    const client = await createLlmClients({ settings, egress })(config);
    await client.ask(REQUEST, never());
    await client.ask(REQUEST, never());

    const url =
      'https://ours.openai.azure.com/openai/deployments/plans/chat/completions?api-version=2024-12-01-preview';
    expect(asked).toEqual([url, CANARY, url, CANARY]);
  });
});

describe('bedrock', () => {
  const input = ANSWER;
  const called = bedrock({ stopReason: 'tool_use' }, [
    { text: 'Here it is.' },
    { toolUse: { toolUseId: 't1', name: 'narrative', input } },
  ]);

  test.each([
    ['eu.amazon.nova-pro-v1:0', undefined],
    ['anthropic.claude-haiku-5-5', { thinking: { type: 'disabled' } }],
  ])('%s is forced to call the only tool', async (model, more) => {
    const answer = await ask({ ...BEDROCK_CONFIG, model }, json(200, called));

    expect(JSON.parse(answer.text)).toEqual(ANSWER);
    expect(answer.model).toBe(model);
    const body = JSON.parse(server.requests[0]!.body);
    expect(body.toolConfig.toolChoice).toEqual({ tool: { name: 'narrative' } });
    expect(body.toolConfig.tools).toMatchObject([{ toolSpec: { name: 'narrative', description: 'What will happen' } }]);
    expect(body.additionalModelRequestFields).toEqual(more);
    expect(body.inferenceConfig).toEqual({ maxTokens: 700 });
    expect(isSigned(server.requests[0]!, CANARY, 'bedrock')).toBe(true);
  });

  describe('bedrock with a role to assume', () => {
    const aws_role_arn = 'arn:aws:iam::123456789012:role/models';
    const config: LlmConfig = { ...BEDROCK_CONFIG, aws_role_arn };
    let now = new Date('2026-11-21T10:00:00Z');
    const sts =
      (secret: string): Reply =>
      (response, { url }) => {
        if (url !== '/') return json(200, WIRES.bedrock.good)(response, server.requests[0]!);
        const ends = new Date(now.getTime() + 900_000).toISOString();
        response
          .writeHead(200, { 'content-type': 'text/xml' })
          .end(
            `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials>` +
              `<AccessKeyId>ASIAROLE</AccessKeyId><SecretAccessKey>${secret}</SecretAccessKey>` +
              `<SessionToken>session-token</SessionToken><Expiration>${ends}</Expiration>` +
              `</Credentials></AssumeRoleResult></AssumeRoleResponse>`,
          );
      };

    test("the role is assumed with the configured keys, and the model is called with the role's keys", async () => {
      await ask(config, sts('role-secret'));

      const [first, second] = server.requests;
      expect(Object.fromEntries(new URLSearchParams(first!.body))).toMatchObject({
        Action: 'AssumeRole',
        RoleArn: aws_role_arn,
        RoleSessionName: 'dpa',
        DurationSeconds: '900',
      });
      expect(isSigned(first!, CANARY, 'sts')).toBe(true);
      expect(second!.headers['x-amz-security-token']).toBe('session-token');
      expect(second!.headers.authorization).toContain(`ASIAROLE/`);
      expect(second!.headers.authorization).toContain(REGION);
      expect(isSigned(second!, 'role-secret', 'bedrock')).toBe(true);
    });

    test("the role's keys are reused until a minute before they expire, only for the same keys and role", async () => {
      server.reply(sts('role-secret'));
      const clients = clientsAt(server.url, { now: () => now });
      const calls = async (one: LlmConfig) => {
        server.requests.length = 0;
        await (await clients(one)).ask(REQUEST, never());
        return server.requests.filter(({ url }) => url === '/').length;
      };

      expect([await calls(config), await calls(config)]).toEqual([1, 0]);
      expect(await calls({ ...BEDROCK_CONFIG, aws_role_arn, aws_secret_access_key: 'new' })).toBe(1);
      now = new Date(now.getTime() + 839_000);
      expect(await calls(config)).toBe(0);
      now = new Date(now.getTime() + 1_000);
      expect(await calls(config)).toBe(1);
    });

    test.each([
      [403, 'auth'],
      [500, 'unavailable'],
    ])('an STS error with status %i is %s', async (status, error_class) => {
      const reply: Reply = (response) =>
        void response.writeHead(status, { 'content-type': 'text/xml' }).end(`<Error>${CANARY}</Error>`);

      expect(await failure(config, reply)).toMatchObject({ error_class, status });
      expect(server.requests).toHaveLength(1);
    });

    test('an STS response without keys is an error', async () => {
      const reply: Reply = (response) =>
        void response.writeHead(200, { 'content-type': 'text/xml' }).end('<AssumeRoleResponse/>');

      expect(await failure(config, reply)).toMatchObject({ error_class: 'unavailable' });
    });
  });
});

test('nothing that contains a key or a prompt was printed', () => {
  expect(printed.join()).not.toMatch(/canary|CANARY/);
  expect(printed).toEqual([]);
});
