import assert from 'node:assert/strict';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Installed } from './install.ts';
import { runOrThrow } from './run.ts';
import type { Service } from './service.ts';

/**
 * Compiles one program as an ES module and as CommonJS against the installed SDK, and runs both.
 *
 * @returns an organization
 */
export async function checkClient({ folder }: Installed, { url, token }: Service): Promise<{ org_id: string }> {
  await compileConsumers(folder);
  const env = { DPA_URL: url, DPA_TOKEN: token };
  const [first] = [
    await runConsumer(folder, 'consumer.mjs', { ...env, SLUG: 'module' }),
    await runConsumer(folder, 'consumer.cjs', { ...env, SLUG: 'commonjs' }),
  ];
  console.log('@dpa/sdk: import, require and types work');
  return first;
}

async function compileConsumers(folder: string): Promise<void> {
  for (const name of ['consumer.mts', 'consumer.cts'])
    await copyFile('checks/packages/consumer.ts', join(folder, name));
  const compilerOptions = {
    module: 'NodeNext',
    target: 'ES2022',
    lib: ['ES2022', 'DOM', 'DOM.AsyncIterable'],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['consumer.*'] }));
  const compiler = join(process.cwd(), 'node_modules/typescript/bin/tsc');
  await runOrThrow([process.execPath, compiler, '-p', '.'], { cwd: folder });
}

async function runConsumer(folder: string, program: string, env: Record<string, string>): Promise<{ org_id: string }> {
  const { org_id, ...output } = JSON.parse(await runOrThrow([process.execPath, program], { cwd: folder, env }));
  assert.deepEqual(output, { risk_level: 'critical', refused_with: 409 });
  return { org_id };
}
