/** Copies the declarations for `require`: the package.json next to a `.d.ts` file determines its module format. */
import { cpSync, writeFileSync } from 'node:fs';

const dist = new URL('../dist/', import.meta.url);

cpSync(new URL('esm/', dist), new URL('cjs/', dist), {
  recursive: true,
  filter: (path) => !path.endsWith('.js'),
});
writeFileSync(new URL('cjs/package.json', dist), '{ "type": "commonjs" }\n');
