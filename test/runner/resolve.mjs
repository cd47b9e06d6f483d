const OURS = {
  // The package throws outside of Jest's own loader.
  '@jest/globals': new URL('./globals.mjs', import.meta.url).href,
  // tsconfig.json maps it to local types, which contain no code.
  '@cdktf/hcl2json': new URL('./hcl2json.mjs', import.meta.url).href,
};

export function resolve(specifier, context, next) {
  const url = OURS[specifier];
  return url === undefined ? next(specifier, context) : { url, shortCircuit: true };
}
