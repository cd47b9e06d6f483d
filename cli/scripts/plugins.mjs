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

/** A table with more members is read at once. */
const MOST_MEMBERS = 10;

/** Part of the bundle: reads single tables of the file that `createTablesPlugin` writes. */
const TABLES_READER = `
import { readFileSync } from 'node:fs';
const bytes = readFileSync(new URL('tables.txt', import.meta.url));
const start = bytes.indexOf('\\n') + 1;
const places = JSON.parse(bytes.latin1Slice(0, start));
export function readTable(name) {
  const [from, to] = places[name];
  return JSON.parse(bytes.latin1Slice(start + from, start + to));
}
export function openTable(name, members) {
  let table;
  const read = (member) => (table ??= readTable(name))[member];
  const properties = members.map((member) => [member, { enumerable: true, get: () => read(member) }]);
  return Object.defineProperties({}, Object.fromEntries(properties));
}`;

/**
 * Puts the data of the engine into one file: V8 reads JSON in half the time that it needs for the same data as program
 * text, and a table of few members only when one of them is read. The first line has the places of the tables. The file
 * is ASCII, so that V8 stores it with one byte per character.
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
        return { contents: importTable(name, tables[name]), loader: 'js' };
      });
      onResolve({ filter: /^tables$/ }, () => ({ path: 'tables', namespace: 'tables' }));
      onLoad({ filter: /.*/, namespace: 'tables' }, () => ({ contents: TABLES_READER }));
    },
  };
  return { plugin, text: () => joinTables(tables) };
}

function importTable(name, table) {
  const members = Array.isArray(table) ? [] : Object.keys(table);
  const is_lazy = members.length > 0 && members.length <= MOST_MEMBERS;
  return is_lazy
    ? `import { openTable } from 'tables'; export default openTable(${JSON.stringify(name)}, ${JSON.stringify(members)});`
    : `import { readTable } from 'tables'; export default readTable(${JSON.stringify(name)});`;
}

function joinTables(tables) {
  const places = {};
  let text = '';
  for (const name of Object.keys(tables).sort()) {
    const from = text.length;
    text += JSON.stringify(tables[name]).replace(/[^\n\x20-\x7e]/g, escapeCharacter);
    places[name] = [from, text.length];
  }
  return `${JSON.stringify(places)}\n${text}`;
}

function escapeCharacter(character) {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
