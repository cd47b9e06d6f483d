/**
 * Copies the declarations for `require`: the package.json next to a `.d.ts` file determines its module format. The types of
 * the contract, most of the package's size, are kept once; modules of both formats may take types from a CommonJS file.
 */
import { cpSync, writeFileSync } from 'node:fs';

const dist = new URL('../dist/', import.meta.url);

cpSync(new URL('esm/', dist), new URL('cjs/', dist), {
  recursive: true,
  filter: (path) => !path.endsWith('.js'),
});
writeFileSync(new URL('cjs/package.json', dist), '{ "type": "commonjs" }\n');
writeFileSync(
  new URL('esm/generated/openapi.d.ts', dist),
  "export type { $defs, components, operations, paths, webhooks } from '../../cjs/generated/openapi.js';\n",
);
