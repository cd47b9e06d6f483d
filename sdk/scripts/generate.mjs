/**
 * Generates `src/generated/` from openapi.yaml and from the types that `npm run generate` has created: the types, and a
 * table with the facts that the client needs about each operation at runtime.
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

writeFileSync(
  new URL('resources.ts', out),
  `// Generated from openapi.yaml by \`npm run generate\`.
import type { Method } from '../methods.ts';

/** The operations of the contract as methods of resources; \`x-sdk\` in openapi.yaml contains their names. */
export interface Resources {
${Object.entries(resources())
  .map(([name, methods]) => `  readonly ${name}: {\n${Object.values(methods).map(declare).join('\n')}\n  };`)
  .join('\n')}
}
export const RESOURCES = ${JSON.stringify(resources(), (key, value) => (key === '' || value.operation === undefined ? value : value.operation), 2)} as const;
`,
);

/** All operations with method and path. */
function allOperations() {
  return Object.entries(api.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method] !== undefined).map((method) => ({ method, path, ...item[method] })),
  );
}

function operations() {
  return Object.fromEntries(allOperations().map((operation) => [operation.operationId, describe(operation)]));
}

/** `{ orgs: { get: { operation, … } } }` from `x-sdk: orgs.get`. */
function resources() {
  const found = {};
  for (const { operationId, 'x-sdk': name, method, path, summary } of allOperations()) {
    const [resource, called, ...more] = name?.split('.') ?? [];
    if (called === undefined || more.length > 0) throw new Error(`${operationId} needs x-sdk: <resource>.<method>`);
    found[resource] ??= {};
    if (found[resource][called] !== undefined) throw new Error(`two operations have x-sdk: ${name}`);
    found[resource][called] = { operation: operationId, called, method, path, summary };
  }
  return found;
}

function declare({ operation, called, method, path, summary }) {
  return `    /** ${summary}: \`${method.toUpperCase()} ${path}\`, operation \`${operation}\`. */\n    ${called}: Method<'${operation}'>;`;
}

function describe({ method, path, ...operation }) {
  const parameters = (operation.parameters ?? []).map(resolve);
  const pages = parameters.filter((one) => one.in === 'query' && ['limit', 'offset'].includes(one.name));
  return {
    method: method.toUpperCase(),
    path,
    ...(parameters.some(({ name }) => name === 'Idempotency-Key') ? { takes_key: true } : {}),
    ...(operation['x-access']?.credential === 'none' ? { is_public: true } : {}),
    ...(pages.length === 2 ? { is_list: true } : {}),
    ...(answersText(operation) ? { answers_text: true } : {}),
  };
}

function answersText({ responses }) {
  const types = Object.entries(responses).flatMap(([status, { content }]) =>
    status.startsWith('2') ? Object.keys(content ?? {}) : [],
  );
  return types.length > 0 && !types.includes('application/json');
}

function resolve(entry) {
  return entry.$ref === undefined ? entry : api.components.parameters[entry.$ref.split('/').at(-1)];
}
