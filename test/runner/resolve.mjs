import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const GLOBALS = new URL('./globals.mjs', import.meta.url).href;
/** tsconfig.json maps it to types of our own, which hold no code. */
const TYPED_BY_US = '@cdktf/hcl2json';

/** `@jest/globals` throws outside of Jest's own loader. */
export function resolve(specifier, context, next) {
  if (specifier === '@jest/globals') return { url: GLOBALS, shortCircuit: true };
  if (specifier !== TYPED_BY_US) return next(specifier, context);
  const path = createRequire(import.meta.url).resolve(specifier);
  return { url: pathToFileURL(path).href, shortCircuit: true };
}
