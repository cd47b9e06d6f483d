import { Writable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { currentRequestId, withRequestId } from '../../server/lib/request-context.ts';
import { createLogger } from '../../server/log.ts';

function logged(write: (log: ReturnType<typeof createLogger>) => void): Record<string, unknown>[] {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  write(createLogger({ log_level: 'info' }, sink));
  return lines.map((line) => JSON.parse(line));
}

test('a line is JSON with a textual level and an RFC 3339 time', () => {
  const [line] = logged((log) => log.warn({ attempt: 2 }, 'again'));

  expect(line).toEqual({ level: 'warn', time: expect.stringMatching(/^\d{4}-.*T.*Z$/), attempt: 2, msg: 'again' });
});

test('lines below the level are not written', () => {
  expect(logged((log) => log.debug('detail'))).toEqual([]);
});

test.each([
  ['a header', { req: { headers: { authorization: 'Bearer CANARY', 'x-api-key': 'CANARY', cookie: 'CANARY' } } }],
  ['a body', { body: { plan_json: 'CANARY' } }],
  ['a field', { password: 'CANARY', token: 'CANARY', connectionString: 'postgres://u:CANARY@h/d' }],
  ['an error that contains its request', { err: Object.assign(new Error('no'), { config: { api_key: 'CANARY' } }) }],
])('a secret in %s is not written', (_where, fields) => {
  const text = JSON.stringify(logged((log) => log.info(fields, 'message')));

  expect(text).not.toContain('CANARY');
  expect(text).toContain('[redacted]');
});

test('line breaks in caller input stay inside one line', () => {
  expect(logged((log) => log.info({ path: '/a\n{"level":"fatal"}' }, 'request'))).toHaveLength(1);
});

test('a line written during a request has its request id, unless it sets another', async () => {
  const lines = logged((log) => {
    withRequestId('request-1', () => {
      log.info('in a request');
      log.info({ request_id: 'request-2' }, 'of another');
    });
    log.info('in none');
  });

  expect(lines.map(({ request_id }) => request_id)).toEqual(['request-1', 'request-2', undefined]);
});

test('work that a request starts keeps its request id', async () => {
  const seen = await withRequestId('request-1', async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return currentRequestId();
  });

  expect([seen, currentRequestId()]).toEqual(['request-1', undefined]);
});
