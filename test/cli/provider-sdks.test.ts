import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { BUNDLED_PLAN, runCli, startCli } from './run.ts';

const SDK = /node_modules\/(openai|@anthropic-ai\/sdk|@google\/genai|@aws-sdk\/client-(bedrock-runtime|sts))\//;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dpa-sdks-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** The scripts that a process has loaded, from the coverage report that V8 writes at exit. */
async function listLoadedScripts(run: (env: Record<string, string>) => Promise<unknown>): Promise<string[]> {
  const reports = await mkdtemp(join(folder, 'loaded-'));
  await run({ NODE_V8_COVERAGE: reports });
  const texts = await Promise.all((await readdir(reports)).map((name) => readFile(join(reports, name), 'utf8')));
  return texts.flatMap((text) => (JSON.parse(text).result as { url: string }[]).map(({ url }) => url));
}

test('dpa analyze loads no SDK of a model provider', async () => {
  const loaded = await listLoadedScripts((env) => runCli(['analyze', BUNDLED_PLAN], { env }));

  expect(loaded.some((url) => url.includes('/cli/dist/'))).toBe(true);
  expect(loaded.filter((url) => SDK.test(url))).toEqual([]);
});

test('dpa serve loads no SDK of a model provider before the first call, in any role', async () => {
  const loaded = await listLoadedScripts(
    (env) =>
      new Promise((resolve, reject) => {
        const args = ['serve', '--port', '0', '--role', 'all', '--data-dir', join(folder, 'data')];
        const model = { LLM_PLATFORM_PROVIDER: 'openai', LLM_PLATFORM_API_KEY: 'sk-test' };
        const server = startCli(args, { env: { ...env, ...model } });
        const read = (text: Buffer) => String(text).includes('http://127.0.0.1') && server.kill('SIGTERM');
        server.stdout?.on('data', read);
        server.stderr?.on('data', read);
        server.once('error', reject).once('close', resolve);
      }),
  );

  expect(loaded.some((url) => url.includes('/node_modules/express/'))).toBe(true);
  expect(loaded.filter((url) => SDK.test(url))).toEqual([]);
});
