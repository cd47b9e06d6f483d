import { createRequire } from 'node:module';

/** The package's code for what test/types/hcl2json.d.ts declares; by its file, because its name leads here. */
export const { parse } = createRequire(import.meta.url)('@cdktf/hcl2json/lib/index.js');
