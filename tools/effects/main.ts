import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildTable, formatEffect, formatTable, listRows } from './build-table.ts';
import { collectValues, formatValues } from './documented-values.ts';
import { readRows } from './existing.ts';
import { PROVIDERS } from './providers.ts';
import { formatListing, formatProvider, formatTotals } from './report.ts';
import { type Reviewed, readReviewed } from './reviewed.ts';
import { readProvider } from './sources/index.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const DATA = join(HERE, '../../engine/effects/data');
const DOCUMENTED_VALUES = join(HERE, '../../engine/explain/data/documented-values.json');

const { values } = parseArgs({
  options: {
    cache: { type: 'string' },
    provider: { type: 'string' },
    list: { type: 'string' },
    correct: { type: 'boolean' },
  },
});
if (values.correct) correctTables();
else buildTables(values.cache);

/** Applies the corrections to the tables as they are, for which no package is needed. */
function correctTables(): void {
  for (const { name, prefix } of PROVIDERS) {
    if (values.provider !== undefined && values.provider !== name) continue;
    const file = join(DATA, `${name}.json`);
    const rows = readRows(file, prefix, readCorrections(name));
    const changed = rows.filter(({ rule, final }) => formatEffect(rule) !== formatEffect(final)).length;
    writeFileSync(file, formatTable(buildTable(rows, prefix)));
    console.log(`${name}: ${rows.length} arguments, ${changed} corrected`);
  }
}

function readCorrections(name: string): Reviewed {
  return readReviewed(join(HERE, 'reviewed', 'all.txt'), join(HERE, 'reviewed', `${name}.txt`));
}

function buildTables(cache: string | undefined): void {
  if (cache === undefined) throw new Error('Pass --cache FOLDER: downloaded packages are kept there.');
  mkdirSync(cache, { recursive: true });
  const all = [];
  const documented = new Set<string>();
  for (const provider of PROVIDERS) {
    if (values.provider !== undefined && values.provider !== provider.name) continue;
    const source = readProvider(provider, cache);
    const reviewed = readCorrections(provider.name);
    const rows = listRows(source.schema, reviewed);
    if (values.list !== undefined) console.log(formatListing(rows, values.list.split(',')));
    else {
      const table = buildTable(rows, provider.prefix);
      writeFileSync(join(DATA, `${provider.name}.json`), formatTable(table));
      collectValues(source.schema, documented);
      console.log(formatProvider(provider.name, source, rows, reviewed));
      all.push(...rows);
    }
  }
  if (all.length === 0) return;
  console.log(formatTotals(all));
  // Values of all providers are in one file, so it is written only when all of them were read.
  if (values.provider === undefined) writeFileSync(DOCUMENTED_VALUES, formatValues(documented));
}
