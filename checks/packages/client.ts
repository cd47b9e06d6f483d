import assert from 'node:assert/strict';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Installed } from './install.ts';
import { succeed } from './run.ts';
import type { Service } from './service.ts';

/** Compiles one program as a module and as CommonJS against the installed SDK, and runs both. @returns an organization */
export async function checkClient({ folder }: Installed, { url, token }: Service): Promise<{ org_id: string }> {
  await compile(folder);
  const env = { DPA_URL: url, DPA_TOKEN: token };
  const [first] = [
    await consume(folder, 'consumer.mjs', { ...env, SLUG: 'module' }),
    await consume(folder, 'consumer.cjs', { ...env, SLUG: 'commonjs' }),
  ];
  console.log('@dpa/sdk: import, require and types work');
  return first;
}

async function compile(folder: string): Promise<void> {
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
  await succeed([process.execPath, compiler, '-p', '.'], { cwd: folder });
}

async function consume(folder: string, program: string, env: Record<string, string>): Promise<{ org_id: string }> {
  const { org_id, ...told } = JSON.parse(await succeed([process.execPath, program], { cwd: folder, env }));
  assert.deepEqual(told, { risk_level: 'critical', refused_with: 409 });
  return { org_id };
}
