/** `require` gets the same declarations in a folder of its own: what a `.d.ts` is depends on the package around it. */
import { cpSync, writeFileSync } from 'node:fs';

const dist = new URL('../dist/', import.meta.url);

cpSync(new URL('esm/', dist), new URL('cjs/', dist), {
  recursive: true,
  filter: (path) => !path.endsWith('.js'),
});
writeFileSync(new URL('cjs/package.json', dist), '{ "type": "commonjs" }\n');
