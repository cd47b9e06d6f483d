import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { API, bearer, type Harness, ORG, startHttp } from './harness.ts';

const ANALYZE = `${API}/orgs/${ORG}/analyze`;
const ORGS = `${API}/orgs`;
const LIMIT = 5_242_880;

let http: Harness;
beforeAll(async () => {
  http = await startHttp();
});
afterAll(() => http.close());

function analyze(body: string | Buffer, headers: Record<string, string> = {}, chunked = false) {
  return http.send('POST', ANALYZE, { headers: { ...bearer('member'), ...headers }, body, chunked });
}

/** An analyze body of exactly this size. */
function buildBody(bytes: number): string {
  const frame = '{"plan_json":""}';
  return frame.replace('""', `"${'x'.repeat(bytes - frame.length)}"`);
}

describe('JSON that is invalid or ambiguous is 400 invalid_json', () => {
  test.each([
    ['nothing', '', 'empty'],
    ['a cut', '{"plan_json":"x"', 'not valid JSON'],
    ['a word', 'plan', 'not valid JSON'],
    ['text after the end', '{"plan_json":"x"} x', 'not valid JSON at line 1, column 19'],
    ['a comment', '{"plan_json":"x"/**/}', 'not valid JSON'],
    ['NaN', '{"plan_json":NaN}', 'not valid JSON'],
    ['a raw NUL', '{"plan_json":"\0"}', 'not valid JSON'],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'not valid UTF-8'],
    ['an encoded surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 'not valid UTF-8'],
    ['UTF-16', Buffer.from('\ufeff{"plan_json":"x"}', 'utf16le'), 'not valid UTF-8'],
    ['a byte order mark', '\ufeff{"plan_json":"x"}', 'starts with a byte order mark; send UTF-8 without one'],
    ['a member twice', '{"plan_json":"x","plan_json":"y"}', 'member "plan_json" occurs twice in one object'],
    [
      'a member twice, escaped',
      '{"plan_json":"x","pl\\u0061n_json":"y"}',
      'member "plan_json" occurs twice in one object',
    ],
    [
      'a member twice, deep',
      '{"plan_json":"x","ci":{"branch":"a","branch":"b"}}',
      'member "branch" occurs twice in one object',
    ],
    ['201 levels', `${'['.repeat(201)}${']'.repeat(201)}`, 'nested deeper than 200 levels'],
    ['2,500,000 levels', '['.repeat(2_500_000), 'nested deeper than 200 levels'],
  ])('%s', async (_name, body, problem) => {
    const answer = await analyze(body);

    expect([answer.status, answer.json.error_class]).toEqual([400, 'invalid_json']);
    expect(answer.json.error).toContain(`invalid request body: ${problem}`);
  });
});

describe('unknown fields are named, the first in document order', () => {
  test.each([
    ['{"plan_json":"x","llm_config":{}}', 'llm_config', '/body/llm_config'],
    ['{"zz":1,"aa":2}', 'zz', '/body/zz'],
    ['{"ci":{"repo":1},"aa":2}', 'repo', '/body/ci/repo'],
    ['{"plan_json":7,"aa":2}', 'aa', '/body/aa'],
    ['{"plan_json":"x","__proto__":{"a":1}}', '__proto__', '/body/__proto__'],
    ['{"plan_json":"x","constructor":1}', 'constructor', '/body/constructor'],
    ['{"plan_json":"x","a/b~\\"c":1}', 'a/b~"c', '/body/a~1b~0"c'],
    ['{"plan_json":"x","\\ud800":1}', '\ufffd', '/body/\ufffd'],
    ['{"plan_json":"x","a\\u0000":1}', 'a\ufffd', '/body/a\ufffd'],
  ])('%s', async (body, name, path) => {
    const { status, json } = await analyze(body);

    expect(status).toBe(400);
    expect(json).toEqual({
      error: `invalid request body: json: unknown field ${JSON.stringify(name)}`,
      error_class: 'unknown_field',
      request_id: expect.any(String),
      details: [{ path, message: 'unknown field', code: 'unknown_field' }],
    });
    expect(({} as { a?: number }).a).toBeUndefined();
  });
});

