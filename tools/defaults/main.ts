/** `npm run defaults -- --cache FOLDER`: compiles the defaults of arguments from the documentation of the providers. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { JsonValue } from '../../engine/model/result.ts';
import { PROVIDERS } from '../effects/providers.ts';
import { readProvider } from '../effects/sources/index.ts';
import { readDefaults } from './read-defaults.ts';

const DATA = fileURLToPath(new URL('../../engine/equivalence/schema-defaults.json', import.meta.url));
/** Widgets of dashboards have thousands of arguments, and no effect. */
const LEFT_OUT = /(?:^|\.)widget\./;

const { values } = parseArgs({ options: { cache: { type: 'string' } } });
if (values.cache === undefined) throw new Error('Pass --cache FOLDER: downloaded packages are kept there.');
mkdirSync(values.cache, { recursive: true });

const tables: Record<string, string> = {};
for (const provider of PROVIDERS) {
  if (provider.documentation === undefined) continue;
  const { schema } = readProvider(provider, values.cache);
  const types = [...schema].flatMap(([type, block]) =>
    formatType(type.slice(provider.prefix.length), readDefaults(block)),
  );
  tables[provider.name] = types.sort().join(';');
  console.log(`${provider.name}: ${types.length} types`);
}
writeFileSync(DATA, `${JSON.stringify(tables, null, 2)}\n`);

/** `type:path=value path=value`; texts have a quotation mark in front. */
function formatType(type: string, defaults: ReadonlyMap<string, JsonValue>): string[] {
  const kept = [...defaults].filter(([path]) => !LEFT_OUT.test(path));
  if (kept.length === 0) return [];
  const pairs = kept.map(([path, value]) => `${path}=${typeof value === 'string' ? `'${value}` : String(value)}`);
  return [`${type}:${pairs.sort().join(' ')}`];
}
