import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, dirname } from 'node:path';

/** The argument parser imports it for commands in separate executables, which dpa does not have. */
const UNUSED = 'node:child_process';

/** ES modules have no `require`, but CommonJS packages call it to load modules of Node. */
export function createBuiltinsPlugin() {
  return {
    name: 'builtins-of-commonjs',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^[a-z_:/]+$/ }, ({ path, kind }) =>
        kind === 'require-call' && isBuiltin(path) ? { path, namespace: 'builtin' } : undefined,
      );
      onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
        contents: path === UNUSED ? '' : `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
      }));
    },
  };
}

/**
 * Puts the data of the engine into one JSON file: V8 reads it in half the time that it needs for the same data as program
 * text. The file is ASCII, so that V8 stores it with one byte per character.
 */
export function createTablesPlugin() {
  const tables = {};
  const plugin = {
    name: 'tables',
    setup({ onResolve, onLoad }) {
      onLoad({ filter: /\/engine\/.*\.json$/ }, ({ path }) => {
        const name = `${basename(dirname(path))}/${basename(path)}`;
        if (Object.hasOwn(tables, name)) throw new Error(`two tables are called ${name}`);
        tables[name] = JSON.parse(readFileSync(path, 'utf8'));
        return {
          contents: `import tables from 'tables'; export default tables[${JSON.stringify(name)}];`,
          loader: 'js',
        };
      });
      onResolve({ filter: /^tables$/ }, () => ({ path: 'tables', namespace: 'tables' }));
      onLoad({ filter: /.*/, namespace: 'tables' }, () => ({
        contents:
          "import { readFileSync } from 'node:fs';" +
          "export default JSON.parse(readFileSync(new URL('tables.json', import.meta.url), 'latin1'));",
      }));
    },
  };
  const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return {
    plugin,
    text: () => JSON.stringify(Object.fromEntries(Object.entries(tables).sort())).replace(/[^\n\x20-\x7e]/g, escaped),
  };
}