describe('values of the wrong type are 400 invalid_request with their location', () => {
  test.each([
    ['{}', '/body/plan_json', 'required'],
    ['[]', '/body', 'type'],
    ['"x"', '/body', 'type'],
    ['null', '/body', 'type'],
    ['{"plan_json":{}}', '/body/plan_json', 'type'],
    ['{"plan_json":7}', '/body/plan_json', 'type'],
    ['{"plan_json":""}', '/body/plan_json', 'minLength'],
    ['{"plan_json":"x","ci":null}', '/body/ci', 'type'],
    ['{"plan_json":"x","ci":{"pr_number":"7"}}', '/body/ci/pr_number', 'type'],
    ['{"plan_json":"x","ci":{"pr_number":1.5}}', '/body/ci/pr_number', 'type'],
    ['{"plan_json":"x","ci":{"pr_number":0}}', '/body/ci/pr_number', 'minimum'],
    ['{"plan_json":"x","ci":{"pr_number":-1}}', '/body/ci/pr_number', 'minimum'],
    ['{"plan_json":"x","ci":{"pr_number":2147483648}}', '/body/ci/pr_number', 'maximum'],
    ['{"plan_json":"x","ci":{"pr_number":9007199254740993}}', '/body/ci/pr_number', 'number'],
    ['{"plan_json":"x","ci":{"pr_number":1e308}}', '/body/ci/pr_number', 'number'],
    ['{"plan_json":"x","ci":{"pr_number":1e400}}', '/body/ci/pr_number', 'number'],
    ['{"plan_json":"x","ci":{"branch":"a\\u0000b"}}', '/body/ci/branch', 'text'],
    ['{"plan_json":"x","ci":{"branch":"\\ud800"}}', '/body/ci/branch', 'text'],
    ['{"plan_json":"x","ci":{"branch":"a\\nb"}}', '/body/ci/branch', 'pattern'],
    [`{"plan_json":"x","ci":{"branch":"${'b'.repeat(501)}"}}`, '/body/ci/branch', 'maxLength'],
    ['{"plan_json":"x","ci":{"repo_url":"javascript:alert(1)"}}', '/body/ci/repo_url', 'pattern'],
  ])('%#: %.60s', async (body, path, code) => {
    const { status, json } = await analyze(body);

    expect([status, json.error_class]).toEqual([400, 'invalid_request']);
    expect(json.details[0]).toMatchObject({ path, code });
  });

  test('a field name that cannot be stored is not echoed', async () => {
    const { json } = await analyze('{"plan_json":"x","ci":{"repo_name":{"\\ud800":1e300,"\\u0000":1e300}}}');

    expect(json.details.map(({ path }: { path: string }) => path)).toEqual(Array(2).fill('/body/ci/repo_name/\ufffd'));
  });

  test('all invalid fields are reported at once', async () => {
    const { json } = await http.send('POST', ORGS, {
      headers: bearer('owner'),
      json: { display_name: ' \t ', slug: 'Not A Slug' },
    });

    expect(json.details.map(({ path }: { path: string }) => path)).toEqual(['/body/display_name', '/body/slug']);
    expect(json.error).toBe(`invalid request body: display_name ${json.details[0].message}`);
  });

  test('NUL and unpaired surrogates inside plan_json are accepted by the HTTP layer', async () => {
    const answer = await analyze('{"plan_json":"\\u0000 \\ud800"}');

    expect(answer.status).toBe(202);
  });
});

describe('body size', () => {
  test('a body of 5,242,880 bytes is accepted', async () => {
    expect((await analyze(buildBody(LIMIT))).status).toBe(202);
  });

  test.each([
    ['announced', false],
    ['in chunks', true],
  ])('one byte more, %s, is 413', async (_name, chunked) => {
    const { status, json } = await analyze(buildBody(LIMIT + 1), {}, chunked);

    expect([status, json.error_class]).toEqual([413, 'payload_too_large']);
    expect(json.error).toMatch(/^request body is larger than 5242880 bytes: drop prior_state/);
  });

  test('other operations have a limit of 1 MiB', async () => {
    const send = (bytes: number) => http.send('POST', ORGS, { headers: bearer('owner'), body: ' '.repeat(bytes) });

    expect((await send(1024 * 1024)).status).toBe(400);
    expect((await send(1024 * 1024 + 1)).status).toBe(413);
  });

  test('a content length above the limit is rejected without waiting for the body', async () => {
    const head = `POST ${ANALYZE} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 6000000000\r\n\r\n`;
    const socketText = await http.raw(head);

    expect(socketText).toMatch(/^HTTP\/1\.1 413 /);
  });

  test('a client that keeps sending after the rejection is disconnected', async () => {
    const sent = http.send('POST', ANALYZE, { body: Buffer.alloc(64 * 1024 * 1024, 'x'), chunked: true });

    const outcome = await sent.then(({ status }) => status).catch((error: Error) => error.message);
    expect([401, 'read ECONNRESET', 'write EPIPE', 'write ECONNRESET']).toContain(outcome);
  });
});

