import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runOrThrow } from './run.ts';

/** A package that was packed and installed by itself, as users install it. */
export interface Installed {
  /** The folder that contains `node_modules`. */
  folder: string;
  /** The folder of the package itself. */
  root: string;
}

/**
 * Packs a workspace, installs the tarball into an empty folder, and checks its dependencies, size and license.
 *
 * @param max_bytes maximum size of node_modules
 */
export async function packAndInstall(
  { workspace, max_bytes }: { workspace: 'cli' | 'sdk'; max_bytes: number },
  scratch: string,
): Promise<Installed> {
  const folder = join(scratch, workspace);
  await mkdir(folder);
  const packed = await runOrThrow(['npm', 'pack', '-w', workspace, '--json', '--pack-destination', scratch], {
    cwd: process.cwd(),
  });
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
  await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
  await runOrThrow(['npm', 'install', '--no-audit', '--no-fund', join(scratch, filename)], { cwd: folder });

  const modules = join(folder, 'node_modules');
  const installed = (await readdir(modules)).filter((name) => !name.startsWith('.'));
  assert.deepEqual(installed, ['@dpa'], 'it has no dependencies');
  assert.deepEqual(await readdir(join(modules, '@dpa')), [workspace]);
  const bytes = await measureBytes(modules);
  assert.ok(bytes <= max_bytes, `node_modules has ${bytes} bytes, at most ${max_bytes} are allowed`);
  console.log(`@dpa/${workspace}: ${(bytes / 1e6).toFixed(1)} MB installed (limit ${max_bytes / 1e6} MB)`);

  const root = join(modules, '@dpa', workspace);
  assert.equal(await readFile(join(root, 'LICENSE'), 'utf8'), await readFile('LICENSE', 'utf8'));
  assert.ok((await readdir(root)).includes('README.md'));
  return { folder, root };
}

async function measureBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map((file) => stat(join(file.parentPath, file.name))));
  return sizes.reduce((sum, { size }) => sum + size, 0);
}
