import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { fetchPackage } from '../effects/archive.ts';
import { PROVIDERS } from '../effects/providers.ts';
import { readSets } from './read-sets.ts';

const DATA = fileURLToPath(new URL('../../engine/equivalence/schema-sets.json', import.meta.url));
/** Providers of which dpa knows sets, but not what each argument does. */
const OTHERS = [
  ['boundary', '10.1.2'],
  ['consul', '10.1.2'],
  ['hcp', '10.5.1'],
  ['launchdarkly', '5.1.1'],
  ['nomad', '10.0.3'],
  ['vsphere', '11.2.1'],
].map(([name, version]) => ({ name: name!, terraform: [`@cdktf/provider-${name}@${version}`] }));

const { values } = parseArgs({ options: { cache: { type: 'string' } } });
if (values.cache === undefined) throw new Error('Pass --cache FOLDER: downloaded packages are kept there.');
mkdirSync(values.cache, { recursive: true });

const tables: Record<string, string> = {};
for (const { name, terraform } of [...PROVIDERS, ...OTHERS]) {
  // The sets of AWS have their own, reviewed list.
  const package_name = name === 'aws' ? undefined : terraform[0];
  if (package_name === undefined) continue;
  const sets = readSets(fetchPackage(package_name, values.cache, ['*.js']));
  if (sets.size === 0) continue;
  tables[name] = formatTable(sets, `${name}_`);
  console.log(`${name}: ${sets.size} types, ${[...sets.values()].flat().length} sets`);
}
writeFileSync(DATA, `${JSON.stringify(tables, null, 2)}\n`);

/** `type type:path path;…`: types with the same sets together, without the prefix of the provider. */
function formatTable(sets: ReadonlyMap<string, string[]>, prefix: string): string {
  const groups = new Map<string, string[]>();
  for (const [type, paths] of sets) {
    const key = paths.join(' ');
    groups.set(key, [...(groups.get(key) ?? []), type.slice(prefix.length)]);
  }
  return [...groups].map(([paths, types]) => `${types.join(' ')}:${paths}`).join(';');
}