describe('compression', () => {
  const gzip = { 'content-encoding': 'gzip' };

  test('a gzip body is read', async () => {
    expect((await analyze(gzipSync('{"plan_json":"x"}'), gzip)).status).toBe(202);
  });

  test('the limit applies to the decompressed size: a bomb of 1 GiB gets 413 quickly', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    const members = Buffer.concat(Array.from({ length: 16 }, () => bomb));
    const before = process.memoryUsage().arrayBuffers;

    const { status } = await analyze(members, gzip);

    expect(status).toBe(413);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024);
  });

  test('a body of exactly the limit after decompression is accepted', async () => {
    expect((await analyze(gzipSync(buildBody(LIMIT)), gzip)).status).toBe(202);
    expect((await analyze(gzipSync(buildBody(LIMIT + 1)), gzip)).status).toBe(413);
  });

  test.each([
    ['data that is not gzip', Buffer.from('{"plan_json":"x"}')],
    ['truncated gzip', gzipSync('{"plan_json":"x"}').subarray(0, -9)],
  ])('%s is 400', async (_name, body) => {
    const { status, json } = await analyze(body, gzip);

    expect([status, json.error]).toEqual([400, 'the body is not valid gzip']);
  });

  test.each(['br', 'zstd', 'deflate', 'gzip, gzip', 'compress'])('%s is 415', async (encoding) => {
    expect((await analyze('{"plan_json":"x"}', { 'content-encoding': encoding })).status).toBe(415);
  });
});

describe('content types', () => {
  test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON ; charset="UTF-8"'])(
    '%s is accepted',
    async (type) => {
      expect((await analyze('{"plan_json":"x"}', { 'content-type': type })).status).toBe(202);
    },
  );

  test.each([
    'text/plain',
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
    'application/json; v=1',
    'application/vnd.api+json',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    'json',
    ' ',
  ])('%j is 415', async (type) => {
    const { status, json } = await analyze('{"plan_json":"x"}', { 'content-type': type });

    expect([status, json.error_class]).toEqual([415, 'unsupported_media_type']);
  });

  test('a body is not read on an operation that takes none', async () => {
    const headers = { ...bearer('owner'), 'content-type': 'text/plain' };

    expect((await http.send('GET', `${API}/me`, { headers, body: 'anything' })).status).toBe(200);
  });
});

test('a client that sends Expect: 100-continue gets it only if its body will be read', async () => {
  const head = (token: string) =>
    `POST ${ORGS} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n` +
    'Expect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n';

  const unknown = await http.raw(head('nobody'));
  const known = await http.raw(`${head('owner')}{}`);

  expect(unknown).toMatch(/^HTTP\/1\.1 401 /);
  expect(known).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 /);
});

describe('invalid HTTP', () => {
  test.each([
    ['garbage', 'hello\r\n\r\n', 400],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx', 400],
    [
      'length beside chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['headers of 64 KiB', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(65_536)}\r\n\r\n`, 431],
  ])('%s', async (_name, bytes, status) => {
    const text = await http.raw(bytes);

    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(JSON.parse(text.split('\r\n\r\n')[1]!)).toMatchObject({
      error_class: 'invalid_request',
      request_id: expect.any(String),
    });
  });
});

describe('invalid HTTP on a reused connection', () => {
  const good = `GET ${API}/docs HTTP/1.1\r\nHost: x\r\n\r\n`;
  const both = `POST ${API}/orgs HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`;

  test('invalid HTTP is answered after the response to the previous request', async () => {
    const text = await http.raw(good + both);

    expect(text.match(/^HTTP\/1.1 \d+/gm)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
    expect(text).toMatch(/"error_class":"invalid_request"/);
  });

  test('invalid HTTP is answered if the previous request was answered long ago', async () => {
    const socket = connect(Number(new URL(http.url).port)).setEncoding('utf8');
    let text = '';
    socket.on('data', (chunk: string) => {
      if (!text.includes('</html>') && (text + chunk).includes('</html>')) socket.write(both);
      text += chunk;
    });
    socket.write(good);
    await once(socket, 'close');

    expect(text.match(/^HTTP\/1.1 \d+/gm)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
  });

  test('invalid HTTP is rejected without a connection reset, which would lose the response for a client that is still sending', async () => {
    const socket = connect(Number(new URL(http.url).port)).setEncoding('utf8');
    const closed = once(socket, 'close').then(() => 'cut off');
    const answered = once(socket, 'data');
    for (const piece of [both, '1\r\n', 'x\r\n']) {
      const seen = once(http.server, 'clientError').then(() => 'read');
      socket.write(piece);
      expect(await Promise.race([seen, closed])).toBe('read');
    }

    expect(String(await answered)).toMatch(/^HTTP\/1.1 400 /);
    socket.end();
    await closed;
  });

  test('invalid HTTP inside a body ends the request of that body', async () => {
    const head = `POST ${API}/orgs HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n`;
    const auth = 'Authorization: Bearer owner\r\nContent-Type: application/json\r\n\r\n';

    const text = await http.raw(`${good}${head}${auth}zz\r\n`);

    expect(text.match(/^HTTP\/1.1 \d+/gm)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
  });
});
