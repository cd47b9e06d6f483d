/**
 * Bundles the command into `dist/`, which is published and includes the packages that it uses. The commands that need the
 * service go to `dist/service/` and load their packages from the node_modules of the repository.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { createBuiltinsPlugin, createTablesPlugin } from './plugins.mjs';
import { thirdPartyNotices } from './third-party-notices.mjs';

const folder = fileURLToPath(new URL('..', import.meta.url));
const common = {
  absWorkingDir: folder,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
};
const tables = createTablesPlugin();

rmSync(`${folder}/dist`, { recursive: true, force: true });
const { metafile } = await build({
  ...common,
  entryPoints: ['src/main.ts'],
  outdir: 'dist',
  minify: true,
  legalComments: 'none',
  metafile: true,
  plugins: [createBuiltinsPlugin(), tables.plugin],
});
writeFileSync(`${folder}/dist/tables.txt`, tables.text());
writeFileSync(`${folder}/dist/THIRD-PARTY-NOTICES.txt`, thirdPartyNotices(folder, Object.keys(metafile.inputs)));
await build({ ...common, entryPoints: ['src/service/*.ts'], outdir: 'dist/service', packages: 'external' });
