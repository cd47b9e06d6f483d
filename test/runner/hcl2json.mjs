import { createRequire } from 'node:module';

/**
 * The package's code for the types in test/types/hcl2json.d.ts; imported by its file, because its name resolves here.
 */
export const { parse } = createRequire(import.meta.url)('@cdktf/hcl2json/lib/index.js');
