import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createEgress, createGuardedFetch } from '../../../server/adapters/egress/index.ts';
import { REFUSED } from './corpus.ts';

const LISTED = [
  'gitlab.corp.internal',
  'hooks.corp.internal:9000',
  'GITLAB2.corp.internal',
  '10.1.2.3',
  '[fd12::3]:8080',
  '169.254.169.254',
  '[fd00:ec2::254]',
  '100.100.100.200',
  'metadata.google.internal',
  '[::ffff:10.1.2.3]',
];

describe('hosts that the operator allows', () => {
  const egress = createEgress({ allowed_hosts: LISTED });
  const refusal = (url: string): string => {
    try {
      egress.assertPublicUrl(url, 'url');
      return 'allowed';
    } catch (error) {
      return String((error as Error).message);
    }
  };

  test.each([
    'https://gitlab.corp.internal',
    'http://gitlab.corp.internal/group/x?y#z',
    'https://gitlab.corp.internal:8443/',
    'http://gitlab.corp.internal:443/',
    'https://gitlab2.corp.internal/',
    'http://hooks.corp.internal:9000/hook',
    'https://10.1.2.3',
    'http://[fd12:0::3]:8080/',
    'https://example.com/',
  ])('%s can be saved', (url) => {
    expect(refusal(url)).toBe('allowed');
  });

  test.each([
    'https://hooks.corp.internal/',
    'http://hooks.corp.internal:9001/',
    'http://gitlab.corp.internal:9000/',
    'https://a.gitlab.corp.internal/',
    'https://corp.internal/',
    'https://gitlab.corp.internal.',
    'https://ana@gitlab.corp.internal/',
    'ftp://gitlab.corp.internal/',
    'http://example.com/',
    'http://10.1.2.4/',
    'http://[fd12::3]/',
    'http://[::ffff:10.1.2.3]/',
  ])('%s cannot be saved', (url) => {
    expect(refusal(url)).toMatch(/^url must /);
  });

  test.each([
    'http://169.254.169.254/latest/',
    'http://[fd00:ec2::254]/',
    'http://100.100.100.200/',
    'http://metadata.google.internal/',
  ])('%s is rejected although it is listed', (url) => {
    expect(refusal(url)).toMatch(/^url must /);
  });

  test('no other host is allowed', () => {
    expect(REFUSED.filter((url) => !/10\.1\.2\.3/.test(url) && refusal(url) === 'allowed')).toEqual([]);
  });
});

describe('requests to allowed hosts', () => {
  let server: Server;
  let port = 0;
  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === '/moved') response.writeHead(302, { location: '/elsewhere' }).end();
      else response.end(JSON.stringify({ host: request.headers.host, url: request.url }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const resolve = async (name: string) => (name.startsWith('bad.') ? ['127.0.0.1', '169.254.169.254'] : ['127.0.0.1']);
  const options = () => ({ allowed_hosts: [`gitlab.lan:${port}`, `bad.lan:${port}`], resolve });
  const get = (signal = AbortSignal.timeout(2_000)) => ({ method: 'GET', headers: {}, signal });

  test('a request reaches an allowed host at a private address over http, under its name', async () => {
    const url = `http://gitlab.lan:${port}/x`;
    const answer = { host: `gitlab.lan:${port}`, url: '/x' };

    expect(await createEgress(options()).getJson(url)).toEqual(answer);
    expect(await (await createGuardedFetch(options())(url, get())).json()).toEqual(answer);
  });

  test('a request does not follow redirects', async () => {
    expect((await createGuardedFetch(options())(`http://gitlab.lan:${port}/moved`, get())).status).toBe(302);
  });

  test('a request reaches no other name, and no allowed name that resolves to a cloud credential address', async () => {
    const guarded = createGuardedFetch(options());
    const refused = { name: 'EgressError', reason: 'refused' };

    await expect(guarded(`http://other.lan:${port}/`, get())).rejects.toMatchObject(refused);
    await expect(guarded(`https://other.example.com/`, get())).rejects.toMatchObject(refused);
    await expect(guarded(`http://bad.lan:${port}/`, get())).rejects.toMatchObject(refused);
  });
});
