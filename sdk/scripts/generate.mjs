/**
 * Makes `src/generated/` from openapi.yaml and the types which `npm run generate` has just made of it: the types
 * themselves, and what a client must know of each operation while it runs.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const root = new URL('../../', import.meta.url);
const out = new URL('../src/generated/', import.meta.url);

const api = parse(readFileSync(new URL('openapi.yaml', root), 'utf8'));
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

mkdirSync(out, { recursive: true });
copyFileSync(new URL('server/contract/openapi.d.ts', root), new URL('openapi.ts', out));
writeFileSync(
  new URL('operations.ts', out),
  `// Generated from openapi.yaml by \`npm run generate\`.
export const VERSION = ${JSON.stringify(version)};
export const BASE_PATH = ${JSON.stringify(api.servers[0].url)};
export const OPERATIONS = ${JSON.stringify(operations(), null, 2)} as const;
export type ErrorClass = ${api.components.schemas.ErrorClass['x-extensible-enum'].map((name) => `'${name}'`).join(' | ')};
`,
);

function operations() {
  const entries = Object.entries(api.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method] !== undefined).map((method) => {
      const operation = item[method];
      return [operation.operationId, describe(method, path, operation)];
    }),
  );
  return Object.fromEntries(entries);
}

function describe(method, path, operation) {
  const parameters = (operation.parameters ?? []).map(resolve);
  return {
    method: method.toUpperCase(),
    path,
    ...(parameters.some(({ name }) => name === 'Idempotency-Key') ? { takes_key: true } : {}),
    ...(operation['x-access']?.credential === 'none' ? { is_public: true } : {}),
  };
}

function resolve(entry) {
  return entry.$ref === undefined ? entry : api.components.parameters[entry.$ref.split('/').at(-1)];
}
