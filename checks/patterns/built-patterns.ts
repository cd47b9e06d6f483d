import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { Pattern } from './source-patterns.ts';

/** The noise catalog compiles the patterns of a type when a plan contains the type; this compiles all of them. */
const COMPILE_CATALOG = `
import { NOISE_RULES, findNoiseRules } from './engine/noise-catalog/index.ts';
for (const { provider, resource_types } of NOISE_RULES)
  for (const type of resource_types) findNoiseRules(type === '*' ? provider + '_*' : type);
`;
const STACK_FRAME = /\/((?:engine|server|bot|cli)\/[\w./-]{1,300}\.ts):(\d{1,6}):/;

/**
 * The regular expressions that modules build when they load, and those of the noise catalog: bundles and runs the
 * modules with a `RegExp` that records its callers.
 *
 * @param files paths from the root, of modules without side effects
 */
export async function recordBuiltPatterns(root: string, files: readonly string[]): Promise<Pattern[]> {
  const outfile = join(root, 'dist/checks/loaded.mjs');
  await build({
    stdin: { contents: `${files.map((file) => `import './${file}';`).join('\n')}${COMPILE_CATALOG}`, resolveDir: root },
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    sourcemap: 'inline',
    treeShaking: false,
    ignoreAnnotations: true, // package.json says that modules of the engine can be left out
    logLevel: 'error',
    outfile,
  });
  const recorded: Pattern[] = [];
  const restore = replaceRegExp((source, flags) => {
    const location = STACK_FRAME.exec(new Error().stack ?? '');
    if (location !== null) recorded.push({ file: location[1] as string, line: Number(location[2]), source, flags });
  });
  try {
    process.setSourceMapsEnabled(true);
    await import(`${pathToFileURL(outfile).href}?${process.hrtime.bigint()}`);
  } finally {
    restore();
  }
  return recorded;
}

function replaceRegExp(record: (source: string, flags: string) => void): () => void {
  const original = globalThis.RegExp;
  const construct = (pattern: RegExp | string, flags?: string): RegExp => {
    const built = new original(pattern, flags);
    record(built.source, built.flags);
    return built;
  };
  globalThis.RegExp = new Proxy(original, {
    construct: (_target, [pattern, flags]) => construct(pattern, flags),
    apply: (_target, _this, [pattern, flags]) => construct(pattern, flags),
  });
  return () => {
    globalThis.RegExp = original;
  };
}
